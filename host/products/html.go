package products

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"roclua/host/page"
)

// numbers are the columns of numbers.
var numbers = []string{"times", "split of k", "bytes", "waves"}

// WriteHTML writes a page with the curves of the targets, and for each target what decides and all of its products.
func (r *Report) WriteHTML(w io.Writer) error {
	document := page.Page{Title: r.Title(), Heading: "What products of matrices want from the workspace"}
	first := page.Section{About: "No product wants a workspace."}
	if c := r.chart(); len(c.Series) > 0 {
		var picture strings.Builder
		if err := c.WriteSVG(&picture); err != nil {
			return err
		}
		first = page.Section{Picture: template.HTML(picture.String()),
			About: "Each point is a number of bytes, and how many products lose their kernel in a smaller workspace."}
	}
	document.Sections = append(document.Sections, first)
	for i := range r.Targets {
		t := &r.Targets[i]
		var summary strings.Builder
		r.writeSummary(&summary, t)
		document.Sections = append(document.Sections, page.Section{
			Title: fmt.Sprintf("%s, %d compute units", t.Device, t.Units),
			Text:  strings.TrimSpace(summary.String()), Table: r.productsOfPage(t)})
	}
	document.Sections = append(document.Sections, page.Section{About: r.limits()})
	return document.Write(w)
}

// productsOfPage returns the products of a target, those that want most first.
func (r *Report) productsOfPage(t *Target) *page.Table {
	table := &page.Table{}
	for _, name := range r.columns() {
		table.Columns = append(table.Columns, page.Column{Name: name, Number: slices.Contains(numbers, name)})
	}
	for _, p := range t.byNeeds() {
		row := page.Cells(p.row(len(table.Columns))...)
		for i := range row {
			row[i].Pale = row[i].Text == best
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}
