package tests

import (
	"bytes"
	"encoding/gob"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"roclua/host"
	"roclua/host/worker"
	"roclua/tests/leaks"
)

// Starting the program and a worker takes longer than most commands. A transcript runs `run roclua ARGS` and
// `exits CODE roclua ARGS` in one process of the program, one after another, whose workers they share; `exec roclua
// ARGS` starts another one. It is for commands that read standard input or a terminal, run in the background, load C
// libraries, or receive signals.

// invocation is one command in such a process.
type invocation struct {
	Folder    string
	Variables []string // of its environment, as NAME=VALUE
	Args      []string
}

type outcome struct {
	Code           int
	Stdout, Stderr []byte
}

// invocations is the hidden command that serves invocations.
const invocations = "invocations"

// serveInvocations runs commands until there are no more. A worker is shared by commands in the same folder with the
// same environment, which it inherits.
func serveInvocations() int {
	requests, replies := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	workers := worker.NewPool(nil)
	var last invocation
	for {
		var next invocation
		if requests.Decode(&next) != nil {
			workers.Close()
			return leaks.Checked(noTests{}).Run()
		}
		if next.Folder != last.Folder || !slices.Equal(next.Variables, last.Variables) {
			workers.Close()
			workers = worker.NewPool(nil)
			if err := os.Chdir(next.Folder); err != nil {
				panic(err)
			}
			os.Clearenv()
			for _, line := range next.Variables {
				name, value, _ := strings.Cut(line, "=")
				os.Setenv(name, value)
			}
			last = next
		}
		var stdout, stderr bytes.Buffer
		env := host.OSEnv()
		env.Stdin, env.Stdout, env.Stderr, env.Workers = strings.NewReader(""), &stdout, &stderr, workers
		env.StdinIsTerminal, env.StdoutIsTerminal, env.StderrIsTerminal = false, false, false
		code := host.Main(next.Args, env)
		if err := replies.Encode(outcome{code, stdout.Bytes(), stderr.Bytes()}); err != nil {
			panic(err)
		}
	}
}

// noTests are the tests of a process that has none.
type noTests struct{}

func (noTests) Run() int { return 0 }

// transcript runs the commands of one transcript. Its process starts with the first of them.
type transcript struct {
	t        *testing.T
	names    []string // of the variables that the transcript sees
	process  *exec.Cmd
	requests *gob.Encoder
	replies  *gob.Decoder
	stderr   bytes.Buffer
}

// transcriptKey is where a script of testscript has its transcript.
type transcriptKey struct{}

// newTranscript prepares the process of a transcript. The variables that a transcript sets are read in its text, since
// a command of testscript cannot list them.
func newTranscript(t *testing.T, env *testscript.Env, file string) (*transcript, error) {
	text, err := os.ReadFile(file)
	s := &transcript{t: t}
	variables := slices.Clone(env.Vars)
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 0 && words[0] == "env" {
			variables = append(variables, words[1:]...)
		}
	}
	for _, v := range variables {
		name, _, _ := strings.Cut(v, "=")
		s.names = append(s.names, name)
	}
	slices.Sort(s.names)
	s.names = slices.Compact(s.names)
	return s, err
}

// runInTranscript runs the program in the process of a transcript and returns its exit code.
func runInTranscript(ts *testscript.TestScript, args []string) int {
	s := ts.Value(transcriptKey{}).(*transcript)
	if s.process == nil {
		s.start(ts)
	}
	request := invocation{Folder: ts.MkAbs("."), Args: args}
	for _, name := range s.names {
		if value := ts.Getenv(name); value != "" {
			request.Variables = append(request.Variables, name+"="+value)
		}
	}
	ts.Check(s.requests.Encode(request))
	var o outcome
	if err := s.replies.Decode(&o); err != nil {
		ts.Fatalf("the process ended: %v", err)
	}
	ts.Stdout().Write(o.Stdout)
	ts.Stderr().Write(o.Stderr)
	return o.Code
}

// start starts the process, which ends with the transcript.
func (s *transcript) start(ts *testscript.TestScript) {
	program, err := exec.LookPath("roclua")
	ts.Check(err)
	s.process = exec.Command(program, invocations)
	s.process.Stderr = &s.stderr
	in, err := s.process.StdinPipe()
	ts.Check(err)
	out, err := s.process.StdoutPipe()
	ts.Check(err)
	s.requests, s.replies = gob.NewEncoder(in), gob.NewDecoder(out)
	ts.Check(s.process.Start())
	ts.Defer(func() {
		in.Close()
		if err := s.process.Wait(); err != nil {
			s.t.Errorf("the process of %s: %v: %s", ts.Name(), err, s.stderr.String())
		}
	})
}
