package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip/trace"
	"roclua/host/config"
	"roclua/luabind/record"
)

// expectations parses expectations as a table of the configuration has them.
func expectations(t *testing.T, where string, texts map[string]string) []Expectation {
	t.Helper()
	list, err := parseExpectations(sources(texts, where))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestExpectationsOfACase(t *testing.T) {
	list := expectations(t, "solve.lua", map[string]string{"residual": "< 1e-10", "hip.malloc": "== 0", "max(n)": "< 1",
		"residul": "< 1", "bytes": "< 100000000"})
	metrics := []record.Metric{{Name: "residual", Value: 0.5}, {Name: "bytes", Value: int64(4732160)}}
	for _, test := range []struct {
		name string
		r    record.Record
		want []record.Check
	}{
		{"values", record.Record{Metrics: metrics}, []record.Check{
			{Text: "expect bytes < 100000000", Where: "solve.lua", Passed: true, Have: "4732160", Want: "< 100000000"},
			{Text: "expect hip.malloc == 0", Where: "solve.lua", Passed: true, Have: "0", Want: "== 0"},
			{Text: "expect residual < 1e-10", Where: "solve.lua", Have: "0.5", Want: "< 1e-10"},
			{Text: "expect residul < 1", Where: "solve.lua",
				Have: `no value of that name, did you mean "residual"?`, Want: "< 1"}}},
		{"a skipped case", record.Record{Metrics: metrics, Skipped: "no reason"}, nil},
		{"a case that ended early", record.Record{Metrics: metrics, End: &record.End{}}, nil},
	} {
		Check(list, &test.r)
		if diff := cmp.Diff(test.want, test.r.Checks); diff != "" {
			t.Errorf("%s (-want +have):\n%s", test.name, diff)
		}
	}
}

// TestTimesInExpectations compares metrics with times, which are seconds.
func TestTimesInExpectations(t *testing.T) {
	list := expectations(t, "", map[string]string{"a": "< 5ms", "b": "< 5ms", "c": "< 5ms", "d": "< 5ms"})
	r := record.Record{Metrics: []record.Metric{{Name: "a", Value: 0.004, Unit: "s"}, {Name: "b", Value: 0.004},
		{Name: "c", Value: 0.006, Unit: "s"}, {Name: "d", Value: 0.0, Unit: "bytes"}}}
	Check(list, &r)
	want := []record.Check{{Text: "expect a < 5ms", Passed: true, Have: "0.004", Want: "< 5ms"},
		{Text: "expect b < 5ms", Passed: true, Have: "0.004", Want: "< 5ms"},
		{Text: "expect c < 5ms", Have: "0.006", Want: "< 5ms"},
		{Text: "expect d < 5ms", Have: "0 bytes, which is not a time", Want: "< 5ms"}}
	if diff := cmp.Diff(want, r.Checks); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
}

func TestWrongExpectations(t *testing.T) {
	for _, test := range []struct {
		name, is, want string
	}{
		{"median(x", "< 1", `[expect]: expect: "median(x" is neither a metric nor FUNCTION(metric)`},
		{"average(x)", "< 1", `[expect]: expect: "average(x)": unknown function "average" (have ` +
			`count, max, mean, median, min, p50, p90, p95, p99, sum)`},
		{"x", "under 1", `[expect]: expect: x: "under 1": column 1: want a comparison such as "< 1e-10" or ` +
			`"== 64" (<= >= == != < >)`},
	} {
		cfg := config.New("s.lua")
		cfg.Expect = map[string]string{test.name: test.is}
		_, err := NewOverall(cfg)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %s: %v, want %s", test.name, test.is, err, test.want)
		}
		sc := scenarioOf()
		sc.Settings.Expect = cfg.Expect
		if _, err := New(config.New("s.lua"), []*Scenario{sc}); err == nil {
			t.Errorf("%s: %s is an expectation of a scenario", test.name, test.is)
		}
	}
}

// TestExpectationsOverCases adds four cases of two scenarios.
func TestExpectationsOverCases(t *testing.T) {
	one := &Space{Scenario: "one", expectations: append(
		expectations(t, "one.lua", map[string]string{"max(n)": "< 5", "n": "> 0", "sum(hip.malloc)": "== 3"}),
		expectations(t, ofRun, map[string]string{"min(n)": "> 100"})...)}
	two := &Space{Scenario: "two", expectations: expectations(t, "two.lua", map[string]string{"max(residul)": "< 5"})}
	three := &Space{Scenario: "three"}
	for _, test := range []struct {
		name   string
		run    map[string]string
		wanted []bool // of the cases of the three scenarios, and of a case without one
		want   []record.Check
	}{
		{"the run and scenarios", map[string]string{"count(n)": "== 3", "n": "< 0"}, []bool{true, true, true, true},
			[]record.Check{
				{Text: "expect count(n) == 3 of all cases", Where: ofRun, Passed: true, Have: "3", Want: "== 3"},
				{Text: "expect max(n) < 5 of one", Where: "one.lua", Have: "7", Want: "< 5"},
				{Text: "expect sum(hip.malloc) == 3 of one", Where: "one.lua", Passed: true, Have: "3", Want: "== 3"},
				{Text: "expect max(residul) < 5 of two", Where: "two.lua", Want: "< 5",
					Have: `no case has a value of that name, did you mean "residual"?`}}},
		{"scenarios", map[string]string{"n": "< 0"}, []bool{true, true, false, false}, []record.Check{
			{Text: "expect max(n) < 5 of one", Where: "one.lua", Have: "7", Want: "< 5"},
			{Text: "expect sum(hip.malloc) == 3 of one", Where: "one.lua", Passed: true, Have: "3", Want: "== 3"},
			{Text: "expect max(residul) < 5 of two", Where: "two.lua", Want: "< 5",
				Have: `no case has a value of that name, did you mean "residual"?`}}},
	} {
		cfg := config.New("s.lua")
		cfg.Expect = test.run
		o, err := NewOverall(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for i, sp := range []*Space{one, two, three, nil} {
			if have := o.Wants(sp); have != test.wanted[i] {
				t.Errorf("%s: values of space %d are wanted: %t", test.name, i, have)
			}
		}
		add := func(sp *Space, n any, r record.Record) {
			r.Metrics = []record.Metric{{Name: "n", Value: n}, {Name: "residual", Value: 1.0}}
			o.Add(sp, "id", &r)
		}
		add(one, 7.0, record.Record{Stats: trace.Stats{Counts: trace.Counts{Calls: map[string]int{"hipMalloc": 1}}}})
		add(one, 9.0, record.Record{Skipped: "no reason"})
		add(one, 11.0, record.Record{End: &record.End{}})
		counts := trace.Counts{Calls: map[string]int{"hipMalloc": 2}}
		add(one, int64(2), record.Record{Stats: trace.Stats{Counts: counts}})
		add(two, 4.0, record.Record{})
		if diff := cmp.Diff(test.want, o.Checks()); diff != "" {
			t.Errorf("%s (-want +have):\n%s", test.name, diff)
		}
	}
	cfg := config.New("s.lua")
	cfg.Expect = map[string]string{"count(n)": "== 1"}
	o, _ := NewOverall(cfg)
	o.Add(nil, "id", &record.Record{Metrics: []record.Metric{{Name: "n", Value: 1.0}}})
	if checks := o.Checks(); len(checks) != 1 || !checks[0].Passed {
		t.Errorf("an expectation of the run alone: %+v", checks)
	}
}

// TestRequiredNames has tolerances and choices of metrics whose values no case has.
func TestRequiredNames(t *testing.T) {
	enterProject(t, `
-- c.toml --
[tolerance]
sum = "1%"
"hip.malloc" = "1%"
bites = "1%"
[[scenario]]
script = "a.lua"
tolerance = { summ = "1%" }
matrix = { n = [1, 2] }
[[scenario]]
script = "b.lua"
-- a.lua --
return { params = { n = 1 }, run = function(t) end }
-- b.lua --
return { metrics = { total = "max", bytes = "max" }, run = function(t) end }
`)
	const have = "no case has a value of that name"
	bites := record.Check{Text: `tolerance: value "bites" of all cases`, Where: "c.toml:4:1", Want: "a value of a case",
		Have: have + `, did you mean "bytes"?`}
	summ := record.Check{Text: `tolerance: value "summ" of a`, Where: "c.toml:6:1", Want: "a value of a case",
		Have: have + `, did you mean "sum"?`}
	total := record.Check{Text: `metrics: value "total" of b`, Where: "b.lua", Want: "a value of a case",
		Have: have + `; there are "hip.total", "syncs.total"`}
	for _, test := range []struct {
		selection Selection
		whole     bool
		last      record.Record // of the last case
		want      []record.Check
	}{
		{Selection{}, true, record.Record{}, []record.Check{bites, summ, total}},
		{Selection{}, false, record.Record{}, []record.Check{summ, total}},
		{Selection{Filter: "n=1"}, false, record.Record{}, nil},
		{Selection{Filter: "b"}, false, record.Record{}, []record.Check{total}},
		{Selection{Axes: []string{"n=1"}}, false, record.Record{}, []record.Check{total}},
		{Selection{}, true, record.Record{Skipped: "slow"}, []record.Check{summ}},
		{Selection{}, true, record.Record{End: &record.End{}}, []record.Check{summ}},
	} {
		p, err := test.selection.Plan(t.Context(), testInput(""), []string{"c.toml"})
		if err != nil {
			t.Fatal(err)
		}
		o, err := NewOverall(p.Config)
		if err != nil {
			t.Fatal(err)
		}
		o.RequireNames(p.Config, p.Cases, test.whole)
		for _, c := range p.Cases {
			r := record.Record{Metrics: []record.Metric{{Name: "sum", Value: 1.0}}}
			if c.Scenario == "b" {
				r = test.last
				r.Metrics = []record.Metric{{Name: "bytes", Value: 1.0}}
			}
			o.Add(c.Space, c.ID, &r)
		}
		if diff := cmp.Diff(test.want, o.Checks()); diff != "" {
			t.Errorf("%+v, whole: %t (-want +have):\n%s", test.selection, test.whole, diff)
		}
		if test.want == nil && o.Wants(p.Cases[0].Space) {
			t.Errorf("%+v: values are still wanted", test.selection)
		}
	}
}

// TestUnusedParams sets parameters that no scenario has.
func TestUnusedParams(t *testing.T) {
	enterProject(t, `
-- c.toml --
[params]
n = 4
nn = 5
[[scenario]]
script = "a.lua"
-- d.toml --
[params]
nn = 5
[[scenario]]
script = "broken.lua"
-- e.toml --
[[scenario]]
script = "a.lua"
-- f.toml --
[[scenario]]
script = "b.lua"
-- a.lua --
return { params = { n = 1 }, run = function(t) end }
-- b.lua --
return { params = { m = 1 }, run = function(t) end }
-- broken.lua --
return {
`)
	const wrong = `params: no scenario has a parameter "nn", did you mean "n"?`
	for _, test := range []struct {
		selection Selection
		args      []string
		want      string
	}{
		{Selection{}, []string{"c.toml"}, "c.toml:3:1: " + wrong},
		{Selection{Filter: "x"}, []string{"a.lua", "c.toml"}, "c.toml:3:1: " + wrong},
		{Selection{Set: []string{"params.nn=6"}}, []string{"e.toml"}, "--set params.nn=6: " + wrong},
		{Selection{Set: []string{"params.m=5"}}, []string{"e.toml", "f.toml"}, ""},
		{Selection{}, []string{"d.toml"}, ""},
	} {
		have := ""
		if _, err := test.selection.Plan(t.Context(), testInput(""), test.args); err != nil {
			have = err.Error()
		}
		if have != test.want {
			t.Errorf("%+v %q: %s, want %s", test.selection, test.args, have, test.want)
		}
	}
}
