package tests

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"roclua/host"
	"roclua/tests/leaks"
)

var (
	update = flag.Bool("update", false, "rewrite the expected output of the transcripts")
	all    = flag.Bool("all", false, "run every variant, not a sample")
)

// patience is how long tests wait for what does not happen.
const patience = time.Minute

// programs are the programs that the test binary runs when invoked by their names.
var programs = map[string]func(){"roclua": func() {
	if len(os.Args) == 2 && os.Args[1] == invocations {
		os.Exit(serveInvocations())
	}
	os.Exit(host.Main(os.Args[1:], host.OSEnv()))
}}

// program returns the path of a program.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMain lets the test binary act as its own worker process, and as the named programs, which have workers too.
func TestMain(m *testing.M) {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if programs[name] == nil && len(os.Args) > 1 && os.Args[1] == "worker" {
		programs["roclua"]()
	}
	// A shell ignores interrupts for what it starts in the background, and the programs that tests interrupt would too.
	if signal.Ignored(os.Interrupt) {
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
	testscript.Main(leaks.Checked(m), programs)
}

// TestCommandLine runs the transcripts in testdata/cli: command lines and their expected output.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/cli", UpdateScripts: *update, RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", os.Getenv("GORACE"))
			packs, err := filepath.Abs("../workspace/testdata")
			env.Setenv("PACKS", packs)
			env.Setenv("BLASLT", filepath.Join(packs, "../../hip/amd/testdata/blaslt.c"))
			env.Setenv("PRODUCT", "gemm_ex transA=T transB=N m=128 n=128 k=65536 a_type=bf16_r compute_type=f32_r")
			if err != nil {
				return err
			}
			name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
			env.Values[transcriptKey{}], err = newTranscript(t, env, filepath.Join("testdata/cli", name+".txtar"))
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run": run, "exits": exits, "killworker": killWorker,
		},
	})
}

// TestCommandsHaveTranscripts checks that a transcript runs each command that the help lists.
func TestCommandsHaveTranscripts(t *testing.T) {
	var help, stderr bytes.Buffer
	if code := host.Main([]string{"--help"}, testEnv(&help, &stderr)); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	files, err := filepath.Glob("testdata/cli/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var transcripts strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		transcripts.Write(text)
	}
	_, list, _ := strings.Cut(help.String(), "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	names := regexp.MustCompile(`(?m)^  (\w+)`).FindAllStringSubmatch(list, -1)
	for _, name := range names {
		run := regexp.MustCompile(`(?m)^(! )?(run |exits \d+ )?(exec )?roclua ` + name[1] + `\b`)
		if !run.MatchString(transcripts.String()) {
			t.Errorf("no transcript runs roclua %s", name[1])
		}
	}
	if len(names) < 20 {
		t.Errorf("only %d commands are listed", len(names))
	}
}

// run implements the command `run roclua ARGS...`: the program must succeed, or fail with !.
func run(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || args[0] != "roclua" {
		ts.Fatalf("usage: run roclua [args...]")
	}
	if code := runInTranscript(ts, args[1:]); (code == 0) == neg {
		ts.Fatalf("%v ended with exit status %d", args, code)
	}
}

// exits implements the commands `exits CODE roclua ARGS...` and `exits CODE exec PROGRAM ARGS...`: the program must
// exit with this code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "roclua" && args[1] != "exec" {
		ts.Fatalf("usage: exits CODE roclua [args...], or exits CODE exec program [args...]")
	}
	code := "0"
	if args[1] == "roclua" {
		code = strconv.Itoa(runInTranscript(ts, args[2:]))
	} else if err := ts.Exec(args[2], args[3:]...); err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if want := args[0]; code != want {
		ts.Fatalf("%v ended with %q, want exit status %s", args[1:], code, want)
	}
}

// killWorker implements the command `killworker SIGNAL`: it waits until a case of a background run of the program
// faulty sleeps, and sends its worker process the signal.
func killWorker(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: killworker SIGNAL")
	}
	number, err := strconv.Atoi(args[0])
	ts.Check(err)
	marker := ts.MkAbs(sleeping)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(marker)
		if line, ok := strings.CutSuffix(string(text), "\n"); ok {
			pid, err := strconv.Atoi(line)
			ts.Check(err)
			process, err := os.FindProcess(pid)
			ts.Check(err)
			ts.Check(os.Remove(marker))
			ts.Check(process.Signal(syscall.Signal(number)))
			return
		}
	}
	ts.Fatalf("no case sleeps")
}

// sleeping is a file that the program faulty makes while a case sleeps, with the number of its process.
const sleeping = "sleeping"

// workerIn returns the process ID of a worker whose working directory is folder, or 0.
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

// runProgram runs a program in a folder and returns its exit code.
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
