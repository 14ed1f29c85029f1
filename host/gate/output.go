package gate

import (
	"fmt"
	"strings"

	"roclua/host/output"
)

// listed bounds the items of the text; other formats have all.
const listed = 50

// Text lists what got worse, and "" without a comparison.
func (g *Gate) Text() string {
	if g == nil {
		return ""
	}
	if !g.Failed() {
		return fmt.Sprintf("nothing is worse than the limits allow (%d comparisons)\n\n", g.Compared)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "worse than the limits allow: %d of %d comparisons\n", len(g.Worse), g.Compared)
	for n := range g.Worse {
		if n == listed {
			fmt.Fprintf(&b, "  and %d more\n", len(g.Worse)-n)
			break
		}
		i := &g.Worse[n]
		fmt.Fprintf(&b, "  %s (%s, not %s)\n", i, i.Target, i.Base)
	}
	b.WriteByte('\n')
	return b.String()
}

// Failures lists what got worse for annotations.
func (g *Gate) Failures() []output.Failure {
	if g == nil {
		return nil
	}
	var list []output.Failure
	for n := range g.Worse {
		i := &g.Worse[n]
		list = append(list, output.Failure{Title: i.Target + " needs more than " + i.Base, Headline: i.String()})
	}
	return list
}

// Tests has a test for each comparison.
func (g *Gate) Tests() *output.Tests {
	suite := &output.Suite{Name: "upgrade"}
	var list []*output.Test
	for n := range g.Worse {
		i := &g.Worse[n]
		list = append(list, &output.Test{Name: i.Subject + " on " + i.Target, State: output.Failed, Outcome: "worse",
			Headline: i.String(), Message: i.String(), Problems: i.String() + ", compared with " + i.Base + "\n"})
	}
	for _, name := range g.passed {
		list = append(list, &output.Test{Name: name, State: output.Passed})
	}
	for n, t := range list {
		suite.Add(n, t.State, 0)
	}
	return output.TestsOf(list, []*output.Suite{suite})
}
