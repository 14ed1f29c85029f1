package report

import (
	"cmp"
	"fmt"
	"strings"

	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/result"
)

// Tests returns a test for each case, in a suite for each script, and one for each expectation over several cases.
func (r *Report) Tests() *output.Tests {
	cases, others := len(r.Results), r.otherTests()
	t := &output.Tests{Started: r.Started, Seconds: r.Seconds, Suites: r.suites(), Count: cases + len(others)}
	for _, p := range r.Profiles {
		t.Comments = append(t.Comments, p.String())
		t.Properties = append(t.Properties, [2]string{p.Name, p.Build()})
	}
	t.Test = func(i int) (*output.Test, error) {
		if i >= cases {
			return others[i-cases], nil
		}
		c, err := r.Store.Full(r.Results[i])
		if err != nil {
			return nil, err
		}
		return testOf(c), nil
	}
	return t
}

// suites groups the cases by script, in the order of the first case of each.
func (r *Report) suites() []*output.Suite {
	var suites []*output.Suite
	index := map[string]*output.Suite{}
	for i, c := range r.Results {
		s := index[c.Script]
		if s == nil {
			s = &output.Suite{Name: c.Script}
			index[c.Script], suites = s, append(suites, s)
		}
		s.Add(i, stateOf(c), c.Record.Seconds)
	}
	if others := r.otherTests(); len(others) > 0 {
		s := &output.Suite{Name: overAll}
		for i, other := range others {
			s.Add(len(r.Results)+i, other.State, 0)
		}
		suites = append(suites, s)
	}
	return suites
}

// stateOf returns how a case ended, as a test.
func stateOf(c *result.Result) output.State {
	switch c.Outcome() {
	case result.Passed:
		return output.Passed
	case result.Flaky:
		if c.FailsRun() {
			return output.Failed
		}
		return output.Passed
	case result.Skipped, result.NotRun:
		return output.Skipped
	case result.KnownFailure:
		return output.Known
	case result.Failed:
		return output.Failed
	}
	return output.Errored
}

// testOf returns a case as a test. The metrics and the note are its properties.
func testOf(c *result.Result) *output.Test {
	t := &output.Test{Name: c.ID, State: stateOf(c), Seconds: c.Record.Seconds, Outcome: string(c.Outcome()),
		Note: c.Note(), Log: c.Record.Log}
	for _, m := range c.Record.Metrics {
		t.Properties = append(t.Properties, [2]string{m.Name, result.FormatValue(m.Value)})
	}
	if t.Note != "" {
		t.Properties = append(t.Properties, [2]string{"note", t.Note})
	}
	switch t.State {
	case output.Passed:
		return t
	case output.Skipped:
		t.Reason = cmp.Or(c.Record.Skipped, c.Headline())
	case output.Known:
		t.Reason = c.KnownFailure
	default:
		t.Problems = strings.TrimPrefix(style{withoutLogs: true}.explainOne(c), "\n")
		lines := strings.SplitN(strings.TrimSpace(t.Problems), "\n", 3)
		if t.Message = lines[0]; len(lines) > 1 {
			t.Message = strings.TrimSpace(lines[1])
		}
	}
	t.Headline = c.Headline()
	return t
}

// otherTests returns the tests that are not cases of the run: expectations over several cases, cases of baselines that
// the run does not have, and whether nothing ran.
func (r *Report) otherTests() []*output.Test {
	var list []*output.Test
	for _, c := range r.Overall {
		t := &output.Test{Name: c.Text, Have: c.Have}
		if !c.Passed {
			t.State, t.Message = output.Failed, fmt.Sprintf("have %s, want %s", c.Have, c.Want)
		}
		list = append(list, t)
	}
	for _, id := range r.goneIDs() {
		list = append(list, &output.Test{Name: id, State: output.Failed, Outcome: "gone", Headline: isGone,
			Message: isGone})
	}
	if r.Exit == exit.Nothing {
		list = append(list, &output.Test{Name: "a case runs", State: output.Failed, Headline: r.nothingRan(),
			Message: r.nothingRan()})
	}
	return list
}
