package worker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"roclua/luabind/vm/bounds"
)

// TestLimitsOfTheProcess checks that a worker writes no core dump, and that Linux ends it before other processes when
// memory runs out.
func TestLimitsOfTheProcess(t *testing.T) {
	pool, run := newPool(t)
	run(job(64))
	folder := fmt.Sprintf("/proc/%d/", pool.idle[0].command.Process.Pid)
	for name, want := range map[string]string{
		"limits":        `(?m)^Max core file size +0 +0 `,
		"oom_score_adj": `^500\n$`,
	} {
		text, err := os.ReadFile(folder + name)
		if err != nil || !regexp.MustCompile(want).Match(text) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}

// TestAvailableMemory reads the memory that processes can use from the files of the system: the least of the machine
// and of the control group.
func TestAvailableMemory(t *testing.T) {
	const meminfo = "MemTotal: 900 kB\nMemFree: 1 kB\nMemAvailable:    100 kB\nBuffers: 3 kB\n"
	const group, old = "sys/fs/cgroup/memory.", "sys/fs/cgroup/memory/memory."
	for _, test := range []struct {
		files map[string]string
		want  uint64
	}{
		{nil, 0},
		{map[string]string{"proc/meminfo": meminfo}, 100 << 10},
		{map[string]string{"proc/meminfo": "MemAvailable: unknown\n"}, 0},
		{map[string]string{"proc/meminfo": "MemTotal: 5 kB\n"}, 0},
		{map[string]string{"proc/meminfo": meminfo, group + "max": "5000\n", group + "current": "1000\n"}, 4000},
		{map[string]string{"proc/meminfo": meminfo, old + "limit_in_bytes": "5000\n", old + "usage_in_bytes": "2000\n"},
			3000},
		{map[string]string{group + "max": "5000\n", group + "current": "1000\n"}, 4000},
		{map[string]string{"proc/meminfo": meminfo, group + "max": "999999999\n", group + "current": "1\n"}, 100 << 10},
		{map[string]string{"proc/meminfo": meminfo, group + "max": "max\n", group + "current": "1000\n"}, 100 << 10},
		{map[string]string{"proc/meminfo": meminfo, group + "max": "5000\n"}, 100 << 10},
		{map[string]string{"proc/meminfo": meminfo, group + "max": "5000\n", group + "current": "5000\n"}, 100 << 10},
	} {
		root := t.TempDir()
		for name, text := range test.files {
			path := filepath.Join(root, name)
			noError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			noError(t, os.WriteFile(path, []byte(text), 0o600))
		}
		if have := availableBelow(root); have != test.want {
			t.Errorf("%q: %d bytes, want %d", test.files, have, test.want)
		}
	}
	total := NewPool(nil).total()
	if a := available(); a == 0 || total < a/4 || total > a*2 {
		t.Errorf("processes may use %d of %d bytes", total, a)
	}
}

// TestResidentMemory reads the resident memory of a process.
func TestResidentMemory(t *testing.T) {
	r := openResident(os.Getpid())
	if bytes := r.bytes(); bytes < 1<<20 || bytes%uint64(os.Getpagesize()) != 0 {
		t.Errorf("this process has %d bytes", bytes)
	}
	if r.close(); !errors.Is(r.statm.Close(), os.ErrClosed) {
		t.Error("the file is open")
	}
	missing := openResident(-1)
	if bytes := missing.bytes(); bytes != 0 {
		t.Errorf("no process has %d bytes", bytes)
	}
	missing.close()
	for text, pages := range map[string]int{"": 0, "12": 0, "12 3": 3, "12 4 5 6\n": 4, "1 x": 0} {
		path := filepath.Join(t.TempDir(), "statm")
		noError(t, os.WriteFile(path, []byte(text), 0o600))
		f, err := os.Open(path)
		noError(t, err)
		r := resident{f}
		if bytes := r.bytes(); bytes != uint64(pages*os.Getpagesize()) {
			t.Errorf("%q: %d bytes, want %d pages", text, bytes, pages)
		}
		r.close()
	}
}

// TestFilesInMemory creates files that have no path.
func TestFilesInMemory(t *testing.T) {
	f, err := newFile("name")
	noError(t, err)
	if f.Name() != "name" {
		t.Errorf("the file is %s", f.Name())
	}
	if removeFile(f); !errors.Is(f.Close(), os.ErrClosed) {
		t.Error("the file is open")
	}
}

// TestInheritedFiles starts a process from a script, which gets none of the files between the worker and the program.
func TestInheritedFiles(t *testing.T) {
	_, run := newPool(t)
	j := job(64)
	j.Sandbox = bounds.SandboxFull
	j.Source = []byte(`print(io.popen("ls /proc/self/fd"):read("*a"))`)
	r := run(j)[0]
	have := strings.Fields(r.Log)
	if !slices.Contains(have, "2") {
		t.Fatalf("the open files are %q, %v", have, r.End)
	}
	for i := 1; i < fileCount; i++ { // the first one may be the folder that ls reads
		if slices.Contains(have, strconv.Itoa(firstFile+i)) {
			t.Errorf("file %d is open: %q", firstFile+i, have)
		}
	}
}
