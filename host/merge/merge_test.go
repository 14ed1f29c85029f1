package merge

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind/record"
)

// TestMerge merges two shards. The third one did not run, so its case is lost.
func TestMerge(t *testing.T) {
	p := newRun(t, "a", "b", "c", "d", "e")
	p.write(t, attempt{file: "1", shard: 1, started: 100, seconds: 7, results: []*result.Result{p.ended(3, int64(30)),
		p.ended(0, int64(0))}},
		attempt{file: "2", shard: 2, started: 90, seconds: 9, results: []*result.Result{p.ended(4, "four"),
			p.endedBy(1, record.EndTimeout)}})
	m := p.open(t)
	have := p.results(t, m)
	want := []merged{{outcome: result.Passed, value: int64(0)}, {outcome: result.Timeout}, {outcome: result.Lost},
		{outcome: result.Passed, value: int64(30)}, {outcome: result.Passed, value: "four"}}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("the results are %v, want %v", have, want)
	}
	p.expect(t, m)
	if len(m.Cases) != 5 || m.Config == nil || m.Config.Seed != p.plan.Config.Seed || m.Whole != p.plan.IsWhole() {
		t.Errorf("%d cases, whole: %v, configuration %v", len(m.Cases), m.Whole, m.Config)
	}
	err := m.Each(func(i int, c *plan.Case, r *result.Result) error {
		if i == 2 && (r.Record.End.Message != "no shard has run the case" || !r.HistoryMissing ||
			!r.Started.Equal(time.Unix(100, 0))) {
			t.Errorf("the lost case is %+v", r)
		}
		return nil
	})
	noError(t, err)
}

// TestShards describes the attempts, sorted by shard and then by their start, and the time of all.
func TestShards(t *testing.T) {
	p := newRun(t, "a", "b", "c")
	p.write(t, attempt{file: "x", shard: 2, started: 2000, seconds: 8, results: []*result.Result{p.ended(1, "b")}},
		attempt{file: "y", shard: 1, started: 3000, seconds: 1},
		attempt{file: "z", shard: 1, started: 900, results: []*result.Result{p.ended(0, "a"), p.ended(2, "c")}},
		attempt{file: "w", shard: 1, started: 950, results: []*result.Result{p.ended(0, "a")}})
	p.edit(t, "w", func(lines []string) []string { return lines[:1] })
	m := p.open(t)
	type shown struct {
		file, shard string
		cases       int
		ended       bool
	}
	var have []shown
	for _, s := range m.Shards() {
		have = append(have, shown{strings.TrimSuffix(filepath.Base(s.File), ".jsonl"), s.Shard, s.Cases, s.Ended})
	}
	want := []shown{{"z", "1/9", 2, false}, {"w", "1/9", 0, false}, {"y", "1/9", 0, true}, {"x", "2/9", 1, true}}
	if !slices.Equal(have, want) {
		t.Errorf("the attempts are %v, want %v", have, want)
	}
	if started, elapsed := m.Time(); !started.Equal(time.Unix(900, 0)) || elapsed != 2101*time.Second {
		t.Errorf("the run began at %s and took %s", started, elapsed)
	}
	for i, until := range []int64{1003, 950, 3001, 2008} {
		if f := m.Files[i]; !f.Until().Equal(time.Unix(until, 0)) {
			t.Errorf("%s ended at %s, want %d s", f.Path, f.Until(), until)
		}
	}
}

// TestTime takes the earliest start and the last end. A run whose clock went backwards took no time.
func TestTime(t *testing.T) {
	p := newRun(t, "a")
	p.write(t, attempt{file: "1", started: 5000, results: []*result.Result{p.ended(0, "a")}}) // it began at 1000 s
	if started, elapsed := p.open(t).Time(); !started.Equal(time.Unix(5000, 0)) || elapsed != 0 {
		t.Errorf("the run began at %s and took %s", started, elapsed)
	}
	p.write(t, attempt{file: "1", started: 500, seconds: 1.5}, attempt{file: "2", started: 500, seconds: 0.25})
	if _, elapsed := p.open(t).Time(); elapsed != 1500*time.Millisecond {
		t.Errorf("the run took %s", elapsed)
	}
}

// TestAttempts merges several results of one case.
func TestAttempts(t *testing.T) {
	p := newRun(t, "a")
	passed := func() *result.Result { return p.ended(0, int64(7)) }
	slower := passed()
	slower.Record.Seconds, slower.Started = 99, time.Unix(5000, 0)
	leak := passed()
	leak.Record.Problems = []string{"a leak"}
	other := passed()
	other.Record.Problems = []string{"another leak"}
	check := func(passed bool) *result.Result {
		r := leak.Record
		return &result.Result{Case: leak.Case, Started: leak.Started, Record: &record.Record{Problems: r.Problems,
			Metrics: r.Metrics, Checks: []record.Check{{Where: "a.lua:1", Text: "n", Passed: passed}}}}
	}
	both := merged{outcome: result.Passed, value: int64(7)}
	leaked := merged{outcome: result.Failed, value: int64(7), problems: []string{"a leak"}}
	conflict := func(of merged, text string) merged {
		of.outcome = result.Failed
		of.problems = append(slices.Clone(of.problems), "1.jsonl and 2.jsonl have different results of the case: "+text)
		return of
	}
	for name, test := range map[string]struct {
		first, second *result.Result
		want          merged
	}{
		"the same line":         {passed(), passed(), both},
		"another time":          {passed(), slower, both},
		"interrupted, then run": {p.endedBy(0, record.EndCanceled), passed(), both},
		"run, then interrupted": {passed(), p.endedBy(0, record.EndCanceled), both},
		"interrupted twice": {p.endedBy(0, record.EndCanceled), p.endedBy(0, record.EndCanceled),
			merged{outcome: result.Interrupted}},
		"lost, then run": {p.endedBy(0, record.EndLost), passed(), both},
		"run, then lost": {passed(), p.endedBy(0, record.EndLost), both},
		"lost twice": {p.endedBy(0, record.EndLost), p.endedBy(0, record.EndLost),
			merged{outcome: result.Lost}},
		"another value":       {passed(), p.ended(0, int64(8)), conflict(both, "value: 7 -> 8 (+1)")},
		"another outcome":     {leak, passed(), conflict(leaked, "failed and passed")},
		"another problem":     {leak, other, conflict(leaked, "different problems")},
		"the same problem":    {leak, leak, leaked},
		"a check that failed": {leak, check(false), conflict(leaked, "different problems")},
		"a check that passed": {leak, check(true), leaked},
		"another end and no value": {p.endedBy(0, record.EndTimeout), passed(),
			merged{outcome: result.Timeout, problems: []string{"1.jsonl and 2.jsonl have different results of the " +
				"case: timeout and passed; value: new, 7"}}},
	} {
		p.folder = t.TempDir()
		p.write(t, attempt{file: "1", results: []*result.Result{test.first}},
			attempt{file: "2", started: 1, results: []*result.Result{test.second}})
		m := p.open(t)
		have := p.results(t, m)[0]
		for i := range have.problems {
			have.problems[i] = strings.ReplaceAll(have.problems[i], p.folder+string(filepath.Separator), "")
		}
		if !reflect.DeepEqual(have, test.want) {
			t.Errorf("%s: %v, want %v", name, have, test.want)
		}
		p.expect(t, m)
	}
}

// TestThreeAttempts merges three results of each case; two of them are in one file.
func TestThreeAttempts(t *testing.T) {
	p := newRun(t, "a", "b")
	p.write(t, attempt{file: "1", results: []*result.Result{p.endedBy(0, record.EndCanceled), p.ended(1, "b"),
		p.ended(0, "a")}}, attempt{file: "2", started: 1, results: []*result.Result{p.ended(0, "a"),
		p.ended(1, "b"), p.ended(1, "x")}})
	m := p.open(t)
	have := p.results(t, m)
	if have[0].outcome != result.Passed || have[0].value != "a" || len(have[0].problems) != 0 {
		t.Errorf("the first case is %v", have[0])
	}
	if have[1].outcome != result.Failed || have[1].value != "b" || len(have[1].problems) != 1 {
		t.Errorf("the second case is %v", have[1])
	}
}

// TestKnownFailures merges cases that are known to fail. One of them passed, which the report of the merge judges
// again.
func TestKnownFailures(t *testing.T) {
	p := newRun(t, "known1", "known2")
	passed, failed := p.ended(0, "a"), p.endedBy(1, record.EndScript)
	passed.CheckKnownFailure()
	failed.CheckKnownFailure()
	if passed.Outcome() != result.Failed || failed.Outcome() != result.KnownFailure {
		t.Fatalf("the outcomes are %s and %s", passed.Outcome(), failed.Outcome())
	}
	p.write(t, attempt{file: "1", results: []*result.Result{passed, failed}})
	want := []merged{{outcome: result.Passed, value: "a"}, {outcome: result.KnownFailure}}
	have := p.results(t, p.open(t))
	if !reflect.DeepEqual(have, want) {
		t.Errorf("%v, want %v", have, want)
	}
}

// TestModules reports a module that changed between two cases.
func TestModules(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{{"1", "1", true}, {"1", "2", false}, {"", "2", false}, {"", "", true}} {
		p := newRun(t, "a", "b", "c")
		p.write(t, attempt{file: "1", shard: 1, results: []*result.Result{p.ended(0, "a"), p.ended(1, "b")}},
			attempt{file: "2", shard: 2, results: []*result.Result{p.ended(2, "c")}})
		p.replace(t, "1", 2, `"hip":`, `"required":{"other.lua":"1","lib.lua":"`+test.a+`"},"hip":`)
		p.replace(t, "2", 1, `"hip":`, `"required":{"lib.lua":"`+test.b+`"},"hip":`)
		_, err := Open(t.Context(), []string{p.folder}, "v1")
		want := "the events are of different runs:\n  lib.lua: has changed\nwas in " + p.path("1") + ", is in " +
			p.path("2")
		if test.same && err != nil || !test.same && (err == nil || err.Error() != want) {
			t.Errorf("%q and %q: %v", test.a, test.b, err)
		}
	}
}

// TestDevices warns once about shards that ran on different devices or with different libraries.
func TestDevices(t *testing.T) {
	on := func(device, arch, library, version string) *record.Environment {
		return &record.Environment{Platforms: []record.Platform{{Name: "amd",
			Devices:   []record.Device{{Name: device, Arch: arch}},
			Libraries: []record.Library{{Name: library, Version: version}}}}}
	}
	big := on("MI300X", "gfx942", "rocBLAS", "4.0")
	for _, test := range []struct {
		environments []*record.Environment
		want         string // "" for no warning
	}{
		{[]*record.Environment{big, big, big}, ""},
		{[]*record.Environment{nil, nil}, ""},
		{[]*record.Environment{nil, {}}, ""},
		{[]*record.Environment{big, on("MI300X", "gfx942", "rocBLAS", "4.1"), nil},
			"MI300X (gfx942), rocBLAS 4.0 in 1.jsonl, MI300X (gfx942), rocBLAS 4.1 in 2.jsonl"},
		{[]*record.Environment{big, big, on("MI300X", "gfx90a", "rocBLAS", "4.0")},
			"MI300X (gfx942), rocBLAS 4.0 in 1.jsonl, MI300X (gfx90a), rocBLAS 4.0 in 3.jsonl"},
		{[]*record.Environment{big, nil}, "MI300X (gfx942), rocBLAS 4.0 in 1.jsonl, none in 2.jsonl"},
		{[]*record.Environment{{}, big}, "none in 1.jsonl, MI300X (gfx942), rocBLAS 4.0 in 2.jsonl"},
		{[]*record.Environment{on("MI300X", "gfx942", "rocBLAS", ""), on("MI300X", "gfx942", "hipBLAS", "")}, ""},
	} {
		p := newRun(t, "a")
		for i, e := range test.environments {
			p.write(t, attempt{file: string(rune('1' + i)), shard: i + 1, environment: e})
		}
		m := p.open(t)
		if test.want == "" {
			p.expect(t, m)
		} else {
			p.expect(t, m, "the shards ran on different devices: "+test.want)
		}
	}
}

// TestManyCases delivers cases of several files with lines of many lengths, in the order of the plan.
func TestManyCases(t *testing.T) {
	p := newRun(t, scenarios(200)...)
	byShard := make([][]*result.Result, 3)
	for i := range p.cases {
		r := p.ended(i, int64(i))
		if i%20 == 0 {
			r.Record.Log = strings.Repeat("long ", 30_000)
		}
		byShard[i%3] = append(byShard[i%3], r)
	}
	for i, results := range byShard {
		slices.Reverse(results)
		p.write(t, attempt{file: string(rune('1' + i)), shard: i + 1, results: results, seconds: 1})
	}
	m := p.open(t)
	for i, r := range p.results(t, m) {
		if r.outcome != result.Passed || r.value != int64(i) {
			t.Errorf("case %d is %v", i, r)
		}
	}
	p.expect(t, m)
	stop, seen := errors.New("stop"), 0
	err := p.open(t).Each(func(i int, _ *plan.Case, _ *result.Result) error {
		if seen++; i == 70 {
			return stop
		}
		return nil
	})
	if err != stop || seen != 71 {
		t.Errorf("%v after %d cases", err, seen)
	}
}

// TestPaths opens files and folders, and each file once.
func TestPaths(t *testing.T) {
	p := newRun(t, "a", "b")
	deep := filepath.Join(p.folder, "deep", "er")
	noError(t, os.MkdirAll(deep, 0o755))
	noError(t, os.Mkdir(filepath.Join(p.folder, "folder.jsonl"), 0o755))
	noError(t, os.WriteFile(filepath.Join(p.folder, "notes.txt"), []byte("text"), 0o600))
	p.write(t, attempt{file: "1", shard: 1}, attempt{file: "deep/er/2", shard: 2})
	one, two := p.path("1"), p.path("deep/er/2")
	for _, test := range []struct{ paths, want []string }{
		{[]string{p.folder}, []string{one, two}}, {[]string{deep}, []string{two}}, {[]string{one}, []string{one}},
		{[]string{two, one, p.folder, deep}, []string{one, two}},
	} {
		m, err := Open(t.Context(), test.paths, "v1")
		noError(t, err)
		var have []string
		for _, f := range m.Files {
			have = append(have, f.Path)
		}
		if !slices.Equal(have, test.want) || len(m.Warnings) != 0 {
			t.Errorf("%q: opened %q (%q), want %q", test.paths, have, m.Warnings, test.want)
		}
		m.Close()
	}
	missing, empty := filepath.Join(p.folder, "missing"), t.TempDir()
	for path, want := range map[string]string{missing: "the events cannot be read: ",
		empty: empty + ": the folder has no files *.jsonl"} {
		if _, err := Open(t.Context(), []string{one, path}, "v1"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Open(t.Context(), nil, "v1"); err == nil || err.Error() != "there are no events to merge" {
		t.Errorf("no paths: %v", err)
	}
}
