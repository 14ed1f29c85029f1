package compare

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/host/baseline"
	"roclua/host/output"
)

var update = flag.Bool("update", false, "rewrite the expected outputs")

// document returns a result file with cases.
func document(cases ...string) string {
	return `{"schema_version": 1, "tool": "roclua", "cases": [` + strings.Join(cases, ",\n") + "]}\n"
}

// entry returns a case with metrics.
func entry(id, outcome string, seconds float64, metrics ...string) string {
	return fmt.Sprintf(`{"id": %q, "outcome": %q, "seconds": %g, "metrics": [%s]}`, id, outcome, seconds,
		strings.Join(metrics, ", "))
}

// metric returns a metric; value is JSON.
func metric(name, value, unit string) string {
	return fmt.Sprintf(`{"name": %q, "value": %s, "unit": %q}`, name, value, unit)
}

// run reads a document.
func run(t *testing.T, text string) *Run {
	t.Helper()
	r, err := parsed("run.json", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// repeated returns repetitions of a case with times scaled by the given factor.
func repeated(factor float64) []string {
	var list []string
	for i := range 5 {
		seconds := factor * (1 + float64(i)/100)
		list = append(list, entry(fmt.Sprintf("timed[n=1,repeat=%d]@cpu", i+1), "passed", seconds,
			metric("solve", fmt.Sprint(1000*seconds), "ms"), metric("whole", fmt.Sprint(int(8*factor)), "us"),
			metric("bytes", "64", "bytes"), metric("text", `"slow"`, "s")))
	}
	return list
}

// comparisons are pairs of runs; testdata has each comparison in all formats.
func comparisons(t *testing.T) map[string]*Comparison {
	values := func(bytes, less, choice string) string {
		return entry("values@cpu", "passed", 1, metric("bytes", bytes, "bytes"), metric("less", less, ""),
			metric("choice", choice, ""), metric("same", "1", ""))
	}
	a := document(append(repeated(2), values("64", "2", `"a|b"`), entry("gone@cpu", "passed", 1),
		entry("skipped@cpu", "skipped", 1))...)
	b := document(append(repeated(4), values("128", "1", `"c"`), entry("new@cpu", "failed", 1),
		entry("skipped@cpu", "passed", 1))...)
	return map[string]*Comparison{
		"different": New(run(t, a), run(t, b), nil),
		"equal":     New(run(t, a), run(t, a), nil),
		"tolerated": New(run(t, document(values("64", "2", `"x"`))), run(t, document(values("66", "2", `"x"`))),
			baseline.Tolerances{"bytes": {Relative: 0.1}}),
		"empty": New(run(t, document()), run(t, document()), nil),
	}
}

// write writes a comparison in a format.
func write(c *Comparison, w io.Writer, format string) error {
	return output.Write([]output.Output{{Format: format}}, c, output.Destination{Stdout: w})
}

// TestOutputs compares all formats with testdata, which -update rewrites.
func TestOutputs(t *testing.T) {
	for name, c := range comparisons(t) {
		c.Names = [2]string{"a|1.json", "b\x1b.json"}
		var have bytes.Buffer
		for _, all := range []bool{false, true} {
			c.ShowAll = all
			for _, format := range output.OfCommand("compare") {
				if format == "html" { // see TestPage
					continue
				}
				fmt.Fprintf(&have, "-- %s, all %v --\n", format, all)
				if err := write(c, &have, format); err != nil {
					t.Error(err)
				}
			}
		}
		path := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(path, have.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(have.Bytes(), want) {
			t.Errorf("differs from %s (%v):\n%s", path, err, &have)
		}
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFailedWrites(t *testing.T) {
	for _, format := range output.OfCommand("compare") {
		if err := write(comparisons(t)["different"], full{}, format); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// TestTimes checks the units of times, which cases have them, and that every repetition counts.
func TestTimes(t *testing.T) {
	r := run(t, document(append(repeated(2), entry("skipped@cpu", "skipped", 1))...))
	times := r.cases["timed[n=1]@cpu"].times
	for name, want := range map[string][]float64{
		"seconds": {2, 2.02, 2.04, 2.06, 2.08}, "solve": {2, 2.02, 2.04, 2.06, 2.08},
		"whole": slices.Repeat([]float64{16e-6}, 5),
	} {
		equal := slices.EqualFunc(times[name], want, func(x, y float64) bool { return x-y < 1e-9 && y-x < 1e-9 })
		if !equal {
			t.Errorf("%s: %v, want %v", name, times[name], want)
		}
	}
	if len(times) != 3 {
		t.Errorf("times %v", times)
	}
}

// TestTimesOfBothRuns compares only the times that both runs have. A metric with the name of a measured value is
// ignored.
func TestTimesOfBothRuns(t *testing.T) {
	a := run(t, document(entry("a@cpu", "passed", 1, metric("solve", "5", "ms"), metric("seconds", "7", "s"))))
	b := run(t, document(entry("a@cpu", "passed", 2)))
	if have := a.cases["a@cpu"].times; len(have) != 2 || !slices.Equal(have["seconds"], []float64{1}) {
		t.Errorf("times %v", have)
	}
	if c := New(a, b, nil); len(c.Times) != 1 || c.Times[0].Name != "seconds" || c.Times[0].New != 2 {
		t.Errorf("times of both %v", c.Times)
	}
}

func TestReadFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.json")
	if err := os.WriteFile(path, []byte(document(entry("a", "passed", 1))), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := ReadFile(path)
	if err != nil || !slices.Equal(r.order, []string{"a"}) {
		t.Errorf("%v, %v", r, err)
	}
	if r, err := ReadFile(filepath.Join(folder, "b.json")); !errors.Is(err, os.ErrNotExist) || r != nil {
		t.Errorf("a missing file: %v, %v", r, err)
	}
}

// TestUnreadableFiles checks the line of an error, also far into a file and at the end of a line.
func TestUnreadableFiles(t *testing.T) {
	long := strings.Repeat(entry("a", "passed", 1)+",\n", 5000)
	for want, text := range map[string]string{
		"x.json: the result file is empty":                   "",
		"x.json:1: the result file cannot be read":           "[]",
		"x.json:3: the result file cannot be read":           "{\n\"cases\": [\n{\"id\": 5}]}",
		"x.json:2: the result file cannot be read":           "{\n\"cases\": ]\n}",
		"x.json:5002: the result file cannot be read":        "{\n\"cases\": [" + long + "{\"id\": 5}]}",
		"x.json: not a result file of roclua run --out json": `{"tool": "other"}`,
		"x.json: the result file has schema_version 2, this program reads 1": `{"tool": "roclua", ` +
			`"schema_version": 2}`,
	} {
		path := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), "/"+want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestInterruptedRun checks the note about a log of events without an end.
func TestInterruptedRun(t *testing.T) {
	const begin = `{"event":"begin","schema_version":1,"tool":"roclua","cases":2}` + "\n"
	const first = `{"event":"case","id":"a","outcome":"passed"}` + "\n"
	for text, want := range map[string]string{
		begin + first: "x.jsonl: the run did not end normally; 1 of its 2 cases are compared",
	} {
		r, err := parsed("x.jsonl", strings.NewReader(text))
		if err != nil || r.Note != want || len(r.order) != 1 {
			t.Errorf("%+v, %v; want %q", r, err, want)
		}
	}
}

func TestParseTolerances(t *testing.T) {
	list, err := ParseTolerances([]string{"residual=10%", "x=ignore"})
	if err != nil || list["residual"].Relative != 0.1 || !list["x"].Ignore || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
	for text, want := range map[string]string{
		"residual":    "--tolerance residual: want NAME=VALUE, such as residual=10%",
		"residual=ab": "--tolerance residual: ",
	} {
		if _, err := ParseTolerances([]string{text}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
