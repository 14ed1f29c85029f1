package verify

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"roclua/host/output"
)

// Title summarizes the agreement.
func (r *Report) Title() string { return "roclua verify: " + strings.Join(r.summary(), "; ") }

// Failures lists the differences.
func (r *Report) Failures() []output.Failure {
	var list []output.Failure
	for _, d := range r.Differences {
		list = append(list, output.Failure{Title: d.Function,
			Headline: fmt.Sprintf("the model: %s; the library: %s", d.Model, d.Library)})
	}
	if n := r.unshown(); n > 0 {
		list = append(list, output.Failure{Title: "other differences", Headline: fmt.Sprintf("%d more", n)})
	}
	return list
}

// counted is a family and a kind, or only a kind, with its counts.
type counted struct {
	Kind   Kind   `json:"kind"`
	Family string `json:"family,omitempty"` // "" for sequences and captures
	Tally  *tally `json:"counts"`
}

func (r *Report) counts() []counted {
	var list []counted
	for _, k := range Kinds {
		switch {
		case r.totals[k] == nil:
		case k == Queries || k == Calls:
			for _, name := range r.familyNames() {
				if t := r.of(name, k); t.total() > 0 {
					list = append(list, counted{k, name, t})
				}
			}
		default:
			list = append(list, counted{k, "", r.totals[k]})
		}
	}
	return list
}

// Table has a row for each kind and family, with its counts.
func (r *Report) Table() (output.Table, error) {
	var rows [][]string
	for _, c := range r.counts() {
		row := []string{string(c.Kind), c.Family}
		for _, n := range c.Tally {
			row = append(row, strconv.Itoa(n))
		}
		rows = append(rows, row)
	}
	return output.TableOf(append([]string{"kind", "family"}, names[:]...), rows), nil
}

// Tests returns a test for each kind and family. It fails if the model and the library differ, and is skipped if
// nothing was compared.
func (r *Report) Tests() *output.Tests {
	var list []*output.Test
	var suites []*output.Suite
	for _, c := range r.counts() {
		t := &output.Test{Name: c.Family}
		if c.Family == "" {
			t.Name = string(c.Kind)
		}
		for v, n := range c.Tally {
			t.Properties = append(t.Properties, [2]string{names[v], strconv.Itoa(n)})
		}
		switch n := c.Tally[differs]; {
		case n > 0:
			t.State, t.Outcome = output.Failed, "different"
			t.Message = fmt.Sprintf("%d of %s differ", n, c.Kind.counted(c.Tally.total()))
			t.Headline = t.Message
			t.Problems = r.problems(func(d *Difference) bool {
				return !d.ofHandle && d.Kind == c.Kind && (c.Family == "" || d.family == c.Family)
			})
		case c.Tally[agrees] == 0:
			t.State, t.Reason = output.Skipped, "nothing was compared"
		}
		if len(suites) == 0 || suites[len(suites)-1].Name != string(c.Kind) {
			suites = append(suites, &output.Suite{Name: string(c.Kind)})
		}
		suites[len(suites)-1].Add(len(list), t.State, 0)
		list = append(list, t)
	}
	if r.handles > 0 {
		t := &output.Test{Name: "new handles", State: output.Failed, Outcome: "different",
			Problems: r.problems(func(d *Difference) bool { return d.ofHandle })}
		t.Message = fmt.Sprintf("the memory of %d new handles differs", r.handles)
		t.Headline = t.Message
		suites = append(suites, &output.Suite{Name: "handles"})
		suites[len(suites)-1].Add(len(list), t.State, 0)
		list = append(list, t)
	}
	tests := output.TestsOf(list, suites)
	for _, f := range r.facts() {
		tests.Comments = append(tests.Comments, f[0]+" "+f[1])
	}
	tests.Properties = r.facts()
	return tests
}

// problems describes the differences of a kind and family.
func (r *Report) problems(of func(*Difference) bool) string {
	var b strings.Builder
	for i := range r.Differences {
		if d := &r.Differences[i]; of(d) {
			b.WriteString(d.Function + "\n" + strings.Join(r.describe(d), "\n") + "\n")
		}
	}
	return b.String()
}

// schemaVersion is the version of the JSON.
const schemaVersion = 1

// MarshalJSON writes the counts by the names of the verdicts.
func (t *tally) MarshalJSON() ([]byte, error) {
	counts := map[string]int{}
	for v, n := range t {
		counts[names[v]] = n
	}
	return json.Marshal(counts)
}

// Document has the facts of the comparison, the counts and the differences.
func (r *Report) Document() (any, error) {
	facts := map[string]string{}
	for _, f := range r.facts() {
		facts[f[0]] = f[1]
	}
	return struct {
		Schema      int               `json:"schema_version"`
		Facts       map[string]string `json:"facts"`    // libraries, device, profile, seed and counts
		Compared    bool              `json:"compared"` // false if results were only recorded
		Counts      []counted         `json:"counts"`
		Differences []Difference      `json:"differences"` // those that are shown
		Differing   int               `json:"differing"`   // all differences
	}{schemaVersion, facts, r.Compared, append([]counted{}, r.counts()...), append([]Difference{}, r.Differences...),
		r.Differing()}, nil
}
