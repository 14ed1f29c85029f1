package watch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind/record"
)

// session is a loop in a temporary folder. The test changes files and lets the loop look, so that nothing waits, and
// decides what the cases are and how they end.
type session struct {
	t      *testing.T
	loop   *Loop
	clock  time.Time // of the next change
	stderr strings.Builder

	cases    []*plan.Case
	required map[string][]string // modules that a case requires, by its id
	failed   map[string]bool     // ids of the cases that fail
	planErr  error               // of the next plans
	runErr   error               // of the next runs
	noResult bool                // the next runs cannot begin
	during   func()              // happens during the next run; may be nil

	plans int      // how often the cases were listed
	ran   []string // ids of the cases of the last run; nil when there was none
}

// newSession starts a loop whose arguments are names. It has no cases yet.
func newSession(t *testing.T, names ...string) *session {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	noError(t, err)
	t.Chdir(folder)
	s := &session{t: t, required: map[string][]string{}, failed: map[string]bool{}, clock: time.Now().Add(-time.Hour)}
	s.loop = &Loop{Names: names, Stderr: &s.stderr, Plan: s.plan, Execute: s.execute}
	s.loop.changed, s.loop.all = map[string]bool{}, true
	return s
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	noError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	noError(t, os.WriteFile(path, []byte("text"), 0o600))
}

// add adds a case of a script.
func (s *session) add(id, script string) *plan.Case {
	c := &plan.Case{Case: result.Case{ID: id, Script: script},
		Definition: &plan.Scenario{File: script, Declared: &record.Scenario{}}}
	s.cases = append(s.cases, c)
	return c
}

func (s *session) plan() ([]*plan.Case, error) {
	s.plans++
	return slices.Clone(s.cases), s.planErr
}

func (s *session) execute(cases []*plan.Case, kept map[string]*result.Result) ([]*result.Result, error) {
	s.ran = []string{}
	if s.during != nil {
		s.during()
		s.during = nil
	}
	var results []*result.Result
	for _, c := range cases {
		r := kept[c.ID]
		if r == nil {
			s.ran = append(s.ran, c.ID)
			r = &result.Result{Case: &c.Case, Record: &record.Record{Required: s.required[c.ID]}}
			if s.failed[c.ID] {
				r.Record.Problems = []string{"a leak"}
			}
		}
		results = append(results, r)
	}
	if s.noResult {
		return nil, s.runErr
	}
	return results, s.runErr
}

// round lists the cases and runs those that changes affect. It compares what was said, and which cases ran: nil if
// there was not a run, and an empty list for a run that only reports.
func (s *session) round(said string, ran ...string) {
	s.t.Helper()
	s.ran = nil
	s.stderr.Reset()
	s.loop.replan()
	s.loop.rerun(s.t.Context())
	if have := s.stderr.String(); have != said {
		s.t.Errorf("said %q, want %q", have, said)
	}
	if !slices.Equal(s.ran, ran) || (s.ran == nil) != (ran == nil) {
		s.t.Errorf("after %q ran %q, want %q", said, s.ran, ran)
	}
}

// change changes files, at least one of them a file of the run, and lets the loop look.
func (s *session) change(paths ...string) {
	s.t.Helper()
	for _, path := range paths {
		s.put(path)
	}
	if !s.loop.look(time.Time{}) {
		s.t.Errorf("no change of %q was found", paths)
	}
}

// put writes a file. Each write has another time, which has passed.
func (s *session) put(path string) {
	s.t.Helper()
	write(s.t, path)
	s.clock = s.clock.Add(time.Second)
	noError(s.t, os.Chtimes(path, time.Time{}, s.clock))
}
