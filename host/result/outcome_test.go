package result_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip/trace"
	"roclua/host/baseline"
	"roclua/host/exit"
	"roclua/host/result"
	"roclua/luabind"
	"roclua/luabind/record"
)

// outcomes are results of all kinds, with their properties.
func outcomes() []struct {
	name     string
	r        result.Result
	outcome  result.Outcome
	headline string
	fails    bool
} {
	failed := record.Record{Checks: []record.Check{{Passed: true},
		{Where: "a.lua:3", Text: "n", Have: "1", Want: "2"}}}
	changes := []baseline.Change{{Kind: baseline.More, Case: "a", Name: "x", Old: 1.0, New: 2.0},
		{Kind: baseline.More, Case: "a", Name: "y", Old: 1.0, New: 2.0}}
	known := &result.Case{KnownFailure: "issue"}
	ended := func(k record.EndKind) record.Record {
		return record.Record{End: &record.End{Kind: k, Message: "one\ntwo"}}
	}
	of := func(r record.Record) result.Result { return result.Result{Case: &result.Case{}, Record: &r} }
	with := func(r result.Result, change func(*result.Result)) result.Result { change(&r); return r }
	return []struct {
		name     string
		r        result.Result
		outcome  result.Outcome
		headline string
		fails    bool
	}{
		{"passed", of(record.Record{}), result.Passed, "", false},
		{"skipped", of(record.Record{Skipped: "slow"}), result.Skipped, "slow", false},
		{"skipped, but not before", with(of(record.Record{Skipped: "slow"}), func(r *result.Result) {
			r.Changes = changes[:1]
		}), result.Changed, "x: 1 -> 2 (+1)", true},
		{"skipped after a failed check", of(record.Record{Skipped: "slow", Checks: failed.Checks}), result.Failed,
			"a.lua:3: n: have 1, want 2", true},
		{"skipped, with a leak", of(record.Record{Skipped: "slow", Problems: []string{"leak"}}), result.Failed, "leak",
			true},
		{"a check", of(failed), result.Failed, "a.lua:3: n: have 1, want 2", true},
		{"problems", of(record.Record{Problems: []string{"leak\nof memory", "hazard"}}), result.Failed, "leak", true},
		{"two changes", with(of(record.Record{}), func(r *result.Result) { r.Changes = changes }), result.Changed,
			"x: 1 -> 2 (+1), and 1 more", true},
		{"not in the baseline", with(of(record.Record{}), func(r *result.Result) {
			r.Changes = []baseline.Change{{Kind: baseline.New, Case: "a"}}
		}), result.New, "the case is not in the baseline; roclua run --update adds it", true},
		{"a known failure", with(of(failed), func(r *result.Result) { r.Case = known }), result.KnownFailure, "issue",
			false},
		{"a known failure that reaches a limit",
			with(of(ended(record.EndLimit)), func(r *result.Result) { r.Case = known }), result.Limit,
			"one", true},
		{"a known failure that takes too long",
			with(of(ended(record.EndTimeout)), func(r *result.Result) { r.Case = known }), result.Timeout,
			"one", true},
		{"a known failure whose worker is killed", result.Result{Case: known, Record: &record.Record{End: &record.End{
			Kind: record.EndDied, Message: "was killed by signal 9 (killed)"}}}, result.Crashed,
			"the worker process was killed by signal 9 (killed)", true},
		{"a known failure that ends the process", result.Result{Case: known, Record: &record.Record{End: &record.End{
			Kind: record.EndDied, Message: "was killed by signal 6 (aborted)"}}}, result.KnownFailure, "issue", false},
		{"a known failure that passes", with(of(record.Record{}), func(r *result.Result) { r.Case = known }),
			result.Passed, "", false},
		{"a known failure that cannot run",
			with(of(ended(record.EndUnavailable)), func(r *result.Result) { r.Case = known }),
			result.Unavailable, "one", true},
		{"an error", of(ended(record.EndScript)), result.Error, "one", true},
		{"another error", of(ended(record.EndOther)), result.Error, "one", true},
		{"an abort", of(ended(record.EndAbort)), result.Failed,
			": : the library would abort the process here: one", true},
		{"a crash", of(ended(record.EndDied)), result.Crashed, "the worker process one", true},
		{"a timeout", of(ended(record.EndTimeout)), result.Timeout, "one", true},
		{"a limit", of(ended(record.EndLimit)), result.Limit, "one", true},
		{"an interrupt", of(ended(record.EndCanceled)), result.Interrupted, "interrupted", true},
		{"a lost case", of(ended(record.EndLost)), result.Lost, "one", true},
	}
}

func TestOutcomes(t *testing.T) {
	var all []*result.Result
	for _, test := range outcomes() {
		r := &test.r
		if r.Outcome() != test.outcome || r.Headline() != test.headline || r.FailsRun() != test.fails {
			t.Errorf("%s: %s, %q, fails %t", test.name, r.Outcome(), r.Headline(), r.FailsRun())
		}
		all = append(all, r)
	}
	want := result.Totals{Cases: 24, Passed: 2, NotPassed: 18, New: 1, Skipped: 1, Known: 2}
	if diff := cmp.Diff(want, result.Total(all)); diff != "" {
		t.Errorf("totals (-want +have):\n%s", diff)
	}
}

func TestExitCodes(t *testing.T) {
	changed := &result.Result{Case: &result.Case{}, Record: &record.Record{}, Changes: make([]baseline.Change, 1)}
	failed := &result.Result{Case: &result.Case{}, Record: &record.Record{Problems: []string{"leak"}}}
	script := ended(&luabind.Error{})
	good, bad := []record.Check{{Passed: true}}, []record.Check{{Passed: true}, {}}
	gone := make([]baseline.Change, 1)
	for i, test := range []struct {
		results []*result.Result
		overall []record.Check
		gone    []baseline.Change
		want    exit.Code
	}{
		{nil, nil, nil, exit.Pass}, {nil, good, nil, exit.Pass}, {nil, bad, nil, exit.Failed},
		{nil, bad, gone, exit.Failed}, {nil, good, gone, exit.Baseline},
		{[]*result.Result{changed}, nil, nil, exit.Baseline}, {[]*result.Result{changed}, bad, gone, exit.Failed},
		{[]*result.Result{changed}, good, gone, exit.Baseline}, {[]*result.Result{failed}, nil, gone, exit.Failed},
		{[]*result.Result{script}, bad, gone, exit.Script}, {[]*result.Result{changed, failed}, nil, nil, exit.Failed},
	} {
		if have := result.ExitCode(test.results, test.overall, test.gone); have != test.want {
			t.Errorf("run %d: exit code %d, want %d", i, have, test.want)
		}
	}
	for _, test := range []struct{ a, b, want result.Outcome }{
		{result.Failed, result.Internal, result.Internal}, {result.Internal, result.Failed, result.Internal},
		{result.Changed, result.Changed, result.Changed}, {result.Timeout, result.Error, result.Error},
		{result.Passed, result.Changed, result.Changed}, {result.Passed, result.Skipped, result.Passed},
	} {
		if have := result.MostSevere(test.a, test.b); have != test.want {
			t.Errorf("of %s and %s %s is the most severe", test.a, test.b, have)
		}
	}
}

// TestKnownFailures checks results twice as known failures, and undoes that.
func TestKnownFailures(t *testing.T) {
	const text = "it passes, but is listed as a known failure: issue"
	for _, test := range []struct {
		reason   string
		problems []string
		after    []string
		passed   bool // unexpectedly
		outcome  result.Outcome
	}{
		{"issue", nil, []string{text}, true, result.Failed},
		{"", nil, nil, false, result.Passed},
		{"issue", []string{"leak"}, []string{"leak"}, false, result.KnownFailure},
	} {
		r := &result.Result{Case: &result.Case{KnownFailure: test.reason},
			Record: &record.Record{Problems: test.problems}}
		r.CheckKnownFailure()
		r.CheckKnownFailure()
		if diff := cmp.Diff(test.after, r.Record.Problems); diff != "" || r.PassedUnexpectedly != test.passed ||
			r.Outcome() != test.outcome {
			t.Errorf("%s, %t, problems (-want +have):\n%s", r.Outcome(), r.PassedUnexpectedly, diff)
		}
		r.UncheckKnownFailure()
		r.UncheckKnownFailure()
		if len(r.Record.Problems) != len(test.problems) || r.PassedUnexpectedly {
			t.Errorf("problems %q after undoing %q", r.Record.Problems, test.after)
		}
	}
	r := &result.Result{Case: &result.Case{}, Record: &record.Record{}, PassedUnexpectedly: true}
	r.UncheckKnownFailure()
	r.PassedUnexpectedly, r.Record.Problems = true, []string{text, "leak"}
	r.UncheckKnownFailure()
	if len(r.Record.Problems) != 2 {
		t.Errorf("problems %q", r.Record.Problems)
	}
}

func TestNotes(t *testing.T) {
	for _, test := range []struct {
		injects  bool
		injected int
		problems []string
		want     string
	}{
		{false, 0, nil, ""}, {true, 1, nil, ""}, {true, 0, nil, "nothing was injected"},
		{true, 0, []string{"leak"}, ""},
	} {
		r := &result.Result{Case: &result.Case{InjectsFaults: test.injects},
			Record: &record.Record{Problems: test.problems,
				Stats: trace.Stats{Counts: trace.Counts{Injected: test.injected}}}}
		if have := r.Note(); have != test.want {
			t.Errorf("%+v: %q", test, have)
		}
	}
}

func TestLabels(t *testing.T) {
	for _, test := range []struct {
		c    result.Case
		want string
	}{
		{result.Case{Scenario: "solve"}, "solve"},
		{result.Case{Scenario: "solve", Params: map[string]any{"type": "d", "n": 64.0, "flag": true, "i": int64(3)}},
			"solve flag=true i=3 n=64 type=d"},
	} {
		if have := test.c.Label(); have != test.want {
			t.Errorf("%s, want %s", have, test.want)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		where, file string
		line        int
		ok          bool
	}{
		{"a.lua:12", "a.lua", 12, true}, {"c:/a.lua:3", "c:/a.lua", 3, true}, {"[expect]", "", 0, false},
		{":3", "", 0, false}, {"a:7", "a", 7, true}, {"a.lua:x", "a.lua", 0, false}, {"", "", 0, false},
	} {
		file, line, ok := result.ParsePlace(test.where)
		if file != test.file || line != test.line || ok != test.ok {
			t.Errorf("%s: %s, %d, %t", test.where, file, line, ok)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, test := range []struct {
		v            any
		short, exact string
	}{
		{1e21, "1e+21", "1e+21"}, {4732160.0, "4.73216e+06", "4732160"}, {-4732160.0, "-4.73216e+06", "-4732160"},
		{0.5, "0.5", "0.5"}, {1e-7, "1e-07", "1e-07"}, {2500000.5, "2.5000005e+06", "2.5000005e+06"},
		{0x1p53 - 1, "9.007199254740991e+15", "9007199254740991"},
		{0x1p53, "9.007199254740992e+15", "9.007199254740992e+15"},
		{int64(math.MaxInt64), "9223372036854775807", "9223372036854775807"}, {"text", "text", "text"},
		{true, "true", "true"}, {math.Inf(1), "+Inf", "+Inf"}, {math.NaN(), "NaN", "NaN"},
	} {
		short, exact := result.FormatValue(test.v), result.FormatExact(test.v)
		if short != test.short || exact != test.exact {
			t.Errorf("%v: %s and %s, want %s and %s", test.v, short, exact, test.short, test.exact)
		}
	}
}
