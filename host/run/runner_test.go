package run

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind/record"
)

// observer keeps the ids of the cases that began, and of those that finished.
type observer struct {
	mu              sync.Mutex
	began, finished []string
}

func (o *observer) Began(c *plan.Case) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.began = append(o.began, c.ID)
}

func (o *observer) Second(*plan.Case, record.Interval) {}

func (o *observer) Finished(r *result.Result) { o.finished = append(o.finished, r.ID) }

// scriptCase returns a case whose scenario runs some Lua code.
func scriptCase(id, body string) *plan.Case {
	source := "return { run = function(t) " + body + " end }"
	return &plan.Case{Case: result.Case{ID: id, Script: id + ".lua"}, Target: &config.New("").Targets[0],
		Faults: &config.Faults{}, Definition: &plan.Scenario{Source: []byte(source)}}
}

// TestRunner runs cases of all kinds in this process and in workers.
func TestRunner(t *testing.T) {
	for _, isolation := range []string{"case", "worker"} {
		for _, jobs := range []int{1, 2} {
			cfg := config.New("")
			cfg.Isolation = isolation
			skipped := scriptCase("skipped", "t:check(false)")
			skipped.Skip = "no reason"
			unreadable := scriptCase("unreadable", "")
			unreadable.Definition = &plan.Scenario{
				Broken: &record.End{Kind: record.EndScript, Message: "cannot be read"}}
			known := scriptCase("known", "t:check(true)")
			known.KnownFailure = "issue"
			cases := plan.List{scriptCase("passes", `print("text") t:metric("n", 3)`),
				scriptCase("fails", "t:check(false)"), skipped, unreadable, scriptCase("raises", "error('no')"), known}
			for i := range 30 {
				cases = append(cases, scriptCase(fmt.Sprint(i), fmt.Sprintf(`t:metric("i", %d)`, i)))
			}
			o, printed := &observer{}, &bytes.Buffer{}
			r := &Runner{Config: cfg, Jobs: jobs, Observer: o, Output: printed}
			results := r.Run(t.Context(), cases)
			var ids, outcomes []string
			for i, r := range results {
				ids = append(ids, cases[i].ID)
				if i < 6 {
					outcomes = append(outcomes, string(r.Outcome()))
				} else if m := r.Record.Metrics; len(m) != 1 || m[0].Value != int64(i-6) || !r.Record.Passed() {
					t.Errorf("case %d: %+v", i-6, r.Record)
				}
				if !r.HistoryMissing {
					t.Errorf("case %s has a history", r.ID)
				}
			}
			want := []string{"passed", "failed", "skipped", "error", "error", "failed"}
			if diff := cmp.Diff(want, outcomes); diff != "" {
				t.Errorf("%s, %d jobs (-want +have):\n%s", isolation, jobs, diff)
			}
			if have := results[5].Headline(); have != "it passes, but is listed as a known failure: issue" {
				t.Error(have)
			}
			if log := results[0].Record.Log; log != "text\n" || !strings.Contains(printed.String(), log) {
				t.Errorf("the log is %q, and %q is printed", log, printed)
			}
			slices.Sort(ids)
			slices.Sort(o.began)
			slices.Sort(o.finished)
			if !slices.Equal(o.began, ids) || !slices.Equal(o.finished, ids) {
				t.Errorf("%d cases began, %d finished", len(o.began), len(o.finished))
			}
		}
	}
}

// TestCasesAreSentAhead takes cases for a slot that is busy: the last cases are left to slots that are not.
func TestCasesAreSentAhead(t *testing.T) {
	for _, test := range []struct {
		count, slots int
		ahead        bool
		want         int // cases that are taken
	}{
		{20, 1, false, 20}, {20, 1, true, 20}, {20, 2, false, 20}, {20, 2, true, 4}, {17, 2, true, 1}, {16, 2, true, 0},
		{40, 3, true, 16}, {0, 1, false, 0}, {1, 1, true, 1}, {1, 2, false, 1},
	} {
		d, n := &dispenser{count: test.count, slots: test.slots}, 0
		for {
			i, ok := d.take(test.ahead)
			if !ok {
				break
			}
			if i != n {
				t.Errorf("case %d is taken after %d cases", i, n)
			}
			n++
		}
		if n != test.want {
			t.Errorf("%d of %d cases are taken for %d slots, ahead %t, want %d", n, test.count, test.slots, test.ahead,
				test.want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	cfg := config.New("none/config.toml")
	cfg.Targets = []config.Target{{Platform: "nvidia"}, {Platform: "cpu", Arch: "a"}, {Platform: "cpu", Arch: "b"}}
	e := NewEnvironment(cfg, 7)
	var names []string
	for _, p := range e.Platforms {
		names = append(names, p.Name)
		if p.Name == "cpu" && p.Devices != nil {
			t.Errorf("devices of the machine: %v", p.Devices)
		}
		for _, l := range p.Libraries {
			if l.Path == "" {
				t.Errorf("library %s was not opened", l.Name)
			}
		}
	}
	if diff := cmp.Diff([]string{"nvidia", "cpu"}, names); diff != "" || e.CPUs != 7 {
		t.Errorf("%d processors, %s", e.CPUs, diff)
	}
}
