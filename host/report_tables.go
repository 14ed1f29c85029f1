package host

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"roclua/host/baseline"
	"roclua/host/exit"
)

// writeCSV writes a row for each case: what it is, how it ended, and a column for each metric that any case has.
func writeCSV(w io.Writer, r *report) error {
	metrics := r.metricNames()
	c := csv.NewWriter(w)
	c.Write(append([]string{"id", "scenario", "scheme", "platform", "profile", "arch", "outcome", "seconds", "problem"}, metrics...))
	for _, res := range r.results {
		row := []string{res.id, res.scenario.name, res.Scheme, res.target.Platform, res.target.Profile, res.target.Arch, string(res.outcome()),
			fmt.Sprintf("%.6f", res.record.Seconds), res.headline()}
		have := map[string]any{}
		for _, m := range res.record.Metrics {
			have[m.Name] = m.Value
		}
		for _, name := range metrics {
			text := ""
			if v, ok := have[name]; ok {
				text = formatValue(v)
			}
			row = append(row, text)
		}
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}

// metricNames lists the metrics of all cases, sorted.
func (r *report) metricNames() []string {
	names := map[string]bool{}
	for _, c := range r.results {
		for _, m := range c.record.Metrics {
			names[m.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// headline is the first thing that went wrong in a case, on one line; "" when nothing did.
func (c *result) headline() string {
	switch o := c.outcome(); {
	case o == passed:
		return ""
	case o == skippedCase:
		return c.record.Skipped
	case o == knownFailure:
		return c.known
	}
	for _, check := range c.record.Checks {
		if !check.Passed {
			return fmt.Sprintf("%s: %s: have %s, want %s", check.Where, check.Text, check.Have, check.Want)
		}
	}
	if c.record.End != nil {
		return firstLine(c.record.End.String())
	}
	if len(c.record.Problems) > 0 {
		return firstLine(c.record.Problems[0])
	}
	if n := len(c.changes); n > 0 {
		more := ""
		if n > 1 {
			more = fmt.Sprintf(", and %d more", n-1)
		}
		return c.changes[0].String() + more
	}
	return string(c.outcome())
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// writeTAP writes the Test Anything Protocol, version 13.
func writeTAP(w io.Writer, r *report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 13\n1..%d\n", len(r.results)+len(r.overall))
	for i, c := range r.results {
		state, directive := "ok", ""
		switch c.outcome() {
		case passed:
		case skippedCase:
			directive = " # SKIP " + oneLine(c.record.Skipped)
		case knownFailure:
			state, directive = "not ok", " # TODO "+oneLine(c.known)
		default:
			state = "not ok"
		}
		fmt.Fprintf(&b, "%s %d - %s%s\n", state, i+1, tapText(c.id), directive)
		if state == "not ok" {
			fmt.Fprintf(&b, "  ---\n  message: %q\n  outcome: %q\n  ...\n", c.headline(), c.outcome())
		}
	}
	for i, c := range r.overall {
		state := "ok"
		if !c.Passed {
			state = "not ok"
		}
		fmt.Fprintf(&b, "%s %d - %s: %s\n", state, len(r.results)+i+1, tapText(c.Text), tapText(c.Have))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tapText keeps a text from being read as a directive, or as a line of its own.
func tapText(text string) string { return strings.ReplaceAll(oneLine(text), "#", "\\#") }

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// writeMarkdown writes a comment for a pull request: a line that sums up, what failed, and the cases folded away.
func writeMarkdown(w io.Writer, r *report) error {
	var b strings.Builder
	mark := "✅"
	if r.exit != exit.Pass {
		mark = "❌"
	}
	fmt.Fprintf(&b, "### %s roclua: %d passed, %d not passed, %d skipped\n\n", mark, r.count(passed), r.bad(), r.count(skippedCase))
	if r.bad() > 0 || slices.ContainsFunc(r.overall, failedCheck) {
		b.WriteString("| case | outcome | |\n|---|---|---|\n")
	}
	for _, c := range r.results {
		if c.bad() {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.id, c.outcome(), markdownText(c.headline()))
		}
	}
	for _, c := range r.overall {
		if !c.Passed {
			fmt.Fprintf(&b, "| over all | failed | %s: have %s |\n", markdownText(c.Text), markdownText(c.Have))
		}
	}
	r.markdownBaseline(&b)
	fmt.Fprintf(&b, "\n<details><summary>%d case%s in %.1f s</summary>\n\n| case | outcome | metrics |\n|---|---|---|\n", len(r.results), plural(len(r.results)), r.seconds)
	for _, c := range r.results {
		var metrics []string
		for _, m := range c.record.Metrics {
			metrics = append(metrics, m.Name+" "+shortMetric(m.Value, m.Unit))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.id, c.outcome(), markdownText(strings.Join(metrics, ", ")))
	}
	b.WriteString("\n</details>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownBaseline lists what moved: the case, the value, old, new and difference.
func (r *report) markdownBaseline(b *strings.Builder) {
	var changes []baseline.Change
	for _, c := range r.results {
		changes = append(changes, c.changes...)
	}
	if changes = append(changes, r.gone...); len(changes) > 0 {
		b.WriteString("\n#### Moved from the baseline\n\n")
		markdownChanges(b, changes, "baseline", "now")
	}
}

func markdownText(text string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "<", "&lt;").Replace(text)
}
