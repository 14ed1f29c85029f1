package verify

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/internal/escape"
	"roclua/internal/units"
)

// facts describes the comparison as pairs.
func (r *Report) facts() [][2]string {
	var list [][2]string
	if r.Better != nil {
		list = append(list, [2]string{"release", r.Better.String()})
	}
	for _, p := range r.Libraries {
		list = append(list, [2]string{p.Name, p.Version + ", " + p.Path})
	}
	profile := r.Profile.Name
	if !r.Compared {
		profile = "none: results are recorded, not compared"
	}
	return append(list,
		[2]string{"device", fmt.Sprintf("%s (%s), %s", r.Device.Name, r.Device.Arch,
			units.FormatBytes(r.Device.MemoryBytes))},
		[2]string{"profile", profile},
		[2]string{"drawn", fmt.Sprintf("seed %d, count %d, %d functions", r.Seed, r.Count, r.Functions)})
}

// WriteText writes the counts of each family, and the differences.
func (r *Report) WriteText(w io.Writer) error {
	for _, f := range r.facts() {
		fmt.Fprintf(w, "%-10s %s\n", f[0], f[1])
	}
	if len(r.families) > 0 {
		fmt.Fprintln(w, r.table().Render())
	}
	for _, s := range r.steps {
		fmt.Fprintf(w, "\n%s\n", s.operation)
		if s.model == s.library {
			fmt.Fprintf(w, "  both:        %s\n", s.model)
		} else {
			fmt.Fprintf(w, "  the model:   %s\n  the library: %s\n", s.model, s.library)
		}
	}
	for i := range r.Differences {
		d := &r.Differences[i]
		fmt.Fprintf(w, "\ndifference %d: %s%s\n%s", i+1, d.Function, d.times(), r.describe(d))
	}
	if n := r.unshown(); n > 0 {
		fmt.Fprintf(w, "\n%d more differences; at most %d of a family with the same statuses are shown\n", n, mostShown)
	}
	fmt.Fprintln(w)
	_, err := fmt.Fprintln(w, strings.Join(r.summary(), "\n"))
	return err
}

// describe describes a difference in lines, with the command that makes its case alone.
func (r *Report) describe(d *Difference) string {
	return fmt.Sprintf("  %s\n  the model:   %s\n  the library: %s\n  %s --only %d\n", d.Operation, d.Model, d.Library,
		r.command, d.Case)
}

// table has the counts of each family.
func (r *Report) table() table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{"family", "size queries", "calls", "differ", "not compared"})
	for _, name := range r.familyNames() {
		q, c := r.of(name, Queries), r.of(name, Calls)
		done := func(t *tally) int { return t[agrees] + t[recorded] }
		t.AppendRow(table.Row{name, done(q), done(c), blank(q[differs] + c[differs]),
			blank(q.total() + c.total() - done(q) - done(c) - q[differs] - c[differs])})
	}
	var right []table.ColumnConfig
	for i := range 4 {
		right = append(right, table.ColumnConfig{Number: i + 2, Align: text.AlignRight})
	}
	t.SetColumnConfigs(right)
	return t
}

// blank returns a number, "" for 0.
func blank(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// WriteMarkdown writes the same as WriteText in Markdown.
func (r *Report) WriteMarkdown(w io.Writer) error {
	fmt.Fprint(w, "# roclua verify\n\n| | |\n| --- | --- |\n")
	for _, f := range r.facts() {
		fmt.Fprintf(w, "| %s | %s |\n", f[0], escape.MarkdownCell(f[1]))
	}
	fmt.Fprintln(w)
	for _, line := range r.summary() {
		fmt.Fprintf(w, "* %s\n", line)
	}
	for i := range r.Differences {
		d := &r.Differences[i]
		fmt.Fprintf(w, "\n## Difference %d: `%s`%s\n\n```text\n%s```\n", i+1, d.Function, d.times(), r.describe(d))
	}
	if len(r.families) > 0 {
		fmt.Fprintf(w, "\n## Counts\n\n%s\n", r.table().RenderMarkdown())
	}
	return nil
}
