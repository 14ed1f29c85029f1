package compare

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"roclua/hip/trace"
	"roclua/host/result"
	"roclua/luabind/record"
)

// line returns a case that passed.
func line(id string, metrics []record.Metric, history *trace.History) *result.Line {
	l := &result.Line{History: history}
	l.ID, l.Outcome, l.Metrics = id, result.Passed, metrics
	return l
}

// parsed reads the text of a result file.
func parsed(path string, file io.Reader) (*Run, error) {
	cases, note, err := parse(path, file)
	return runOf(cases, note), err
}

// FuzzParse reads result files, documents and events, and compares them with themselves.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"schema_version": 1, "tool": "roclua", "cases": [{"id": "a@cpu/p/g", "outcome": "passed", "seconds": 1, ` +
			`"metrics": [{"name": "x", "value": 64}]}]}`,
		`{"schema_version": 1, "tool": "roclua", "cases": [{"id": "a", "error": {"kind": "script", "text": "boom"}, ` +
			`"metrics": [{"name": "x", "value": "NaN"}]}]`,
		`{"event":"begin","schema_version":1,"tool":"roclua","cases":2}` + "\n" +
			`{"event":"case","id":"a","outcome":"failed"}` + "\n" + `{"event":"ca`,
		`{"event":"begin","schema_version":2}`, `[]`,
		`{"tool":"roclua","schema_version":1,"cases":[{"metrics":[{"value":{}}]}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		run, err := parsed("fuzz.json", bytes.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.json") {
				t.Errorf("the error names no file: %v", err)
			}
			return
		}
		if c := New(run, run, nil); len(run.cases) == 0 && len(c.Changes) > 0 {
			t.Errorf("runs without cases differ: %v", c.Changes)
		}
	})
}

// TestMatching compares runs whose ids differ only in the target.
func TestMatching(t *testing.T) {
	const document = `{"schema_version": 1, "tool": "roclua", "cases": [
		{"id": "a[n=1]@cpu/rocm-7.2/gfx90a", "outcome": "passed", "metrics": [{"name": "x", "value": 64}]},
		{"id": "a[n=1,repeat=2]@cpu/rocm-7.2/gfx90a", "outcome": "passed", "metrics": [{"name": "x", "value": 65}]}]}`
	a, err := parsed("a.json", strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	b, err := parsed("b.json",
		strings.NewReader(strings.NewReplacer("rocm-7.2", "rocm-6.4", "64}", "66}").Replace(document)))
	if err != nil {
		t.Fatal(err)
	}
	c := New(a, b, nil)
	if have := c.counts(); !strings.Contains(have, "1 MORE") || strings.Contains(have, "GONE") {
		t.Errorf("counts are %s, want one MORE and no GONE", have)
	}
	if d := c.Differences(); len(d) != 1 || d[0].Case != "a[n=1]" || d[0].Name != "x" {
		t.Errorf("differences are %v", d)
	}
	if len(c.Times) != 1 || c.Times[0].Runs != [2]int{2, 2} || !c.Times[0].IsAmbiguous() {
		t.Errorf("times are %v", c.Times)
	}
}

// TestMatchingOfTargets compares runs on several targets: cases are matched within each part that both runs share.
func TestMatchingOfTargets(t *testing.T) {
	runOf := func(ids ...string) *Run {
		run := newRun()
		for i, id := range ids {
			run.add(line(id, []record.Metric{{Name: "x", Value: int64(i)}}, nil))
		}
		return run
	}
	for _, test := range []struct {
		name string
		a, b []string
		want string // the matched cases
	}{
		{"profiles on two architectures", []string{"s@cpu/6/a", "s@cpu/6/b"}, []string{"s@cpu/7/a", "s@cpu/7/b"},
			"s@cpu/a s@cpu/b"},
		{"one architecture is new", []string{"s@cpu/6/a"}, []string{"s@cpu/7/b", "s@cpu/7/a"}, "s@cpu/a"},
		{"architectures of two profiles", []string{"s@cpu/6/a", "s@cpu/7/a"}, []string{"s@cpu/6/b", "s@cpu/7/b"},
			"s@cpu/6 s@cpu/7"},
		{"platforms on two architectures", []string{"s@cpu/6/a", "s@cpu/6/b"}, []string{"s@amd/6/a", "s@amd/6/b"},
			"s@6/a s@6/b"},
		{"platform and profile", []string{"s@cpu/6/a", "s@cpu/6/b"}, []string{"s@amd/7/a", "s@amd/7/b"}, "s@a s@b"},
		{"one target each", []string{"s@cpu/6/a"}, []string{"s@amd/7/b"}, "s"},
		{"the same targets", []string{"s@cpu/6/a", "s@cpu/7/a"}, []string{"s@cpu/7/a"}, "s@cpu/7/a"},
		{"nothing in common", []string{"s@cpu/6/a"}, []string{"r@cpu/7/a"}, ""},
	} {
		var have []string
		for _, c := range New(runOf(test.a...), runOf(test.b...), nil).Changes {
			if c.Name == "x" {
				have = append(have, c.Case)
			}
		}
		if text := strings.Join(have, " "); text != test.want {
			t.Errorf("%s: matched %q, want %q", test.name, text, test.want)
		}
	}
}
