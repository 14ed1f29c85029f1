package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/host/answer"
	"roclua/host/exit"
	"roclua/host/report/group"
	"roclua/host/result"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// WriteText writes the report for people: a table with a row for each scenario and scheme and a column for each
// target, the measurements, and the reasons for skipped cases. The failures come last, with the summary: a terminal
// shows the end of a long text.
func (r *Report) WriteText(w io.Writer) error {
	screen, _ := w.(answer.Screen)
	t := textReport{Report: r, style: style{color: screen.Color, verbose: r.Verbose}, width: screen.Width}
	if r.SchemeDefects != nil && !r.Quiet {
		fmt.Fprintln(w, "known defects of schemes (roclua docs ID)")
		for _, d := range r.SchemeDefects {
			fmt.Fprintf(w, "  %s\n", d)
		}
		fmt.Fprintln(w)
	}
	if err := t.table(w); err != nil {
		return err
	}
	t.list(&t.measured, "measured", measurementHeader)
	t.list(&t.loads, "workloads", loadHeader)
	if t.loads.cases == 1 && t.loads.histogram != nil {
		t.b.WriteString(t.loads.histogram.Text(t.width))
	}
	t.slowest()
	t.flaky()
	t.skips()
	t.faults()
	t.defects()
	io.WriteString(w, t.b.String()) // explain and the last write return the error
	t.b.Reset()
	if err := t.explain(w, r); err != nil {
		return err
	}
	t.overall()
	t.baselines()
	t.b.WriteString("\n")
	if r.Verbose {
		for _, p := range r.Profiles {
			fmt.Fprintln(&t.b, p)
		}
	}
	fmt.Fprintln(&t.b, r.Summary())
	t.whatNext()
	_, err := io.WriteString(w, t.b.String())
	return err
}

// WriteFailures writes why a run fails: the text without the table, the logs and colors.
func (r *Report) WriteFailures(w io.Writer) error {
	t := textReport{Report: r, style: style{withoutLogs: true}}
	problems, err := r.Explain(false)
	io.WriteString(w, strings.TrimLeft(problems, "\n"))
	t.Overall = slices.DeleteFunc(slices.Clone(r.Overall), func(c record.Check) bool { return c.Passed })
	t.overall()
	t.baselines()
	if r.Exit == exit.Nothing {
		t.skips()
	}
	fmt.Fprintln(&t.b, r.Summary())
	t.whatNext()
	io.WriteString(w, t.b.String())
	return err
}

// textReport is a report for people while it is written.
type textReport struct {
	*Report
	style
	b strings.Builder

	manyArchs, manyPlatforms bool // the targets have several
	width                    int  // of the screen; 0 for none
	folded                   bool // the table has a row for each folder
	measured, loads          listing
}

// cell shows a passed case by its first metric, any other by its outcome.
func (t *textReport) cell(c *result.Result) string {
	o := c.Outcome()
	switch note := c.Note(); {
	case o == result.Flaky && c.FailsRun():
		return t.paint(text.FgRed, strings.ToUpper(string(o)))
	case o == result.Flaky:
		return t.outcome(o)
	case note != "":
		return t.paint(text.FgYellow, "ok, "+note)
	case o == result.Passed && len(c.Record.Metrics) > 0:
		m := c.Record.Metrics[0]
		return t.outcome(o) + " " + shortMetric(m.Value, m.Unit)
	}
	return t.outcome(o)
}

// outcome writes an outcome in its color. One that fails the run is in capitals.
func (t *textReport) outcome(o result.Outcome) string {
	switch o {
	case result.Passed:
		return t.paint(text.FgGreen, "ok")
	case result.Skipped:
		return t.paint(text.FgYellow, "skip")
	case result.Flaky, result.KnownFailure, result.NotRun:
		return t.paint(text.FgYellow, string(o))
	}
	return t.paint(text.FgRed, strings.ToUpper(string(o)))
}

// shortMetric writes a metric for a table: numbers are rounded, and long texts are cut.
func shortMetric(v any, unit string) string {
	value := cell(fmt.Sprint(v))
	if f, ok := v.(float64); ok {
		if unit == "s" {
			return units.FormatSeconds(f)
		}
		value = strconv.FormatFloat(f, 'g', 3, 64)
	}
	if unit == "bytes" {
		unit = "B"
	}
	return strings.TrimSpace(value + " " + cell(unit))
}

// longestCell is the most characters of a value in a table, whose columns are as wide as their longest cell.
const longestCell = 60

// cell returns the beginning of a value, on one line.
func cell(value string) string {
	return text.Snip(strings.ReplaceAll(value, "\n", " "), longestCell, "…")
}

// overall writes the expectations over several cases.
func (t *textReport) overall() {
	if len(t.Overall) > 0 {
		t.b.WriteString("\nover all\n")
	}
	for _, c := range t.Overall {
		mark := t.paint(text.FgGreen, "ok")
		if !c.Passed {
			mark = t.paint(text.FgRed, "FAILED")
		}
		fmt.Fprintf(&t.b, "  %s %s: %s\n", mark, c.Text, c.Have)
	}
}

// baselines writes which cases are gone, and the changes of --update.
func (t *textReport) baselines() {
	if len(t.Gone) > 0 {
		t.b.WriteString("\n" + t.paint(text.FgRed, "GONE") +
			" from the run, but in a baseline (roclua run --update removes them)\n")
	}
	for _, name := range t.names(group.Names(t.goneIDs())) {
		fmt.Fprintf(&t.b, "  %s\n", name)
	}
	for _, note := range t.Otherwise {
		fmt.Fprintf(&t.b, "\n%s\n", note)
	}
	if t.Updated != "" {
		fmt.Fprintf(&t.b, "\n%s", t.Updated)
	}
}

// whatNext names the most severe of several problems, and the command that runs the cases that failed.
func (t *textReport) whatNext() {
	failures := t.Failures()
	if len(failures) > 1 {
		fmt.Fprintf(&t.b, "look first at  %s: %s\n", failures[0].Title, failures[0].Headline)
	}
	if t.Again != "" && slices.ContainsFunc(t.Results, (*result.Result).FailsRun) {
		fmt.Fprintf(&t.b, "run again      %s\n", t.Again)
	}
}

// flaky lists the cases that passed after they had failed, and do not fail the run, with the first problem of each
// failed attempt.
func (t *textReport) flaky() {
	title := "\nflaky\n"
	for _, c := range t.Results {
		if c.Outcome() != result.Flaky || c.FailsRun() {
			continue
		}
		fmt.Fprintf(&t.b, "%s  %s\n", title, c.ID)
		for i, problem := range c.Record.Retried {
			fmt.Fprintf(&t.b, "    attempt %d: %s\n", i+1, problem)
		}
		title = ""
	}
}

// mostDefects bounds the known defects without --verbose.
const mostDefects = 5

// defects lists the known defects that concern calls, each once: those that concern most cases first.
func (t *textReport) defects() {
	cases, calls := map[string]int{}, map[string]int{}
	var list []record.Defect
	for _, c := range t.Results {
		for _, d := range c.Record.Defects {
			if calls[d.ID] == 0 {
				list = append(list, d)
			}
			calls[d.ID] += d.Calls
		}
		for _, id := range c.Record.Defects.IDs() {
			cases[id]++
		}
	}
	if list == nil {
		return
	}
	slices.SortStableFunc(list, func(a, b record.Defect) int {
		certain := func(d record.Defect) int { return strings.Compare(string(d.Level), "certain") }
		return cmp.Or(certain(a)-certain(b), cases[b.ID]-cases[a.ID])
	})
	t.b.WriteString("\nknown defects of the libraries, which the numbers do not have (roclua docs ID)\n")
	shown := t.atMost(len(list), mostDefects)
	for _, d := range list[:shown] {
		fmt.Fprintf(&t.b, "  %s: %s, %s; %s in %s\n", d.ID, strings.ReplaceAll(string(d.Kind), "_", " "), d.Level,
			units.Count(calls[d.ID], "call"), units.Count(cases[d.ID], "case"))
	}
	if more := len(list) - shown; more > 0 {
		fmt.Fprintf(&t.b, "  and %d more; --verbose lists them\n", more)
	}
}

// maxReasons is the largest number of reasons for skipped cases that are listed without --verbose.
const maxReasons = 5

// skips groups the skipped cases and rows by their reason: first those that the last run had not, then the most
// frequent ones.
func (t *textReport) skips() {
	counts := map[string]int{}
	var fresh, order []string
	add := func(list *[]string, reason string, n int) {
		if counts[reason] == 0 {
			*list = append(*list, reason)
		}
		counts[reason] += n
	}
	for _, c := range t.Results {
		switch reason := c.Record.Skipped; {
		case t.isNewSkip(c):
			add(&fresh, reason+" (not in the last run)", 1)
		case c.Record.WasSkipped():
			add(&order, reason, 1)
		}
		for _, rows := range c.Record.SkippedRows {
			add(&order, rows.Reason+" (rows of cases)", rows.Rows)
		}
	}
	switch {
	case t.Exit == exit.Nothing:
		t.b.WriteString("\n" + t.paint(text.FgRed, "NOTHING RAN") + ": every case was skipped\n")
	case len(counts) > 0:
		t.b.WriteString("\nskipped\n")
	}
	slices.SortStableFunc(order, func(a, b string) int { return counts[b] - counts[a] })
	shown := len(fresh) + t.atMost(len(order), maxReasons)
	order = append(fresh, order...)
	for _, reason := range order[:shown] {
		fmt.Fprintf(&t.b, "  %3d  %s\n", counts[reason], reason)
	}
	left := 0
	for _, reason := range order[shown:] {
		left += counts[reason]
	}
	if left > 0 {
		fmt.Fprintf(&t.b, "  %3d  for %d other reasons; --verbose lists them\n", left, len(order)-shown)
	}
}

// faults counts the allocations that failed by injection, in the cases that have a plan for it, and the cases that
// passed because nothing was injected.
func (t *textReport) faults() {
	planned, met, injected, untested := 0, 0, 0, 0
	for _, c := range t.Results {
		if !c.InjectsFaults || c.Record.WasSkipped() {
			continue
		}
		planned++
		injected += c.Record.Stats.Injected
		if c.Record.Stats.Injected > 0 {
			met++
		}
		if c.Note() != "" {
			untested++
		}
	}
	if planned > 0 {
		fmt.Fprintf(&t.b, "\nfaults\n  %s failed by fault injection, in %d of %s\n",
			units.Count(injected, "allocation"), met, units.Count(planned, "case"))
	}
	if untested > 0 {
		fmt.Fprintf(&t.b, "  nothing was injected in %s: too few allocations match\n",
			units.Count(untested, "passed case"))
	}
}
