package gate

import (
	"cmp"
	"fmt"
	"strings"

	"roclua/host/output"
)

// listed bounds the items of the text; other formats have all.
const listed = 50

// notCompared is the outcome of gaps.
const notCompared = "not compared"

// Table adds a column to a table, and in it a row for each failure; nothing without a comparison.
func (g *Gate) Table(t output.Table) output.Table {
	if g == nil {
		return t
	}
	rows, columns := t.Rows, len(t.Columns)
	t.Columns = append(t.Columns, "failure")
	t.Rows = func(add func(row []string) error) error {
		err := rows(func(row []string) error { return add(append(row, "")) })
		for _, f := range g.Failures() {
			row := make([]string, columns+1)
			row[columns] = f.Title + ": " + f.Headline
			err = cmp.Or(err, add(row))
		}
		return err
	}
	return t
}

// Text lists what got worse, or may have, and "" without a comparison.
func (g *Gate) Text() string {
	if g == nil {
		return ""
	}
	var b strings.Builder
	if len(g.Worse) > 0 {
		fmt.Fprintf(&b, "worse than the limits allow: %d of %d comparisons\n", len(g.Worse), g.Compared)
	} else {
		fmt.Fprintf(&b, "nothing is worse than the limits allow (%d comparisons)\n", g.Compared)
	}
	writeList(&b, len(g.Worse), func(n int) string {
		i := &g.Worse[n]
		return fmt.Sprintf("%s (%s, not %s)", i, i.Target, i.Base)
	})
	if len(g.Gaps) > 0 {
		b.WriteString("not compared, which fails, too:\n")
	}
	writeList(&b, len(g.Gaps), func(n int) string { return g.Gaps[n].String() })
	b.WriteByte('\n')
	return b.String()
}

func writeList(b *strings.Builder, n int, line func(int) string) {
	for i := range min(n, listed) {
		fmt.Fprintf(b, "  %s\n", line(i))
	}
	if n > listed {
		fmt.Fprintf(b, "  and %d more\n", n-listed)
	}
}

// Failures lists what got worse, or may have, for annotations.
func (g *Gate) Failures() []output.Failure {
	if g == nil {
		return nil
	}
	var list []output.Failure
	for n := range g.Worse {
		i := &g.Worse[n]
		list = append(list, output.Failure{Title: i.Target + " needs more than " + i.Base, Headline: i.String()})
	}
	for n := range g.Gaps {
		list = append(list, output.Failure{Title: notCompared, Headline: g.Gaps[n].String()})
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
	for n := range g.Gaps {
		i := &g.Gaps[n]
		list = append(list, &output.Test{Name: i.Subject, State: output.Failed, Outcome: notCompared,
			Headline: i.String(), Message: i.String()})
	}
	for _, name := range g.passed {
		list = append(list, &output.Test{Name: name, State: output.Passed})
	}
	for n, t := range list {
		suite.Add(n, t.State, 0)
	}
	return output.TestsOf(list, []*output.Suite{suite})
}
