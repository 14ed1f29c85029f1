//go:build linux && amd64

package record

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"roclua/host/exit"
)

// TestRefused names the faults of a command, a file or the environment.
func TestRefused(t *testing.T) {
	fake(t)
	folder := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	notes := write("notes.txt", "my notes", 0o600)
	for _, test := range []struct {
		command, file string
		environ       []string
		code          exit.Code
		want          string
	}{
		{"roclua-nothing", "", nil, notFound, "roclua-nothing: command not found"},
		{notes, "", nil, notExecutable, notes + " cannot be executed: permission denied"},
		{write("data", "\x00", 0o700), folder + "/b.rec", nil, notExecutable, "cannot be started: exec format error"},
		{"true", folder + "/none/app.rec", nil, exit.Usage,
			"--output " + folder + "/none/app.rec: no such file or directory"},
		{"true", folder + "/none/%p", nil, exit.Usage, "--output " + folder + "/none/%p: no such file or directory"},
		{"true", notes, nil, exit.Usage, "exists and is not a recording; it would be lost"},
		{"true", folder, nil, exit.Usage, "is not a regular file"},
		{"true", "", nil, exit.Usage, ""},
		{"true", "a%d.rec", nil, exit.Usage, "%p is the number of the process"},
		{"true", "app/", nil, exit.Usage, "write the name of a file, such as app.rec"},
		{"true", folder + "/b.rec", []string{"ROCLUA_RECORD=/a.rec"}, exit.Usage,
			"this program is already recorded, to /a.rec: record cannot record itself"},
	} {
		_, err := Run(t.Context(), Request{File: test.file, Command: []string{test.command}, Environ: test.environ})
		if err == nil || exit.Of(err) != test.code || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s to %q: exit code %d, %v, want %d, %q", test.command, test.file, exit.Of(err), err, test.code,
				test.want)
		}
	}
	if text, err := os.ReadFile(notes); err != nil || string(text) != "my notes" {
		t.Errorf("notes.txt is %q, %v", text, err)
	}
}

// TestWithoutLibraries cannot compile the recorder, or finds a cache that others can write.
func TestWithoutLibraries(t *testing.T) {
	fake(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	run := func() error {
		_, err := Run(t.Context(), Request{File: filepath.Join(t.TempDir(), "a.rec"), Command: []string{"/bin/true"}})
		return err
	}
	t.Setenv("PATH", "/nothing")
	if err := run(); exit.Of(err) != exit.Unavailable || !strings.Contains(err.Error(), "there is no C compiler") {
		t.Errorf("without a compiler: %v", err)
	}
	shared := filepath.Join(t.TempDir(), "shared")
	if err := os.Mkdir(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", shared)
	if err := run(); exit.Of(err) != exit.Unavailable || !strings.Contains(err.Error(), shared) {
		t.Errorf("in a cache that others can write: %v", err)
	}
}

// TestNothingRecorded explains why nothing was recorded, and leaves no file.
func TestNothingRecorded(t *testing.T) {
	folder := fake(t)
	cuda := compile(t, folder, "libcudart.so.12", "-shared", "-fPIC", "-Wl,-soname,libcudart.so.12", "-DHIP",
		"testdata/fake.c")
	empty := filepath.Join(t.TempDir(), "empty.c")
	if err := os.WriteFile(empty, []byte("int main(void) { return 0; }"), 0o600); err != nil {
		t.Fatal(err)
	}
	onCUDA := compile(t, folder, "cuda", empty, "-Wl,--no-as-needed", cuda, "-Wl,-rpath,"+folder)
	clear := []string{"env", "-i", linked(t, "calls.c")}
	for want, command := range map[string][]string{
		"the program uses CUDA, which ran as without record":     {onCUDA},
		"started with an empty environment do not load it":       clear,
		"no process of the command called rocBLAS, rocSOLVER or": {"true"},
		"exit code 127, as where a program, a library or a":      {"sh", "-c", "/no/such/program"},
	} {
		o := runRecorded(t, command...)
		if len(o.Files) > 0 || !strings.Contains(o.Summary(), want) {
			t.Errorf("%q: %s", command, o.Summary())
		}
	}
}

// TestForwardsSignals sends a signal to the process that records, which sends it to the program.
func TestForwardsSignals(t *testing.T) {
	fake(t)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	printed := make(chan string)
	go func() {
		lines := bufio.NewScanner(reader)
		lines.Scan()
		syscall.Kill(os.Getpid(), syscall.SIGUSR1)
		all := lines.Text()
		for lines.Scan() {
			all += " " + lines.Text()
		}
		printed <- all
	}()
	const script = `trap 'echo received; exit 9' USR1; echo ready; while :; do sleep 0.05; done`
	result, err := Run(t.Context(), Request{File: filepath.Join(t.TempDir(), "a.rec"), Environ: os.Environ(),
		Command: []string{"sh", "-c", script}, Stdout: writer, Stderr: os.Stderr})
	writer.Close()
	if have := <-printed; err != nil || result.Code != 9 || have != "ready received" {
		t.Errorf("%+v, %v, printed %q", result, err, have)
	}
}

// TestPassesThrough checks exit codes, signals, standard input and an old recording.
func TestPassesThrough(t *testing.T) {
	o := runRequest(t, Request{Command: []string{"sh", "-c", "cat; echo error >&2; exit 7"},
		Stdin: strings.NewReader("input\n")})
	if o.Code != 7 || o.Signal != nil || o.stdout != "input\n" || o.stderr != "error\n" {
		t.Errorf("exit code %d, output %q and %q", o.Code, o.stdout, o.stderr)
	}
	o = runRecorded(t, "sh", "-c", "kill -TERM $$")
	if o.Code != 143 || o.Signal != syscall.SIGTERM {
		t.Errorf("exit code %d, signal %v", o.Code, o.Signal)
	}
	file := filepath.Join(t.TempDir(), "%p-%h-%%.rec")
	o = runRequest(t, Request{File: file, Command: []string{linked(t, "calls.c")}})
	host, _ := os.Hostname()
	if len(o.Files) != 1 || !strings.HasSuffix(o.Files[0], "-"+host+"-%.rec") {
		t.Errorf("the files are %q", o.Files)
	}
	again := filepath.Join(t.TempDir(), "app.rec")
	for range 2 {
		o = runRequest(t, Request{File: again, Command: []string{linked(t, "calls.c")}})
		if len(o.Files) != 1 || o.Files[0] != again {
			t.Errorf("the files are %q", o.Files)
		}
	}
}
