package events

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/internal/atomicfile"
	"roclua/luabind/record"
)

// selected returns the names of the scenarios that --rerun-failed selects.
func selected(f LastRun, p *plan.Plan) ([]string, error) {
	again, err := f.Select(p)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range again.Cases {
		names = append(names, c.Scenario)
	}
	return names, nil
}

func remember(f LastRun, results []*result.Result) {
	f.Remember(results)
}

func outcome(c *plan.Case, failed bool) *result.Result {
	r := &result.Result{Case: &c.Case, Record: &record.Record{}}
	if failed {
		r.Record.Problems = []string{"a leak"}
	}
	return r
}

// notRun returns the result of a case that --maxfail leaves out.
func notRun(c *plan.Case) *result.Result {
	return &result.Result{Case: &c.Case, Record: &record.Record{End: &record.End{Kind: record.EndStopped}}}
}

// TestLastRun remembers over several runs which cases failed when they last ran.
func TestLastRun(t *testing.T) {
	t.Chdir(t.TempDir())
	cache := filepath.Join(t.TempDir(), "cache")
	p := twoCases(t)
	cases := allOf(t, p)
	f := OpenLastRun(atomicfile.OS, cache)
	if _, err := selected(f, p); err == nil || exit.Of(err) != exit.Nothing {
		t.Errorf("before the first run: %v", err)
	}
	for _, step := range []struct {
		name string
		ran  []*result.Result
		want []string
	}{
		{"both fail", []*result.Result{outcome(cases[0], true), outcome(cases[1], true)}, []string{"a", "b"}},
		{"the first passes", []*result.Result{outcome(cases[0], false)}, []string{"b"}},
		{"the first fails", []*result.Result{outcome(cases[0], true)}, []string{"a", "b"}},
		{"no case runs", nil, []string{"a", "b"}},
		{"the second passes", []*result.Result{outcome(cases[1], false)}, []string{"a"}},
		{"the first fails, and the second does not begin", []*result.Result{outcome(cases[0], true),
			notRun(cases[1])}, []string{"a", "b"}},
		{"the first passes, and the second does not begin", []*result.Result{outcome(cases[0], false),
			notRun(cases[1])}, []string{"b"}},
		{"the first fails, and the second passes", []*result.Result{outcome(cases[0], true),
			outcome(cases[1], false)}, []string{"a"}},
	} {
		remember(f, step.ran)
		have, err := selected(OpenLastRun(atomicfile.OS, cache), p)
		if err != nil || !slices.Equal(have, step.want) {
			t.Errorf("%s: %v, %v, want %v", step.name, have, err, step.want)
		}
	}
	remember(f, []*result.Result{outcome(cases[0], false)})
	if have, err := selected(f, p); err == nil || exit.Of(err) != exit.Nothing {
		t.Errorf("every case passes: %v, %v", have, err)
	}
	t.Chdir(t.TempDir())
	if have, err := selected(OpenLastRun(atomicfile.OS, cache), p); err == nil {
		t.Errorf("in another folder: %v", have)
	}
}

// TestLastRunOfBrokenScripts remembers the case of a script that cannot be loaded. When it can be, its scenarios
// run.
func TestLastRunOfBrokenScripts(t *testing.T) {
	t.Chdir(t.TempDir())
	f := OpenLastRun(atomicfile.OS, t.TempDir())
	scenario := func(name string, broken *record.End) *plan.Scenario {
		return &plan.Scenario{Name: name, File: "solve.lua", Source: []byte("x"), Broken: broken,
			Declared: &record.Scenario{}}
	}
	planOf := func(list ...*plan.Scenario) *plan.Plan {
		p, err := plan.New(config.New("solve.lua"), list)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	broken := planOf(scenario("a", &record.End{}), scenario("b", nil))
	cases := allOf(t, broken)
	remember(f, []*result.Result{outcome(cases[0], true), outcome(cases[1], false)})
	for want, p := range map[string]*plan.Plan{
		"a": broken, "a/one": planOf(scenario("a/one", nil), scenario("c", nil)),
		"d": planOf(scenario("b", nil), scenario("d", &record.End{})),
	} {
		if have, err := selected(f, p); err != nil || !slices.Equal(have, []string{want}) {
			t.Errorf("%v, %v, want %s", have, err, want)
		}
	}
	one := planOf(scenario("a/one", nil), scenario("c", nil))
	remember(f, []*result.Result{outcome(allOf(t, one)[0], false)})
	if have, err := selected(f, one); err == nil {
		t.Errorf("after it passed: %v", have)
	}
}

// TestWithoutCache remembers nothing.
func TestWithoutCache(t *testing.T) {
	t.Chdir(t.TempDir())
	p := twoCases(t)
	f := OpenLastRun(atomicfile.OS, "")
	remember(f, []*result.Result{outcome(allOf(t, p)[0], true)})
	if have, err := selected(f, p); err == nil {
		t.Errorf("selected %v", have)
	}
	if files, err := os.ReadDir("."); err != nil || len(files) != 0 {
		t.Errorf("files %v, %v", files, err)
	}
}
