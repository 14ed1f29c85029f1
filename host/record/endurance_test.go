//go:build linux && amd64

package record

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roclua/host/recording"
	"roclua/internal/ccompile"
	"roclua/internal/randomtest"
)

// counts lists the argument n of the calls of dscal by thread.
func counts(list []*recording.Call) map[int][]int64 {
	all := map[int][]int64{}
	for _, c := range list {
		if c.Name == "rocblas_dscal" {
			all[c.Thread] = append(all[c.Thread], c.Args[1].Int)
		}
	}
	return all
}

// upTo returns the numbers from 0 to n - 1.
func upTo(n int) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i)
	}
	return list
}

// TestKilled kills programs at random points. All calls that had ended are in the recording.
func TestKilled(t *testing.T) {
	program := linked(t, "many.c")
	rounds := 8
	if testing.Short() {
		rounds = 2 // the race detector, which does not see C, makes reading ten times as slow
	}
	r := randomtest.New(t)
	for i := range rounds {
		file := filepath.Join(t.TempDir(), "app.rec")
		last := 0
		var stderr bytes.Buffer
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() { // kills the program when it has printed some numbers
			defer close(done)
			defer reader.Close() // a program that is not killed ends by SIGPIPE
			at := 1 + r.IntN(100)
			lines := bufio.NewScanner(reader)
			lines.Scan()
			pid, err := strconv.Atoi(lines.Text())
			if err != nil {
				t.Error(err)
				return
			}
			for n := 0; n < at && lines.Scan(); n++ {
				last, _ = strconv.Atoi(lines.Text())
			}
			time.Sleep(time.Duration(r.IntN(2000)) * time.Microsecond) // the calls continue
			syscall.Kill(pid, syscall.SIGKILL)
			for lines.Scan() {
				last, _ = strconv.Atoi(lines.Text())
			}
		}()
		result, err := Run(t.Context(), Request{File: file, Command: []string{program, "forever", fmt.Sprint(1 + 97*i)},
			Environ: os.Environ(), Stdout: writer, Stderr: &stderr})
		writer.Close()
		<-done
		if err != nil || result.Signal != syscall.SIGKILL || result.Code != 128+int(syscall.SIGKILL) {
			t.Fatalf("%+v, %v, %q", result, err, stderr.String())
		}
		have := counts(calls(t, file))[1]
		if len(have) < last || !slices.Equal(have, upTo(len(have))) {
			t.Errorf("%d calls were recorded, %d had ended", len(have), last)
		}
	}
}

// TestRunning kills a program while two threads are in calls on one handle: the recording has these calls.
func TestRunning(t *testing.T) {
	for _, inside := range []string{"0", "20000"} { // calls that fill the first part of the file, or do not
		o := runRecorded(t, linked(t, "many.c"), "killed", inside)
		f, err := recording.Open(o.Files[0])
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var have []string
		for _, r := range f.Running() {
			have = append(have, fmt.Sprintf("thread %d: %d %s of handle %d", r.Thread, r.Depth, r.Name, r.Handle))
			if r.Start <= 0 {
				t.Errorf("%s started at %s", r.Name, r.Start)
			}
		}
		want := []string{"thread 1: 0 rocblas_dscal of handle 1", "thread 2: 0 hipblasDscal of handle 1",
			"thread 2: 1 rocblas_dscal of handle 1"}
		if diff := cmp.Diff(want, have); diff != "" || o.Signal != syscall.SIGKILL {
			t.Errorf("%v:\n%s", o.Signal, diff)
		}
	}
	for _, what := range []string{"count", "unwind"} {
		o := runRecorded(t, linked(t, "many.c", "-fexceptions"), what, "100")
		f, err := recording.Open(o.Files[0])
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if list := f.Running(); list != nil {
			t.Errorf("%s: %s has not ended", what, list[0].Name)
		}
	}
}

// TestEndsAtStart ends a program while its recording is created: the file is a cut recording without a call, and the
// process is named.
func TestEndsAtStart(t *testing.T) {
	program := linked(t, "many.c")
	ends := compile(t, t.TempDir(), "libends.so", "-shared", "-fPIC", "testdata/ends.c")
	file := filepath.Join(t.TempDir(), "app.rec")
	request := Request{File: file, Command: []string{program, "count", "10"},
		Environ: append(os.Environ(), "LD_PRELOAD="+ends)}
	for range 2 { // the file of the first time is an old recording for the second
		o := runRequest(t, request)
		want := regexp.MustCompile(`^process \d+ ended before its recording was complete$`)
		if o.Signal != syscall.SIGKILL || len(o.Problems) != 1 || !want.MatchString(o.Problems[0]) {
			t.Fatalf("%+v, want %s", o, want)
		}
		f, err := recording.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		if have := slices.Collect(f.Calls()); len(have) != 0 || len(f.Problems) != 1 ||
			!strings.HasSuffix(f.Problems[0], "the file is cut") {
			t.Errorf("%d calls were recorded, with problems %q", len(have), f.Problems)
		}
		f.Close()
	}
}

// TestFullDisk limits the size of files, and fills a small disk: the program runs on, with one message.
func TestFullDisk(t *testing.T) {
	program := linked(t, "many.c")
	const n = 200000
	check := func(t *testing.T, command []string, file string, want syscall.Errno, least int) {
		o := runRequest(t, Request{File: file, Command: command})
		text := "roclua record: " + file + ": " + want.Error()
		if o.Code != 0 || o.stdout != "done\n" || strings.Count(o.stderr, "\n") != 1 ||
			!strings.EqualFold(o.stderr[:min(len(text), len(o.stderr))], text) {
			t.Fatalf("exit code %d, output %q and %q, want %q", o.Code, o.stdout, o.stderr, text)
		}
		if len(o.Problems) > 0 {
			t.Errorf("problems: %q", o.Problems)
		}
		if least == 0 {
			return
		}
		have := counts(calls(t, file))[1]
		if len(have) < least || len(have) >= n || !slices.Equal(have, upTo(len(have))) {
			t.Errorf("%d calls were recorded", len(have))
		}
		f, err := recording.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if !f.Process.DiskFull || !f.Process.Ended {
			t.Errorf("the process is %+v", f.Process)
		}
	}
	t.Run("limit", func(t *testing.T) {
		command := []string{"sh", "-c", `ulimit -f 512; exec "$@"`, "sh", program, "count", fmt.Sprint(n)}
		check(t, command, filepath.Join(t.TempDir(), "app.rec"), syscall.EFBIG, 1000)
	})
	t.Run("no space at all", func(t *testing.T) {
		command := []string{"sh", "-c", `ulimit -f 8; exec "$@"`, "sh", program, "count", fmt.Sprint(n)}
		check(t, command, filepath.Join(t.TempDir(), "app.rec"), syscall.EFBIG, 0)
	})
	t.Run("no file at all", func(t *testing.T) {
		command := []string{"sh", "-c", `ulimit -f 0; exec "$@"`, "sh", program, "count", fmt.Sprint(n)}
		check(t, command, filepath.Join(t.TempDir(), "app.rec"), syscall.EFBIG, 0)
	})
	t.Run("disk", func(t *testing.T) {
		folder := t.TempDir()
		if err := syscall.Mount("none", folder, "tmpfs", 0, "size=400k"); err != nil {
			t.Skip("a small disk cannot be mounted: ", err)
		}
		defer syscall.Unmount(folder, 0)
		check(t, []string{program, "count", fmt.Sprint(n)}, filepath.Join(folder, "app.rec"), syscall.ENOSPC, 1000)
	})
}

// TestForks records a program that forks by fork, by the system call and by vfork, and replaces itself: each process
// has its own file.
func TestForks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "app.rec")
	o := runRequest(t, Request{File: file, Command: []string{linked(t, "many.c"), "fork", "0"}})
	var have []string
	for _, name := range o.Files {
		have = append(have, fmt.Sprint(counts(calls(t, name))[1]))
	}
	slices.Sort(have)
	want := []string{"[0 1 2 3 4 5]", "[0 1 2 3 4]", "[0 1 2]", "[10 11]", "[20 21 22]", "[30 31 32 33]"}
	if !slices.Equal(have, want) || o.Code != 0 || o.stderr != "" || o.Handles != 3 {
		t.Errorf("recorded %q, want %q; output %q, %s", have, want, o.stderr, o.Summary())
	}
	if o.Files[0] != file {
		t.Errorf("the first file is %s", o.Files[0])
	}
	for _, name := range o.Files[1:] {
		f, err := recording.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		if pid := strconv.Itoa(f.Process.PID); name != file+"."+pid && name != file+"."+pid+"-2" {
			t.Errorf("process %s has the file %s", pid, name)
		}
	}
}

// TestThreads records 64 threads, each with its own handle. No call is lost, and calls are in the order of their
// starts.
func TestThreads(t *testing.T) {
	const n = 3000
	o := runRecorded(t, linked(t, "many.c"), "threads", fmt.Sprint(n))
	list := calls(t, o.Files[0])
	handles, threads := map[int]int{}, map[int]int{}
	for i, c := range list {
		if i > 0 && c.Start < list[i-1].Start {
			t.Fatalf("call %d starts at %s, after one at %s", i, c.Start, list[i-1].Start)
		}
		if c.Name == "rocblas_dscal" {
			if thread, ok := threads[c.Handle]; ok && thread != c.Thread {
				t.Fatalf("handle %d is used by the threads %d and %d", c.Handle, thread, c.Thread)
			}
			threads[c.Handle] = c.Thread
			handles[c.Handle]++
		}
	}
	for thread, have := range counts(list) {
		if !slices.Equal(have, upTo(n)) {
			t.Errorf("thread %d has %d calls, or in another order", thread, len(have))
		}
	}
	if len(handles) != 64 || o.Handles != 65 {
		t.Errorf("%d handles of threads, %s", len(handles), o.Summary())
	}
}

// TestThreadsInSequence records threads that run one after the other: they share the space of a file.
func TestThreadsInSequence(t *testing.T) {
	const n = 3000
	o := runRecorded(t, linked(t, "many.c"), "sequence", fmt.Sprint(n))
	all := counts(calls(t, o.Files[0]))
	for thread, have := range all {
		if !slices.Equal(have, upTo(5)) {
			t.Fatalf("thread %d has the calls %d", thread, have)
		}
	}
	info, err := os.Stat(o.Files[0])
	if err != nil || len(all) != n || info.Size() > 2<<20 {
		t.Errorf("%d threads, want %d; %d bytes, %v", len(all), n, info.Size(), err)
	}
}

// TestUnwinding unwinds the stack through a wrapper, and leaves calls by longjmp: later calls are not inside of them.
func TestUnwinding(t *testing.T) {
	o := runRecorded(t, linked(t, "many.c", "-fexceptions"), "unwind", "100")
	have := counts(calls(t, o.Files[0]))[1]
	if want := []int64{-77, 0, 1, 2}; !slices.Equal(have, want) || o.stdout != "main is found\n" {
		t.Errorf("%q; recorded %d, want %d", o.stdout, have, want)
	}
}

// TestClosedFiles records a program that closes files that it did not open, and changes its folder.
func TestClosedFiles(t *testing.T) {
	o := runRecorded(t, linked(t, "many.c"), "close", "20000")
	if have := counts(calls(t, o.Files[0]))[1]; !slices.Equal(have, upTo(40000)) || o.stderr != "" {
		t.Errorf("%d calls were recorded; %q", len(have), o.stderr)
	}
}

// TestHostilePrograms records programs that use little stack, scalars that cannot be read, more objects than usual,
// signals at any time, and threads that end in a child: they run as without the recorder, and no call is lost.
func TestHostilePrograms(t *testing.T) {
	program := linked(t, "many.c", "-O2")
	for _, test := range []struct {
		what string
		n    int
		want []int64 // of the last calls
	}{
		{"stack", 16384, upTo(3)}, {"stack", 20480, upTo(3)}, {"stack", 24576, upTo(3)}, {"stack", 32768, upTo(3)},
		{"unmapped", 0, []int64{1, 0}}, {"objects", 40000, upTo(3)}, {"sizes", 0, upTo(3)}, {"signals", 200, nil},
		{"child", 0, upTo(3)},
	} {
		t.Run(fmt.Sprint(test.what, test.n), func(t *testing.T) {
			t.Parallel()
			o := runRecorded(t, "timeout", "-s", "KILL", "60", program, test.what, fmt.Sprint(test.n))
			if o.Code != 0 || len(o.Files) != 1 {
				t.Fatalf("exit code %d, %s %q", o.Code, o.Summary(), o.stderr)
			}
			var have []int64
			for _, c := range calls(t, o.Files[0]) {
				if c.Name == "rocblas_dscal" && c.Args[1].Int >= 0 {
					have = append(have, c.Args[1].Int)
				}
			}
			if test.want != nil && !slices.Equal(have, test.want) {
				t.Errorf("recorded %d, want %d", have, test.want)
			}
		})
	}
}

// TestManyObjects creates more live streams than a table has places at first: the last one has its number, and a handle
// after it as well.
func TestManyObjects(t *testing.T) {
	const n = 100000
	list := calls(t, runRecorded(t, linked(t, "many.c", "-O2"), "objects", fmt.Sprint(n)).Files[0])
	if have, want := line(list[len(list)-1]), fmt.Sprintf("blas_dscal h2 s%d d0 2 2 [000000000000f03f] null 1 -> 0",
		n+2); have != want {
		t.Errorf("the last call is %s, want %s", have, want)
	}
}

// TestCutWhileWritten cuts the file of a program that runs: the program continues, and says so once.
func TestCutWhileWritten(t *testing.T) {
	program := linked(t, "many.c", "-O2")
	for _, size := range []int{0, 100, 70000} {
		file := filepath.Join(t.TempDir(), "app.rec")
		o := runRequest(t, Request{File: file, Command: []string{program, "cut", "40000", file, fmt.Sprint(size)}})
		want := "roclua record: " + file + ": another program cut the file; calls are not recorded from here on\n"
		if o.Code != 0 || o.stdout != "done\n" || o.stderr != want || len(o.Problems) != 1 {
			t.Errorf("cut to %d bytes: exit code %d, output %q and %q, problems %q", size, o.Code, o.stdout, o.stderr,
				o.Problems)
		}
	}
}

// TestSameFile records to a file that another program writes: it is refused, and the other recording is not lost.
func TestSameFile(t *testing.T) {
	program, file := linked(t, "many.c"), filepath.Join(t.TempDir(), "app.rec")
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := Run(t.Context(), Request{File: file, Command: []string{program, "forever", "1000"},
			Environ: os.Environ(), Stdout: writer})
		writer.Close()
		done <- err
	}()
	lines := bufio.NewScanner(reader)
	lines.Scan()
	pid, _ := strconv.Atoi(lines.Text())
	lines.Scan()
	_, refused := Run(t.Context(), Request{File: file, Command: []string{program, "count", "3"}})
	reader.Close() // ends the program by SIGPIPE
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if refused == nil || !strings.Contains(refused.Error(), "another command records to it now") {
		t.Errorf("the second command: %v", refused)
	}
	f, err := recording.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Process.PID != pid || f.Totals.Calls < 1000 {
		t.Errorf("the file has %d calls of process %d, want %d", f.Totals.Calls, f.Process.PID, pid)
	}
}

// TestSanitizer records a program with AddressSanitizer, whose library wants to be the first.
func TestSanitizer(t *testing.T) {
	folder := fake(t)
	args := []string{"-fsanitize=address", "-w", "-o", filepath.Join(folder, "sanitized"), "testdata/many.c",
		"-L" + folder, "-lfake", "-lfakehip", "-Wl,-rpath," + folder, "-lpthread", "-ldl"}
	if out, err := exec.Command(ccompile.Compiler, args...).CombinedOutput(); err != nil {
		t.Skipf("no AddressSanitizer: %s", out)
	}
	environ := append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
	o := runRequest(t, Request{Command: []string{filepath.Join(folder, "sanitized"), "count", "3"}, Environ: environ})
	if o.Code != 0 || o.stdout != "done\n" || o.stderr != "" || o.Calls != 3 {
		t.Errorf("exit code %d, output %q and %q, %s", o.Code, o.stdout, o.stderr, o.Summary())
	}
}

// TestCost bounds the bytes of a repeated call. BenchmarkCall measures its time.
func TestCost(t *testing.T) {
	const n = 100000
	program := linked(t, "many.c", "-O2")
	for _, test := range []struct {
		bytes float64
		args  []string
	}{{14, nil}, {14 + 7, []string{"1", "addresses that vary"}}} {
		o := runRecorded(t, slices.Concat([]string{program, "cost", fmt.Sprint(n)}, test.args)...)
		info, err := os.Stat(o.Files[0])
		if err != nil {
			t.Fatal(err)
		}
		if bytes := float64(info.Size()) / n; bytes > test.bytes {
			t.Errorf("%.1f bytes a call, want at most %v", bytes, test.bytes)
		}
	}
}

// BenchmarkCall measures a call that does nothing, recorded and not recorded, in one thread and in several at once.
func BenchmarkCall(b *testing.B) {
	program := linked(b, "many.c", "-O2")
	const n = 4000000
	for _, threads := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			args := []string{"cost", fmt.Sprint(n / threads), fmt.Sprint(threads)}
			for b.Loop() {
				o := runRecorded(b, append([]string{program}, args...)...)
				out, err := exec.Command(program, args...).Output()
				if err != nil {
					b.Fatal(err)
				}
				info, err := os.Stat(o.Files[0])
				if err != nil {
					b.Fatal(err)
				}
				recorded, _ := strconv.ParseFloat(strings.TrimSpace(o.stdout), 64)
				plain, _ := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
				b.ReportMetric(recorded-plain, "ns/call")
				b.ReportMetric(float64(info.Size())/n, "B/call")
			}
		})
	}
}
