package compare

import (
	"fmt"
	"slices"
	"strings"

	"roclua/host/answer"
	"roclua/host/baseline"
	"roclua/host/output"
	"roclua/host/report/group"
	"roclua/host/result"
	"roclua/luabind/record"
)

// Title names the runs and counts the values that differ.
func (c *Comparison) Title() string {
	return fmt.Sprintf("%s -> %s: %s", c.Names[0], c.Names[1], c.counts())
}

// Failures lists the values that differ. Cases with the same change are one failure.
func (c *Comparison) Failures() []output.Failure {
	var list []output.Failure
	for _, change := range group.Changes(c.Differences()) {
		names := group.Names(change.IDs)
		title := names[0].Text
		if len(names) > 1 {
			title += ", …"
		}
		list = append(list, output.Failure{Title: title, Headline: describe(change.Change)})
	}
	return list
}

// describe returns a change on one line.
func describe(c baseline.Change) string {
	if c.Name == "" && c.Kind == baseline.New {
		return "the case is new"
	}
	return c.String()
}

// Table has a row for each value and each time. Only times have a ratio and its spread.
func (c *Comparison) Table() (output.Table, error) {
	var rows [][]string
	for _, v := range c.shown() {
		rows = append(rows, []string{v.Case, v.Name, string(v.Kind), baseline.Text(v.Old), baseline.Text(v.New),
			v.DifferenceText(), "", "", ""})
	}
	for _, t := range c.Times {
		if !t.IsAmbiguous() || c.ShowAll {
			rows = append(rows, []string{t.Case, t.Name, t.Verdict(), result.FormatValue(t.Old),
				result.FormatValue(t.New), "", result.FormatValue(t.Ratio), result.FormatValue(t.Low),
				result.FormatValue(t.High)})
		}
	}
	return output.TableOf([]string{"case", "value", "kind", "a", "b", "difference", "ratio", "low", "high"}, rows), nil
}

// Tests returns a test for each case. It fails if a value differs.
func (c *Comparison) Tests() *output.Tests {
	suite := &output.Suite{Name: c.Names[0] + " -> " + c.Names[1]}
	var list []*output.Test
	byCase := map[string]*output.Test{}
	for _, v := range c.Changes {
		if byCase[v.Case] == nil {
			byCase[v.Case] = &output.Test{Name: v.Case}
			list = append(list, byCase[v.Case])
		}
	}
	for _, v := range slices.SortedStableFunc(slices.Values(c.Differences()), group.Worst) {
		t := byCase[v.Case]
		t.Problems += describe(v) + "\n"
		if t.State == output.Passed {
			t.State, t.Outcome = output.Failed, "different"
			t.Headline, t.Message = describe(v), describe(v)
		}
	}
	for i, t := range list {
		suite.Add(i, t.State, 0)
	}
	return output.TestsOf(list, []*output.Suite{suite})
}

// counts returns the number of values of each kind: "5 SAME, 1 MORE".
func (c *Comparison) counts() string {
	counts := map[baseline.Kind]int{}
	for _, change := range c.Changes {
		counts[change.Kind]++
	}
	var parts []string
	for _, kind := range []baseline.Kind{baseline.Same, baseline.More, baseline.Less, baseline.Changed, baseline.New,
		baseline.Gone} {
		if counts[kind] > 0 || kind == baseline.Same {
			parts = append(parts, fmt.Sprintf("%d %s", counts[kind], kind))
		}
	}
	return strings.Join(parts, ", ")
}

// Sections has a table of the values that differ, the times, and the counts.
func (c *Comparison) Sections() (*answer.Answer, error) {
	var s answer.Section
	if shown := c.shown(); len(shown) > 0 {
		s.Table = answer.NewTable("case", "value", c.Names[0], c.Names[1], "difference", "kind").Numbers(2, 3, 4)
		s.Table.Tone = func(_ int, cell string) answer.Tone { return tones[baseline.Kind(cell)] }
		for _, change := range group.Changes(shown) {
			s.Table.Row(caseNames(change.IDs), change.Name, baseline.Text(change.Old), baseline.Text(change.New),
				change.DifferenceText(), string(change.Kind))
		}
	}
	s.Below = slices.Concat(c.timeLines(), c.unknown(), []string{c.Title()})
	return &answer.Answer{Title: fmt.Sprintf("roclua: %s → %s", c.Names[0], c.Names[1]),
		Sections: []answer.Section{s}}, nil
}

// tones are the tones of kinds of changes.
var tones = map[baseline.Kind]answer.Tone{baseline.More: answer.Bad, baseline.Gone: answer.Bad,
	baseline.Less: answer.Good, baseline.Changed: answer.Warn, baseline.New: answer.Warn, baseline.Same: answer.Pale}

// caseNames returns the names of cases, one per line.
func caseNames(ids []string) string {
	var lines []string
	for _, name := range group.Names(ids) {
		lines = append(lines, name.Text)
	}
	return strings.Join(lines, "\n")
}

// timeLines lists the times that changed, and the number of the others.
func (c *Comparison) timeLines() (lines []string) {
	ambiguous := 0
	for _, t := range c.Times {
		if t.IsAmbiguous() && !c.ShowAll {
			ambiguous++
			continue
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s", t.Case, t.Name, t))
	}
	if ambiguous > 0 {
		lines = append(lines, fmt.Sprintf("times: %d ambiguous "+
			"(a spread needs at least three repetitions; --all shows them)", ambiguous))
	}
	return lines
}

// unknown lists the gaps of the recordings of either run.
func (c *Comparison) unknown() []string {
	list := slices.Concat(c.runs[0].unknown, c.runs[1].unknown)
	slices.Sort(list)
	return slices.Compact(list)
}

// timingEntry is a time of both runs in JSON, in seconds. A nonfinite value is null.
type timingEntry struct {
	Case    string `json:"case"`
	Name    string `json:"name"`
	Old     any    `json:"old"`
	New     any    `json:"new"`
	Runs    [2]int `json:"runs"`
	Ratio   any    `json:"ratio"`
	Low     any    `json:"low"`
	High    any    `json:"high"`
	Verdict string `json:"verdict"`
}

// Document has the values that differ and all times.
func (c *Comparison) Document() (any, error) {
	doc := struct {
		SchemaVersion int               `json:"schema_version"`
		Tool          string            `json:"tool"`
		A             string            `json:"a"`
		B             string            `json:"b"`
		Same          int               `json:"same"`
		Changes       []baseline.Change `json:"changes"`
		Times         []timingEntry     `json:"times"`
		Unknown       []string          `json:"unknown,omitempty"` // gaps of recordings
	}{result.SchemaVersion, "roclua", c.Names[0], c.Names[1], len(c.Changes) - len(c.Differences()),
		append([]baseline.Change{}, c.shown()...), []timingEntry{}, c.unknown()}
	for _, t := range c.Times {
		doc.Times = append(doc.Times, timingEntry{t.Case, t.Name, record.Finite(t.Old), record.Finite(t.New), t.Runs,
			record.Finite(t.Ratio), record.Finite(t.Low), record.Finite(t.High), t.Verdict()})
	}
	return doc, nil
}
