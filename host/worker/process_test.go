//go:build unix

package worker

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"roclua/hip"
	"roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/host/config"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
)

// take starts a worker.
func take(t *testing.T, p *Pool) *process {
	t.Helper()
	w, err := p.take(bounds.SandboxProject)
	noError(t, err)
	t.Cleanup(func() { p.retire(w) })
	return w
}

// TestHowWorkersEnd describes workers that exit by themselves, that fail, and whose replies cannot be read.
func TestHowWorkersEnd(t *testing.T) {
	pool, _ := newPool(t)
	w := take(t, pool)
	w.requests.Close()
	if how := w.examine(io.EOF).how; how != "exited unexpectedly" {
		t.Errorf("without further requests it %s", how)
	}
	w = take(t, pool)
	w.requests.WriteString(strings.Repeat("x", 100))
	w.requests.Close()
	<-w.exited
	if p := w.examine(io.EOF); p.how != "exited with status 1" ||
		!strings.HasPrefix(p.printed, "worker: cannot read a request: ") {
		t.Errorf("after something else than a request it %s and printed %q", p.how, p.printed)
	}
	w = take(t, pool)
	if how := w.examine(errors.New("no gob")).how; how != "was killed because its reply cannot be read (no gob)" {
		t.Errorf("after something else than a reply it %s", how)
	}
}

// TestFaults finds the report of Go's runtime in the output of a process.
func TestFaults(t *testing.T) {
	const memory = "ended with the fatal error out of memory"
	for printed, want := range map[string][2]string{
		"":                             {"", ""},
		"text\n":                       {"text\n", ""},
		"a SIGSEGV: no\n":              {"a SIGSEGV: no\n", ""},
		"SIGSEGV: no\nrest\n":          {"", "was killed by SIGSEGV (no)"},
		"text\nSIGABRT: abort\nPC=0\n": {"text\n", "was killed by SIGABRT (abort)"},
		"fatal error: out of memory\n": {"", memory},
		"a\nfatal error: runtime: out of memory\n": {"a\n", memory},
		"runtime: goroutine stack exceeds 64\nfatal error: stack o.\n": {"",
			"ended with the fatal error stack overflow"},
	} {
		if rest, how := cutFault(printed); rest != want[0] || how != want[1] {
			t.Errorf("%q: %q, %q, want %q", printed, rest, how, want)
		}
	}
}

// TestWorkersFreeTheirFiles closes a pool.
func TestWorkersFreeTheirFiles(t *testing.T) {
	pool, run := newPool(t)
	run(job(64))
	w := pool.idle[0]
	pool.Close()
	for name, f := range map[string]*os.File{"requests": w.requests, "replies": w.replies, "memory": w.memory,
		"output": w.output} {
		if err := f.Close(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s is open: %v", name, err)
		}
	}
	if w.shared != nil || len(pool.all) != 0 || len(pool.idle) != 0 || w.command.ProcessState.ExitCode() != 0 {
		t.Errorf("%d workers are left; it ended with %s", len(pool.all), w.command.ProcessState)
	}
}

// TestParent compares the parent process.
func TestParent(t *testing.T) {
	if !isParent(os.Getppid()) || isParent(os.Getpid()) {
		t.Error("the parent process is another one")
	}
}

// TestTemporaryFiles creates files that have no path any more.
func TestTemporaryFiles(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	f, err := newTemporary("name")
	noError(t, err)
	defer f.Close()
	if names, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(names) != 0 {
		t.Errorf("the folder contains %q, %v", names, err)
	}
	t.Setenv("TMPDIR", filepath.Join(folder, "missing"))
	if f, err := newTemporary("name"); f != nil || err == nil {
		t.Errorf("%v, %v", f, err)
	}
}

// TestQueueStartsWorkers starts a worker for the first job, and none for jobs that are interrupted.
func TestQueueStartsWorkers(t *testing.T) {
	pool, _ := newPool(t)
	q := pool.NewQueue(nil)
	endless := job(64)
	endless.Source = []byte("while true do end")
	q.Send(endless)
	if q.worker == nil {
		t.Fatal("there is no worker")
	}
	q.Send(job(64))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		if r := q.Next(ctx); r.End == nil || r.End.Kind != record.EndCanceled {
			t.Errorf("ended with %+v", r.End)
		}
	}
	if q.worker != nil || len(pool.all) != 0 {
		t.Errorf("after an interrupt there are %d workers", len(pool.all))
	}
}

// TestDescriptionByAnotherWorker describes a script after its idle worker has ended.
func TestDescriptionByAnotherWorker(t *testing.T) {
	pool, run := newPool(t)
	run(job(64))
	w := pool.idle[0]
	w.kill()
	<-w.exited
	script := &Script{File: File{Script: "a.lua", Source: []byte(`return { { name = "one", run = print } }`)}}
	if d, err := pool.Describe(t.Context(), script); err != nil || d.Err != nil || d.Scenarios[0].Name != "one" {
		t.Errorf("%+v, %v", d, err)
	}
	w = pool.idle[0]
	w.kill()
	<-w.exited
	t.Setenv(startedVariable, "1") // no other worker can be started
	if d, err := pool.Describe(t.Context(), script); err == nil {
		t.Errorf("%+v", d)
	}
}

// TestFullSandbox describes a script that may have effects, and runs it: its top level runs once, with the environment
// and the standard input of the program.
func TestFullSandbox(t *testing.T) {
	t.Setenv("ROCLUA_TEST_A", "process")
	t.Setenv("ROCLUA_TEST_B", "process")
	stdin := filepath.Join(t.TempDir(), "stdin")
	noError(t, os.WriteFile(stdin, []byte("typed\n"), 0o600))
	file, err := os.Open(stdin)
	noError(t, err)
	defer file.Close()
	pool := NewPool(file)
	pool.Configure(config.Limits{})
	t.Cleanup(pool.Close)
	j := job(64)
	j.Sandbox, j.Env = bounds.SandboxFull, map[string]string{"ROCLUA_TEST_B": "configured"}
	j.Source = []byte(`print(os.getenv("ROCLUA_TEST_A"), os.getenv("ROCLUA_TEST_B"), io.read("*l"))
		return { params = { n = 0 }, run = function() print("run") end }`)
	script := &Script{j.File, j.Settings}
	d, err := pool.Describe(t.Context(), script)
	if err != nil || d.Err != nil || len(d.Scenarios) != 1 || d.Scenarios[0].Plain {
		t.Fatalf("%+v, %v", d, err)
	}
	var output strings.Builder
	q := pool.NewQueue(&output)
	defer q.Close()
	q.Send(j)
	r := q.Next(t.Context())
	const want = "process\tconfigured\ttyped\nrun\n"
	if !r.Passed() || r.Log != want || output.String() != want {
		t.Errorf("printed %q, and %q in the log; %v", output.String(), r.Log, r.End)
	}
	script.Source = []byte("local = 1")
	if d, err := pool.Describe(t.Context(), script); err != nil || d.Err == nil || len(d.Scenarios) != 1 {
		t.Errorf("a script that cannot be compiled: %+v, %v", d, err)
	}
}

// TestSandboxHasNoInput starts a worker for scripts that cannot read files. Other sandboxes have their own environment.
func TestSandboxHasNoInput(t *testing.T) {
	pool := NewPool(os.Stdin)
	t.Cleanup(pool.Close)
	if w := take(t, pool); w.command.Stdin != nil {
		t.Error("it has the standard input of the program")
	}
	configured := map[string]string{"A": "b"}
	if have := Environment(bounds.SandboxProject, configured); len(have) != 1 || have["A"] != "b" {
		t.Errorf("the environment is %q", have)
	}
}

// countingWriter counts writes.
type countingWriter struct{ writes int }

func (w *countingWriter) Write(b []byte) (int, error) {
	w.writes++
	return len(b), nil
}

// TestEarlyOutput passes on output from before a case, if there is any.
func TestEarlyOutput(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "output"))
	noError(t, err)
	defer file.Close()
	e, w := &earlyOutput{process: file}, &countingWriter{}
	if others := e.begin(w); others != "" || w.writes != 0 {
		t.Errorf("%d writes without output, and %q", w.writes, others)
	}
	file.WriteString("library\n")
	e.Write([]byte("script\n"))
	if others := e.begin(nil); others != "library\n" {
		t.Errorf("libraries printed %q", others)
	}
	if e.begin(w); w.writes != 1 || e.all.String() != "library\nscript\n" {
		t.Errorf("%d writes of %q", w.writes, e.all.String())
	}
}

// TestCompiledScripts compiles a script again only if its name or its text has changed.
func TestCompiledScripts(t *testing.T) {
	j := job(64)
	first := j.Compile(nil)
	if first == nil || j.Compile(first) != first {
		t.Error("the same script is compiled again")
	}
	named, changed, broken := job(64), job(64), job(64)
	named.Script, changed.Source, broken.Source = "other.lua", []byte("return 1"), []byte("local = 1")
	for _, other := range []*Job{named, changed} {
		if s := other.Compile(first); s == nil || s == first || s.Name != other.Script {
			t.Errorf("%s has the script %v", other.Script, s)
		}
	}
	if broken.Compile(nil) != nil || broken.Compile(first) != nil {
		t.Error("a script with a mistake is compiled")
	}
}

// closing is the simulated device, except that it cannot be closed. It takes a while.
type closing struct{ driver.Runtime }

var (
	errClosing error
	closeTakes time.Duration
)

type closingDriver struct{ driver.Unsupported }

func (closingDriver) Open(c driver.Config) (driver.Runtime, error) {
	rt, err := cpu.Driver{}.Open(c)
	return closing{rt}, err
}

func (c closing) Close() error {
	c.Runtime.Close()
	time.Sleep(closeTakes)
	return errClosing
}

func init() { hip.Register("closing", closingDriver{}) }

// TestExecute runs jobs in this process. Some cannot be run, or their device cannot be closed.
func TestExecute(t *testing.T) {
	for name, test := range map[string]struct {
		change  func(j *Job)
		err     error
		takes   time.Duration
		kind    record.EndKind // "" for none
		problem string         // "" for none
		lost    bool
	}{
		"a case":             {func(*Job) {}, nil, 0, "", "", false},
		"an unknown profile": {func(j *Job) { j.Target.Profile = "x" }, nil, 0, record.EndOther, "", false},
		"a broken script":    {func(j *Job) { j.Source = []byte("local = 1") }, nil, 0, record.EndInvalid, "", false},
		"no platform":        {func(j *Job) { j.Target.Platform = "x" }, nil, 0, record.EndUnavailable, "", false},
		"an error of closing": {func(*Job) {}, driver.ErrorInvalidValue, 0, "",
			"closing the device failed: ", false},
		"a lost device": {func(*Job) {}, driver.ErrorIllegalAddress, 0, "", "closing the device failed: ", true},
		"a slow device": {func(j *Job) { j.Limits.Timeout = 50 * time.Millisecond }, driver.ErrorNotReady,
			80 * time.Millisecond, record.EndTimeout, "closing the device failed: ", false},
	} {
		j := job(64)
		j.Target.Platform = "closing"
		test.change(j)
		errClosing, closeTakes = test.err, test.takes
		r, lost := j.Execute(t.Context(), Execution{})
		kind, problem := record.EndKind(""), strings.Join(r.Problems, "; ")
		if r.End != nil {
			kind = r.End.Kind
		}
		if kind != test.kind || lost != test.lost || (problem != "") != (test.problem != "") ||
			!strings.HasPrefix(problem, test.problem) {
			t.Errorf("%s: ended with %v, problem %q, lost %v", name, r.End, problem, lost)
		}
	}
}
