package tests

import (
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"roclua/host"
	"roclua/tests/leaks"
)

var update = flag.Bool("update", false, "rewrite the expected output of the transcripts")

// programs are what the test binary is under other names; it runs as one of them when it is called by that name.
var programs = map[string]func(){"roclua": func() { os.Exit(host.Main(os.Args[1:], host.OSEnv())) }}

func TestMain(m *testing.M) { testscript.Main(leaks.Checked(m), programs) }

// TestCommandLine plays the transcripts in testdata/cli: what a user types, and what the program answers.
func TestCommandLine(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/cli", UpdateScripts: *update, RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "killworker": killWorker}})
}

// exits is the command `exits CODE roclua ARGS...`: the program ends with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE command [args...]")
	}
	code := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		code = err.Error()
	}
	if want := args[0]; code != want && code != "exit status "+want {
		ts.Fatalf("%v ended with %q, want exit status %s", args[1:], code, want)
	}
}

// killWorker is the command `killworker SIGNAL`: it waits for the worker process of a run in the background to be in a case,
// which writes a file started, and sends it a signal.
func killWorker(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: killworker SIGNAL")
	}
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		if pid := workerIn(ts.MkAbs(".")); pid > 0 {
			time.Sleep(200 * time.Millisecond) // for the case to begin
			number, err := strconv.Atoi(args[0])
			ts.Check(err)
			process, err := os.FindProcess(pid)
			ts.Check(err)
			ts.Check(process.Signal(syscall.Signal(number)))
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("no worker process appeared")
}

// workerIn finds a worker process whose folder is the given one; 0 when there is none.
func workerIn(folder string) int {
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range processes {
		line, _ := os.ReadFile(filepath.Join(p, "cmdline"))
		at, _ := os.Readlink(filepath.Join(p, "cwd"))
		if words := strings.Split(string(line), "\x00"); at == folder && len(words) > 1 && words[1] == "worker" {
			pid, _ := strconv.Atoi(filepath.Base(p))
			return pid
		}
	}
	return 0
}

// runProgram runs a built program in a folder and returns its exit code.
func runProgram(t *testing.T, program, folder string, out io.Writer, args ...string) int {
	t.Helper()
	c := exec.Command(program, args...)
	c.Dir, c.Stdout, c.Stderr = folder, out, out
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode()
}
