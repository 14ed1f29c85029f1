//go:build unix

package host

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"roclua/host/exit"
)

// ender sends SIGTERM to the program when it reports that a case passed.
type ender struct{ bytes.Buffer }

func (e *ender) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "passed") {
		syscall.Kill(os.Getpid(), syscall.SIGTERM)
		time.Sleep(50 * time.Millisecond) // until the signal has canceled the run
	}
	return e.Buffer.Write(b)
}

// TestSignalAfterTheLastCase ends a run by a signal when all its cases have ended: it is reported like any other run.
func TestSignalAfterTheLastCase(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"s.lua": `return { run = function(t) t:metric("n", 1) end }`,
		"c.toml": `baseline = "kept"
[[scenario]]
script = "s.lua"`,
		"kept/s.toml": `["s@cpu/rocm-7.2/gfx90a"]
n = 1
kernels = 0
peak_bytes = 0
["s[n=1]@cpu/rocm-7.2/gfx90a"]
n = 1
`,
	} {
		path := filepath.Join(folder, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stdout bytes.Buffer
	stderr := &ender{}
	env := Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: stderr, Now: time.Now, CPUs: 1,
		Getenv: func(string) string { return "" }}
	code := Main([]string{"run", filepath.Join(folder, "c.toml"), "--verbose"}, env)
	if code != int(exit.Baseline) || !strings.Contains(stdout.String(), "GONE") {
		t.Errorf("exit code %d, want %d with a case that is gone:\n%s%s", code, exit.Baseline, &stdout, stderr)
	}
}

// TestInterruptedRun ends a run by a signal while its second case runs, and names the file to resume.
func TestInterruptedRun(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "s.lua", `return { params = { n = 1 }, run = function(t) while t.n == 2 do end end }`)
	for _, test := range []struct{ outputs, want string }{
		{"--out text --out jsonl=e.jsonl --out jsonl=f.jsonl", "with --resume e.jsonl runs the missing cases\n"},
		{"--out text", ""},
	} {
		var stdout bytes.Buffer
		stderr := &ender{}
		env := Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: stderr, Now: time.Now, CPUs: 1,
			Getenv: func(name string) string { return map[string]string{"ROCLUA_ISOLATION": "case"}[name] }}
		args := strings.Fields("run s.lua --axis n=1,2 --jobs 1 --verbose " + test.outputs)
		if code := Main(args, env); code != int(exit.Interrupted) {
			t.Errorf("exit code %d, want %d:\n%s%s", code, exit.Interrupted, &stdout, stderr)
		}
		_, text, _ := strings.Cut(stderr.String(), "roclua: the same command ")
		if text != test.want {
			t.Errorf("suggested %q, want %q", text, test.want)
		}
	}
}

// TestSignalBeforeInputIsRead ends a program by a signal that comes while it starts, before it waits for its input.
func TestSignalBeforeInputIsRead(t *testing.T) {
	const started = "STARTED_BY_TEST"
	if os.Getenv(started) != "" {
		read, _, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		runtime.GOMAXPROCS(1) // nothing else runs until the program waits
		env := Env{Stdin: read, Stdout: os.Stdout, Stderr: os.Stderr, Now: time.Now, CPUs: 1,
			Getenv: func(string) string { return "" }, Environ: func() []string {
				syscall.Kill(os.Getpid(), syscall.SIGTERM)
				return nil
			}}
		os.Exit(Main([]string{"size", "-"}, env))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, os.Args[0], "-test.run", "^"+t.Name()+"$")
	c.Env = append(os.Environ(), started+"=1")
	out, err := c.CombinedOutput()
	status, _ := c.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signal() != syscall.SIGTERM && status.ExitStatus() != int(exit.Interrupted) {
		t.Errorf("%v, want exit code %d: %s", err, exit.Interrupted, out)
	}
}
