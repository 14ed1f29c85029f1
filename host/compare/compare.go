// Package compare compares the values and times of two runs.
//
// A Run is read from a result file, or made from results:
//
//	a, err := compare.ReadFile("before.json")
//	b, err := compare.ReadFile("after.json")
//	c := compare.New(a, b, tolerances)
//	c.Names = [2]string{"before.json", "after.json"}
//	err = output.Write(outs, c, to)
//
// Values are compared exactly or within a tolerance. Times never repeat exactly, so they are compared as the ratio of
// the medians over a case's repetitions, and do not count as differences.
package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"roclua/host/baseline"
)

// Comparison is the result of comparing two runs.
type Comparison struct {
	Names   [2]string // of the runs, for the outputs
	Changes []baseline.Change
	Times   []baseline.Timing
	runs    [2]*Run
	ShowAll bool // the outputs also list unchanged values and ambiguous times
}

// New compares two runs. Cases are matched by id. If the runs have no id in common, they are matched by id without the
// parts of the target that differ, such as the profile.
func New(a, b *Run, tolerances baseline.Tolerances) *Comparison {
	a, b = matched(a, b)
	c := &Comparison{runs: [2]*Run{a, b}}
	for _, id := range a.order {
		old, new := a.cases[id], b.cases[id]
		if new == nil {
			c.Changes = append(c.Changes, baseline.Change{Kind: baseline.Gone, Case: id})
			continue
		}
		c.Changes = append(c.Changes, baseline.Compare(id, old.values, new.values, tolerances)...)
		for _, name := range slices.Sorted(maps.Keys(old.times)) {
			if new.times[name] != nil {
				c.Times = append(c.Times, baseline.CompareTimes(id, name, old.times[name], new.times[name]))
			}
		}
	}
	for _, id := range b.order {
		if a.cases[id] == nil {
			c.Changes = append(c.Changes, baseline.Change{Kind: baseline.New, Case: id})
		}
	}
	return c
}

// Differences returns the values that differ.
func (c *Comparison) Differences() []baseline.Change {
	return baseline.Differences(slices.Clone(c.Changes))
}

// shown returns the values listed in the outputs.
func (c *Comparison) shown() []baseline.Change {
	if c.ShowAll {
		return c.Changes
	}
	return c.Differences()
}

// ParseTolerances reads tolerances such as "residual=10%".
func ParseTolerances(list []string) (baseline.Tolerances, error) {
	tolerances := baseline.Tolerances{}
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("--tolerance %s: want NAME=VALUE, such as residual=10%%", text)
		}
		t, err := baseline.ParseTolerance(value)
		if err != nil {
			return nil, fmt.Errorf("--tolerance %s: %w", name, err)
		}
		tolerances[name] = t
	}
	return tolerances, nil
}
