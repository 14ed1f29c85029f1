package compare

import (
	"bytes"
	"strings"
	"testing"
)

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
		run, err := parse("fuzz.json", bytes.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.json") {
				t.Errorf("the error names no file: %v", err)
			}
			return
		}
		if c := New(run, run.withoutTargets(), nil); len(run.cases) == 0 && len(c.Changes) > 0 {
			t.Errorf("runs without cases differ: %v", c.Changes)
		}
	})
}

// TestMatching compares runs whose ids differ only in the target.
func TestMatching(t *testing.T) {
	const document = `{"schema_version": 1, "tool": "roclua", "cases": [
		{"id": "a[n=1]@cpu/rocm-7.2/gfx90a", "outcome": "passed", "metrics": [{"name": "x", "value": 64}]},
		{"id": "a[n=1,repeat=2]@cpu/rocm-7.2/gfx90a", "outcome": "passed", "metrics": [{"name": "x", "value": 65}]}]}`
	a, err := parse("a.json", strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	b, err := parse("b.json",
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
