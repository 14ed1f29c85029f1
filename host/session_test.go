package host

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind/record"
)

// screen keeps what was written.
type screen struct {
	mu      sync.Mutex
	written bytes.Buffer
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.Write(b)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.String()
}

// world returns an environment that writes to a screen, with the clock of the bubble that a test runs in.
func world(s *screen, variables map[string]string) Env {
	return Env{Stdin: strings.NewReader(""), Stdout: s, Stderr: s,
		Getenv: func(name string) string { return variables[name] }, Now: time.Now, CPUs: 2,
		StderrIsTerminal: true, StderrWidth: func() int { return 120 }}
}

// TestProgressOfSessions checks when and how a session shows its progress.
func TestProgressOfSessions(t *testing.T) {
	const terminal, file = true, false
	for _, test := range []struct {
		name      string
		stderr    bool
		variables map[string]string
		options   runOptions
		outs      []output.Output
		seconds   int
		want      string
	}{
		{"short", file, nil, runOptions{}, nil, 9, ""},
		{"long", file, nil, runOptions{}, nil, 25,
			"0/1 cases, 10s, 10s in lu[n=1]@cpu\n0/1 cases, 20s, 20s in lu[n=1]@cpu\n"},
		{"CI", terminal, map[string]string{"CI": "true"}, runOptions{}, nil, 15,
			"0/1 cases, 10s, 10s in lu[n=1]@cpu\n"},
		{"dumb", terminal, map[string]string{"TERM": "dumb"}, runOptions{}, nil, 15,
			"0/1 cases, 10s, 10s in lu[n=1]@cpu\n"},
		{"quiet", file, nil, runOptions{quiet: true}, nil, 25, ""},
		{"quiet on a terminal", terminal, nil, runOptions{quiet: true, verbose: true}, nil, 25, ""},
		{"results are written to the same terminal", terminal, nil, runOptions{}, []output.Output{{Format: "jsonl"}},
			25, ""},
		{"verbose", file, nil, runOptions{verbose: true}, nil, 1, "passed   lu[n=1]@cpu (0.25 s)\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &screen{}
				env := world(s, test.variables)
				env.StderrIsTerminal, env.StdoutIsTerminal = test.stderr, test.stderr
				test.options.color = "auto"
				list := plan.List{{Case: result.Case{ID: "lu[n=1]@cpu", Scenario: "lu"}}}
				p := (&session{options: &test.options, env: env, outs: test.outs}).newProgress(list, 1, false)
				p.Start()
				p.Began(list[0])
				time.Sleep(time.Duration(test.seconds) * time.Second)
				synctest.Wait()
				p.Finished(&result.Result{Case: &list[0].Case, Record: &record.Record{Seconds: 0.25}})
				p.Stop()
				if have := s.String(); have != test.want {
					t.Errorf("wrote %q, want %q", have, test.want)
				}
			})
		})
	}
}
