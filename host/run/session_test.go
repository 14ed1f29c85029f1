package run

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind/record"
)

// TestProgressOfSessions checks when and how a session shows its progress.
func TestProgressOfSessions(t *testing.T) {
	const terminal, file = true, false
	for _, test := range []struct {
		name      string
		stderr    bool
		variables map[string]string
		options   Options
		outs      []output.Output
		seconds   int
		want      string
	}{
		{"short", file, nil, Options{}, nil, 9, ""},
		{"long", file, nil, Options{}, nil, 25,
			"0/1 cases, 10s, 10s in lu[n=1]@cpu\n0/1 cases, 20s, 20s in lu[n=1]@cpu\n"},
		{"CI", terminal, map[string]string{"CI": "true"}, Options{}, nil, 15,
			"0/1 cases, 10s, 10s in lu[n=1]@cpu\n"},
		{"dumb", terminal, map[string]string{"TERM": "dumb"}, Options{}, nil, 15,
			"0/1 cases, 10s, 10s in lu[n=1]@cpu\n"},
		{"quiet", file, nil, Options{Quiet: true}, nil, 25, ""},
		{"quiet on a terminal", terminal, nil, Options{Quiet: true, Verbose: true}, nil, 25, ""},
		{"results are written to the same terminal", terminal, nil, Options{}, []output.Output{{Format: "jsonl"}},
			25, ""},
		{"verbose", file, nil, Options{Verbose: true}, nil, 1, "passed   lu[n=1]@cpu (0.25 s)\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &bytes.Buffer{}
				test.options.Outs = test.outs
				list := plan.List{{Case: result.Case{ID: "lu[n=1]@cpu", Scenario: "lu"}}}
				p := (&Session{Options: test.options, Process: Process{Stdout: s, Stderr: s, Now: time.Now,
					Getenv:           func(name string) string { return test.variables[name] },
					StderrIsTerminal: test.stderr, StdoutIsTerminal: test.stderr,
					StderrWidth: func() int { return 120 }}}).newProgress(list, 1, false)
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
