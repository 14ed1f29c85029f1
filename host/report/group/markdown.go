package group

import (
	"fmt"
	"strings"

	"roclua/host/baseline"
	"roclua/internal/escape"
)

// Markdown returns a table of changes, with one row for all cases with the same change. before and after are the titles
// of the value columns.
func Markdown(changes []baseline.Change, before, after string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| case | value | %s | %s | difference | |\n|---|---|---:|---:|---:|---|\n",
		escape.MarkdownCell(before), escape.MarkdownCell(after))
	for _, c := range Changes(changes) {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", MarkdownNames(c.IDs), escape.MarkdownCode(c.Name),
			escape.MarkdownCell(baseline.Text(c.Old)),
			escape.MarkdownCell(baseline.Text(c.New)),
			c.DifferenceText(), c.Kind)
	}
	return b.String()
}

// MarkdownNames returns the names of cases for a cell of a table: "2 cases: `solve[n={1,2}]`".
func MarkdownNames(ids []string) string {
	var names []string
	for _, name := range Names(ids) {
		names = append(names, escape.MarkdownCode(name.Text))
	}
	text := strings.Join(names, "<br>")
	if len(ids) > 1 {
		text = fmt.Sprintf("%d cases: %s", len(ids), text)
	}
	return text
}
