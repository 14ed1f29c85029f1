package events

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/host/plan"
	"roclua/host/result"
	"roclua/internal/atomicfile"
	"roclua/luabind/record"
)

// TestChanges describes how plans differ, by keys of the configuration, files and arguments.
func TestChanges(t *testing.T) {
	before := &Identity{Config: map[string]any{"seed": 1, "jobs": 1, "isolation": "case", "gone": true,
		"list": []any{1, map[string]any{"n": 2}}, "same": "x"},
		Files: map[string]string{"a.lua": "1", "b.lua": "2", "c.lua": "", "d.lua": "4", "e.lua": "5"}}
	after := &Identity{Config: map[string]any{"seed": 9, "jobs": 8, "isolation": "none",
		"list": []any{1, map[string]any{"n": 3}, "new"}, "same": "x"}, Args: []string{"x"},
		Files: map[string]string{"a.lua": "1", "b.lua": "3", "c.lua": "3", "d.lua": "", "f.lua": "6"}}
	want := []string{"gone: was true, is not set", "list[1].n: was 2, is 3", `list[2]: was not set, is "new"`,
		"seed: was 1, is 9", "b.lua: has changed", "c.lua: is new", "d.lua: is gone", "e.lua: is gone", "f.lua: is new",
		`arguments of scripts: were [], are ["x"]`}
	have, err := after.Changes(before)
	if err != nil || !slices.Equal(have, want) {
		t.Errorf("%q, %v", have, err)
	}
	if have, err := after.Changes(after); err != nil || len(have) != 0 {
		t.Errorf("no change: %q, %v", have, err)
	}
}

// TestDifferentCases resumes runs whose plans differ from the file only in their cases.
func TestDifferentCases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	p := twoCases(t)
	for _, l := range started(t, path, p).list {
		l.Close()
	}
	id, err := Identify(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	other := *id
	other.Digest = "other"
	for n, want := range map[int]string{2: "cases: others are selected", 1: "cases: were 2, are 1"} {
		_, err := Resume(atomicfile.OS, path, planned("v1", &other, allOf(t, p)[:n]))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "more") {
			t.Errorf("%d cases: %v", n, err)
		}
	}
	for _, more := range []int{0, 1, 5} {
		other.Files = map[string]string{"solve.lua": id.Files["solve.lua"]}
		for i := range 10 + more {
			other.Files[fmt.Sprintf("%02d.lua", i)] = "x"
		}
		_, err := Resume(atomicfile.OS, path, planned("v1", &other, allOf(t, p)))
		if err == nil || strings.Count(err.Error(), "is new") != 10 ||
			strings.Contains(err.Error(), fmt.Sprintf("and %d more", more)) != (more > 0) {
			t.Errorf("%d more: %v", more, err)
		}
	}
}

// TestChangedModules resumes a run after the modules that its cases loaded have changed.
func TestChangedModules(t *testing.T) {
	folder := t.TempDir()
	path, module := filepath.Join(folder, "run.jsonl"), filepath.Join(folder, "lib.lua")
	p := twoCases(t)
	for _, sc := range p.Definitions() {
		sc.SearchPaths = []string{folder}
	}
	id, err := Identify(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	cases := allOf(t, p)
	write := func(text string) {
		if err := os.WriteFile(module, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ first, second, now, want string }{
		{"1", "1", "1", ""}, {"1", "1", "2", "has changed"}, {"1", "2", "1", "has changed"},
		{"1", "2", "2", "has changed"}, {"1", "1", "", "has changed"},
	} {
		logs, err := Open(Options{Files: []string{path}}, Begin{Version: "v1", Plan: id}, cases)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range []string{test.first, test.second} {
			write(text)
			logs.Finished(&result.Result{Case: &cases[i].Case, Record: &record.Record{Required: []string{module}}})
		}
		for _, l := range logs.list {
			l.Close()
		}
		write(test.now)
		r, err := Resume(atomicfile.OS, path, planned("v1", id, cases))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), module+": "+test.want) {
			t.Errorf("%+v: %v", test, err)
		}
		if r != nil {
			if have := r.Results[0].Record.Required; !slices.Equal(have, []string{module}) {
				t.Errorf("required %q", have)
			}
			r.file.Close()
		}
	}
}

// TestResumeOfNoRun resumes files that no run has written, and files with less than the first line of a run.
func TestResumeOfNoRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	p := twoCases(t)
	id, err := Identify(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	const early = "ended before it wrote its first event"
	begin := fmt.Sprintf(`{"event":"begin","schema_version":%d,"tool":"roclua","version":"v1"`, result.SchemaVersion)
	for text, want := range map[string]string{
		"": early, `{"eve`: early, `{"event":"begin","sch`: early,
		"text":   "no events of roclua",
		"text\n": "no events of roclua", "{}\n": "no events of roclua",
		`{"event":"begin",` + "\n": "no events of roclua",
		`{"event":"case"`:          "no events of roclua", begin + "}\n": "do not have the plan of the run",
		begin + "}\ntext\nmore\n": ":2: the events cannot be read", begin + "}\n{\"event\":\"x\"}\n": "unknown event x",
		begin + `,"plan":{"digest":"x"}}` + "\n" + `{"event":"ca`: "this is not the run",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Resume(atomicfile.OS, path, planned("v1", id, allOf(t, p)))
		if err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestInterruptedCases restores no case that was interrupted, also not its earlier end.
func TestInterruptedCases(t *testing.T) {
	p := twoCases(t)
	id, err := Identify(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	cases := allOf(t, p)
	for _, test := range []struct {
		ends []bool // whether each time it ran to its end
		want bool
	}{{nil, false}, {[]bool{true}, true}, {[]bool{false}, false}, {[]bool{false, true}, true},
		{[]bool{true, false}, false}} {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		logs, err := Open(Options{Files: []string{path}}, Begin{Version: "v1", Plan: id, Cases: 2}, cases)
		if err != nil {
			t.Fatal(err)
		}
		for _, whole := range test.ends {
			done := &record.Record{}
			if !whole {
				done.End = &record.End{Kind: record.EndCanceled}
			}
			logs.Finished(&result.Result{Case: &cases[0].Case, Record: done})
		}
		for _, l := range logs.list {
			l.Close()
		}
		r, err := Resume(atomicfile.OS, path, planned("v1", id, cases))
		if err != nil {
			t.Fatal(err)
		}
		if (r.Results[0] != nil) != test.want {
			t.Errorf("%v: %v", test.ends, r.Results)
		}
		r.file.Close()
	}
}

// TestTwoCasesOfOneName restores the result of both cases that two arguments of a command name. A later file does not
// replace the results of an earlier one.
func TestTwoCasesOfOneName(t *testing.T) {
	p := twoCases(t)
	id, err := Identify(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	all := allOf(t, p)
	twice := planned("v1", id, plan.List{all[0], all[1], all[0]})
	var kept []string
	twice.Keep = func(c *plan.Case, _ *result.Result) { kept = append(kept, c.ID) }
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeRun(t, path, p, plan.Shard{}, 7, 0, 1)
	r, err := Resume(atomicfile.OS, path, twice)
	if err != nil {
		t.Fatal(err)
	}
	r.file.Close()
	for i, have := range r.Results {
		if have.ID != twice.Cases[i].ID || have.Record.Metrics[0].Value != int64(7) {
			t.Errorf("case %d: %s of second %v", i, have.ID, have.Record.Metrics[0].Value)
		}
	}
	if !slices.Equal(kept, []string{all[0].ID, all[0].ID, all[1].ID}) {
		t.Errorf("kept the results of %v", kept)
	}
}

// TestTimes adds the durations of a run and of the runs that resumed it, without the time between them.
func TestTimes(t *testing.T) {
	begin := func(second int) string {
		return fmt.Sprintf(`{"event":"begin","schema_version":%d,"tool":"roclua","started":"2026-01-01T00:00:%02dZ"}`+
			"\n", result.SchemaVersion, second)
	}
	ended := func(id string, second, seconds int) string {
		return fmt.Sprintf(`{"event":"case","id":%q,"started":"2026-01-01T00:00:%02dZ","seconds":%d}`+"\n", id, second,
			seconds)
	}
	end := func(seconds float64) string { return fmt.Sprintf(`{"event":"end","seconds":%g}`+"\n", seconds) }
	for text, want := range map[string]time.Duration{
		begin(1): 0, begin(1) + ended("a", 2, 3): 4 * time.Second,
		begin(1) + ended("a", 2, 9) + ended("b", 3, 1):                10 * time.Second,
		begin(1) + ended("a", 2, 3) + end(6.5):                        6500 * time.Millisecond,
		begin(1) + ended("a", 2, 3) + begin(20) + ended("a", 21, 2):   7 * time.Second,
		begin(1) + end(6.5) + begin(20) + ended("b", 21, 2) + end(10): 10 * time.Second,
	} {
		past, err := Parse("x", strings.NewReader(text))
		if err != nil || past.duration() != want || past.Ended != strings.HasSuffix(text, "}\n") &&
			past.Ended != strings.Contains(text[max(0, len(text)-40):], "end") {
			t.Errorf("%s: %s, %v", text, past.duration(), err)
		}
	}
}

// failing is an output that fails after some writes.
type failing struct {
	bytes.Buffer
	writes int
}

func (f *failing) Write(text []byte) (int, error) {
	if f.writes--; f.writes < 0 {
		return 0, errors.New("no space")
	}
	return f.Buffer.Write(text)
}

// TestFullDisk stops writing at the first line that cannot be written, and reports how many cases the file has.
func TestFullDisk(t *testing.T) {
	p := twoCases(t)
	cases := allOf(t, p)
	for writes, want := range map[int]string{0: "after 0 cases", 1: "after 0 cases", 2: "after 1 cases",
		3: "after 2 cases", 4: ""} {
		out := &failing{writes: writes}
		logs, err := Open(Options{Files: []string{""}, Stdout: out}, Begin{Cases: 2}, cases)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			logs.Finished(&result.Result{Case: &c.Case, Record: &record.Record{}})
		}
		err = logs.End(Summary{})
		if (err == nil) != (want == "") || err != nil && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%d lines: %v", writes, err)
		}
		if lines := strings.Count(out.String(), "\n"); lines != writes {
			t.Errorf("%d lines of %d", lines, writes)
		}
	}
}

// TestOnlyNew writes the kept results of an earlier run only if they are requested.
func TestOnlyNew(t *testing.T) {
	p := twoCases(t)
	cases := allOf(t, p)
	a := &result.Result{Case: &cases[0].Case, Record: &record.Record{}}
	kept := Kept{Count: 1, Each: func(f func(*result.Result) error) error { return f(a) }}
	for _, onlyNew := range []bool{false, true} {
		var out bytes.Buffer
		logs, err := Open(Options{Files: []string{""}, Stdout: &out, OnlyNew: onlyNew, Kept: kept},
			Begin{Cases: 2}, cases)
		if err != nil {
			t.Fatal(err)
		}
		b := &result.Result{Case: &cases[1].Case, Record: &record.Record{}}
		logs.Finished(b)
		if err := logs.End(Summary{Results: []*result.Result{a, b}, New: []*result.Result{b}}); err != nil {
			t.Error(err)
		}
		past, err := Parse("out", strings.NewReader(out.String()))
		want := 2
		if onlyNew {
			want = 1
		}
		if err != nil || len(past.Cases) != want || past.Begin.Cases != want || past.Begin.Restored != 0 ||
			!strings.Contains(out.String(), fmt.Sprintf(`"cases":%d`, want)) {
			t.Errorf("only new %t: %s, %v", onlyNew, &out, err)
		}
	}
}
