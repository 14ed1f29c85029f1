package host

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"roclua/host/config"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// writeText writes the report for people: a table with a row for each scenario and scheme and a column for each target,
// failures explained below it, why cases were skipped, and a line that sums up.
func writeText(w io.Writer, r *report) error {
	var b strings.Builder
	r.table(&b)
	for _, c := range r.results {
		r.explain(&b, c)
	}
	r.expected(&b)
	r.baselines(&b)
	r.skips(&b)
	r.faulty(&b)
	r.summary(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *report) paint(color text.Color, s string) string {
	if !r.color {
		return s
	}
	return color.Sprint(s)
}

// table has a row for all cases that differ in the target alone.
func (r *report) table(b *strings.Builder) {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	targets := r.targets()
	header := table.Row{"scenario", "scheme"}
	for _, name := range targets {
		header = append(header, name)
	}
	t.AppendHeader(header)
	var order []string
	rows := map[string]table.Row{}
	for _, c := range r.results {
		key := strings.SplitN(c.id, "@", 2)[0]
		if rows[key] == nil {
			row := make(table.Row, 2+len(targets))
			row[0], row[1] = c.label(), cmp.Or(c.Scheme, "-")
			rows[key], order = row, append(order, key)
		}
		rows[key][2+slices.Index(targets, r.targetName(c.target))] = r.cell(c)
	}
	for _, key := range order {
		t.AppendRow(rows[key])
	}
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 1, AutoMerge: true}})
	b.WriteString(t.Render() + "\n")
}

// label is the scenario's name with the parameters that vary.
func (c *plannedCase) label() string {
	var parts []string
	for _, axis := range slices.Sorted(maps.Keys(c.axes)) {
		parts = append(parts, axis+"="+formatValue(c.axes[axis]))
	}
	return strings.TrimSpace(c.scenario.name + " " + strings.Join(parts, " "))
}

// targetName is the profile, with what else tells the targets apart.
func (r *report) targetName(t config.Target) string {
	name := t.Profile
	if r.vary(func(t config.Target) string { return t.Arch }) {
		name += " " + t.Arch
	}
	if r.vary(func(t config.Target) string { return t.Platform }) {
		name = t.Platform + " " + name
	}
	return name
}

func (r *report) vary(of func(config.Target) string) bool {
	for _, c := range r.results {
		if of(c.target) != of(r.results[0].target) {
			return true
		}
	}
	return false
}

func (r *report) targets() []string {
	var list []string
	for _, c := range r.results {
		if name := r.targetName(c.target); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// cell shows a passed case by its first metric, any other by its outcome.
func (r *report) cell(c *result) string {
	switch o := c.outcome(); o {
	case passed:
		if len(c.record.Metrics) > 0 {
			m := c.record.Metrics[0]
			return r.paint(text.FgGreen, "ok") + " " + shortMetric(m.Value, m.Unit)
		}
		return r.paint(text.FgGreen, "ok")
	case skippedCase:
		return r.paint(text.FgYellow, "skip")
	case knownFailure:
		return r.paint(text.FgYellow, "known failure")
	default:
		return r.paint(text.FgRed, strings.ToUpper(string(o)))
	}
}

func shortMetric(v any, unit string) string {
	value := fmt.Sprint(v)
	if f, ok := v.(float64); ok {
		value = strconv.FormatFloat(f, 'g', 3, 64)
	}
	if unit == "bytes" {
		unit = "B"
	}
	return strings.TrimSpace(value + " " + unit)
}

// explain writes what went wrong in a case; with verbose also the log of one that passed.
func (r *report) explain(b *strings.Builder, c *result) {
	if !c.bad() {
		if r.verbose && (c.record.Log != "" || c.record.Faults != nil) {
			fmt.Fprintf(b, "\n%s\n", c.id)
			c.faults(b)
			indent(b, "log: ", c.record.Log)
		}
		return
	}
	fmt.Fprintf(b, "\n%s %s\n", r.paint(text.FgRed, strings.ToUpper(string(c.outcome()))), c.id)
	for _, check := range c.record.Checks {
		if !check.Passed {
			fmt.Fprintf(b, "  %s: %s\n    have %s\n    want %s\n", check.Where, hanging(check.Text), hanging(check.Have), hanging(check.Want))
		}
	}
	for _, change := range c.changes {
		fmt.Fprintf(b, "  baseline: %s\n", change)
	}
	if c.record.End != nil {
		fmt.Fprintf(b, "  %s\n", hanging(c.record.End.String()))
		if calls := c.record.End.Traceback; strings.Contains(strings.TrimSpace(calls), "\n") { // one line says where, again
			indent(b, "    ", calls)
		}
	}
	c.faults(b)
	for _, p := range c.record.Problems {
		fmt.Fprintf(b, "  %s\n", p)
	}
	indent(b, "  log: ", c.record.Log)
}

// expected writes what was expected over several cases.
func (r *report) expected(b *strings.Builder) {
	if len(r.overall) > 0 {
		b.WriteString("\nover all\n")
	}
	for _, c := range r.overall {
		mark := r.paint(text.FgGreen, "ok")
		if !c.Passed {
			mark = r.paint(text.FgRed, "FAILED")
		}
		fmt.Fprintf(b, "  %s %s: %s\n", mark, c.Text, c.Have)
	}
}

// baselines writes which cases are gone, and what --update wrote.
func (r *report) baselines(b *strings.Builder) {
	if len(r.gone) > 0 {
		b.WriteString("\n" + r.paint(text.FgRed, "GONE") + " from the run, but in a baseline (roclua run --update forgets them)\n")
	}
	for _, c := range r.gone {
		fmt.Fprintf(b, "  %s\n", c.Case)
	}
	if r.updated != "" {
		fmt.Fprintf(b, "\n%s", r.updated)
	}
}

// hanging sets the further lines of a text below its first.
func hanging(text string) string { return strings.ReplaceAll(text, "\n", "\n      ") }

// indent writes each line of a text behind a prefix.
func indent(b *strings.Builder, prefix, lines string) {
	for _, line := range strings.Split(strings.TrimRight(lines, "\n"), "\n") {
		if line != "" {
			fmt.Fprintf(b, "%s%s\n", prefix, line)
		}
	}
}

// skips groups the skipped cases by their reason.
func (r *report) skips(b *strings.Builder) {
	counts := map[string]int{}
	var order []string
	for _, c := range r.results {
		if reason := c.record.Skipped; reason != "" {
			if counts[reason] == 0 {
				order = append(order, reason)
			}
			counts[reason]++
		}
	}
	if len(order) > 0 {
		b.WriteString("\nskipped\n")
	}
	for _, reason := range order {
		fmt.Fprintf(b, "  %3d  %s\n", counts[reason], reason)
	}
}

func (r *report) summary(b *strings.Builder) { fmt.Fprintf(b, "\n%s\n", r.sum()) }
