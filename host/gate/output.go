package gate

import (
	"cmp"
	"fmt"

	"roclua/host/answer"
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

// Section lists the changes that are or may be for the worse; nothing without a comparison.
func (g *Gate) Section() (s answer.Section) {
	if g == nil {
		return s
	}
	verdict := fmt.Sprintf("nothing is worse than the limits allow (%d comparisons)", g.Compared)
	if len(g.Worse) > 0 {
		verdict = fmt.Sprintf("worse than the limits allow: %d of %d comparisons", len(g.Worse), g.Compared)
	}
	var worse, gaps []string
	for _, i := range g.Worse {
		worse = append(worse, fmt.Sprintf("  %s (%s, not %s)", &i, i.Target, i.Base))
	}
	for _, gap := range g.Gaps {
		gaps = append(gaps, "  "+gap.String())
	}
	s.Lines = append([]string{verdict}, answer.First(worse, listed, "  ")...)
	if gaps != nil {
		s.Lines = append(s.Lines, "not compared, which fails, too:")
	}
	s.Lines = append(s.Lines, answer.First(gaps, listed, "  ")...)
	return s
}

// Failures lists the changes that are or may be for the worse, for annotations.
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
