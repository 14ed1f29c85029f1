package compare

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"roclua/hip/trace"
	"roclua/host/baseline"
	"roclua/host/report/group"
	"roclua/host/report/page"
	"roclua/host/report/timeline"
)

// WriteHTML writes a page with the differences, and pictures that draw the memory of both runs over each other.
func (c *Comparison) WriteHTML(w io.Writer) error {
	cases := c.pageCases()
	index := map[string]int{}
	d := &page.Document{Title: fmt.Sprintf("roclua: %s → %s", c.Names[0], c.Names[1]),
		Passed: len(c.Differences()) == 0, Summary: c.counts(),
		Command: "roclua compare " + c.Names[0] + " " + c.Names[1], Compared: c.Names[:],
		Scenarios: map[string]page.Scenario{}}
	for i, one := range cases {
		index[one.ID] = i
		d.Scenarios[one.Scenario] = page.Scenario{}
	}
	for _, change := range group.Changes(c.Differences()) {
		f := page.Failure{Outcome: strings.ToLower(string(change.Kind)), Headline: describe(change.Change),
			Text: describe(change.Change)}
		for _, name := range group.Names(change.IDs) {
			f.Names = append(f.Names, name.Text)
		}
		for _, id := range change.IDs {
			f.Cases = append(f.Cases, index[id])
		}
		d.Failures = append(d.Failures, f)
	}
	return d.Write(w, func(add func(*page.Case) error) error {
		for _, one := range cases {
			c.addMemory(d, one)
			if err := add(one); err != nil {
				return err
			}
		}
		return nil
	})
}

// pageCases returns the cases of both runs, with the values that differ.
func (c *Comparison) pageCases() []*page.Case {
	var list []*page.Case
	byID := map[string]*page.Case{}
	for _, change := range slices.SortedStableFunc(slices.Values(c.Changes), group.Worst) {
		one := byID[change.Case]
		if one == nil {
			one = c.pageCase(change.Case)
			byID[change.Case], list = one, append(list, one)
		}
		if change.Kind == baseline.Same {
			continue
		}
		if !one.Bad {
			one.Outcome, one.Bad = strings.ToLower(string(change.Kind)), true
		}
		one.Why += describe(change) + "\n"
		if change.Name != "" {
			one.Metrics = append(one.Metrics, page.Metric{Name: change.Name,
				Value: baseline.Text(change.Old) + " → " + baseline.Text(change.New)})
		}
	}
	return list
}

// pageCase returns a case, without its memory.
func (c *Comparison) pageCase(id string) *page.Case {
	name, target, _ := strings.Cut(id, "@")
	scenario, params, _ := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	one := &page.Case{ID: id, Scenario: scenario, Target: target, Outcome: "same"}
	var label []string
	for _, part := range strings.Split(params, ",") {
		if scheme, ok := strings.CutPrefix(part, "scheme="); ok {
			one.Scheme = scheme
		} else {
			label = append(label, part)
		}
	}
	one.Label = strings.Join(label, " ")
	if new := c.runs[1].cases[id]; new != nil && len(new.times["seconds"]) > 0 {
		one.Seconds = new.times["seconds"][0]
	}
	return one
}

// addMemory adds the memory of both runs over time. If only one run has it, that is drawn.
func (c *Comparison) addMemory(d *page.Document, one *page.Case) {
	before, after := c.runs[0].historyOf(one.ID), c.runs[1].historyOf(one.ID)
	switch {
	case before != nil && after != nil:
		one.Before = d.Pack(timeline.Of(*before))
	case after == nil && before != nil:
		after = before
	case after == nil:
		one.NoTimeline = "The files do not have the calls of this case over time: write them by --out jsonl=FILE " +
			"together with --out html=FILE, or compare two profiles."
		return
	}
	line := timeline.Of(*after)
	d.Use(one, line)
	one.Calls, one.Kernels, one.Peak = len(after.Calls), len(after.Kernels), timeline.Peak(line.Live)
	for i := range after.Calls {
		if after.Calls[i].Synchronizing {
			one.Syncs++
		}
	}
}

func (run *Run) historyOf(id string) *trace.History {
	if one := run.cases[id]; one != nil {
		return one.history
	}
	return nil
}
