package report

import (
	"fmt"
	"io"
	"strings"

	"roclua/host/baseline"
	"roclua/host/exit"
	"roclua/host/report/group"
	"roclua/host/result"
	"roclua/internal/escape"
	"roclua/internal/units"
)

// WriteMarkdown writes a comment for a pull request: a summary, the failures, and all cases in a folded table.
func (r *Report) WriteMarkdown(w io.Writer) error {
	mark := "✅"
	if r.Exit != exit.Pass {
		mark = "❌"
	}
	t := result.Total(r.Results)
	fmt.Fprintf(w, "### %s roclua: %d passed, %d not passed, %d skipped", mark, t.Passed, t.NotPassed, t.Skipped)
	if t.SkippedRows > 0 {
		fmt.Fprintf(w, ", %s skipped", units.Count(t.SkippedRows, "row"))
	}
	if t.New > 0 {
		fmt.Fprintf(w, ", %d not in the baseline", t.New)
	}
	io.WriteString(w, "\n\n")
	for i, why := range r.reasons() {
		if i == 0 {
			io.WriteString(w, "| case | outcome | |\n|---|---|---|\n")
		}
		names := overAll
		if why.ids != nil {
			names = group.MarkdownNames(why.ids)
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", names, why.outcome, escape.MarkdownCell(why.headline))
	}
	markdownBaseline(w, r)
	fmt.Fprintf(w, "\n<details><summary>%s in %.1f s</summary>\n\n", units.Count(t.Cases, "case"), r.Seconds)
	io.WriteString(w, "| case | outcome | metrics |\n|---|---|---|\n")
	err := r.Each(func(_ int, c *result.Result) error {
		var metrics []string
		for _, m := range c.Record.Metrics {
			metrics = append(metrics, m.Name+" "+shortMetric(m.Value, m.Unit))
		}
		outcome := string(c.Outcome())
		if note := c.Note(); note != "" {
			outcome += ", " + note
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", escape.MarkdownCode(c.ID), outcome,
			escape.MarkdownCell(strings.Join(metrics, ", ")))
		return nil
	})
	io.WriteString(w, "\n</details>\n")
	for _, p := range r.Profiles {
		fmt.Fprintf(w, "\n%s\n", escape.MarkdownCell(p.String()))
	}
	return err
}

// markdownBaseline lists the differences from baselines.
func markdownBaseline(w io.Writer, r *Report) {
	var changes []baseline.Change
	for _, c := range r.Results {
		changes = append(changes, c.Changes...)
	}
	if changes = append(changes, r.Gone...); len(changes) > 0 {
		io.WriteString(w, "\n#### Differences from the baseline\n\n"+group.Markdown(changes, "baseline", "now"))
	}
	for _, note := range r.Otherwise {
		fmt.Fprintf(w, "\n%s\n", escape.MarkdownCell(note))
	}
}
