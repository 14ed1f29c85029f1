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
