package report

import (
	"fmt"
	"io"
	"strings"

	"roclua/host/exit"
	"roclua/host/report/group"
	"roclua/host/report/page"
	"roclua/host/report/timeline"
	"roclua/host/result"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// WriteHTML writes a page with a table of the cases and pictures of their memory over time.
func (r *Report) WriteHTML(w io.Writer) error {
	d := &page.Document{Title: "roclua: " + r.Config.File(), Machine: machineText(r.Environment()),
		Passed: r.Exit == exit.Pass, Summary: r.Summary(), Failures: r.pageFailures(),
		Scenarios: map[string]page.Scenario{}, Measured: measurementHeader[1:], Loads: loadHeader[1:],
		Command: strings.Join(r.Argv, " "),
		Subtitle: fmt.Sprintf("version %s · seed %d · %s", r.Version, r.Config.Seed,
			r.Started.Format("2006-01-02 15:04:05 MST"))}
	for _, p := range r.Profiles {
		d.Builds = append(d.Builds, p.String())
	}
	for _, c := range r.Overall {
		d.Overall = append(d.Overall, page.Check{Text: c.Text, Have: c.Have, Passed: c.Passed})
	}
	for _, c := range r.Results {
		d.Scenarios[c.Scenario] = page.Scenario{About: c.About, Source: c.Source, Script: c.Script}
	}
	return d.Write(w, func(add func(*page.Case) error) error {
		return r.Each(func(_ int, c *result.Result) error { return add(pageCase(d, c)) })
	})
}

func pageCase(d *page.Document, c *result.Result) *page.Case {
	stats := c.Record.Stats
	_, target, _ := strings.Cut(c.ID, "@")
	out := &page.Case{ID: c.ID, Scenario: c.Scenario, Label: c.ParamText(), Scheme: c.Scheme,
		Target: target, Outcome: string(c.Outcome()), Bad: c.FailsRun(),
		Seconds: c.Record.Seconds, Log: c.Record.Log, Why: dedent(explainQuietly(c)), Note: c.Note(),
		Peak: stats.PeakBytes, Calls: result.Sum(stats.Calls), Syncs: result.Sum(stats.Syncs), Kernels: stats.Kernels}
	for _, m := range c.Record.Metrics {
		out.Metrics = append(out.Metrics, page.Metric{Name: m.Name, Value: result.FormatValue(m.Value), Unit: m.Unit})
	}
	for i := range c.Record.Measurements {
		out.Measured = append(out.Measured, pageMeasured(&c.Record.Measurements[i]))
	}
	if l := c.Record.Load; l != nil {
		for _, row := range loadRows(c) {
			out.Loads = append(out.Loads, row[1:])
		}
		if len(l.Intervals) > 0 {
			out.Load = l
		}
	}
	switch {
	case c.Record.WasSkipped():
	case c.HistoryMissing:
		out.NoTimeline = "The calls of this case over time are not known: an earlier run finished it, " +
			"and no output of that run needed them."
	default:
		d.Use(out, timeline.Of(c.Record.History))
	}
	return out
}

// machineText describes the machine, and the revision of the project when it is known; "" for merged runs that do not
// say where they ran.
func machineText(e *record.Environment) string {
	if e == nil {
		return ""
	}
	parts := []string{fmt.Sprintf("%s/%s, %s", e.OS, e.CPUArch, units.Count(e.CPUs, "processor"))}
	if e.Host != "" {
		parts = append([]string{"host " + e.Host}, parts...)
	}
	if r := e.Revision; r != nil {
		text := "git revision " + r.Commit[:min(12, len(r.Commit))]
		if r.Branch != "" {
			text += " (" + r.Branch + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " · ")
}

// pageFailures describes the reasons why the run does not pass, but for expectations over several cases, which the page
// lists apart.
func (r *Report) pageFailures() []page.Failure {
	index := map[*result.Result]int{}
	for i, c := range r.Results {
		index[c] = i
	}
	var list []page.Failure
	for _, why := range r.reasons() {
		if why.outcome == string(result.Failed) && why.ids == nil {
			continue
		}
		out := page.Failure{Outcome: why.outcome, Headline: why.headline, Text: why.headline, Cases: []int{},
			Names: style{verbose: true}.names(group.Names(why.ids))}
		if why.problems != nil {
			out.Text = problemsText(why.problems)
			for _, c := range why.problems.Cases {
				out.Cases = append(out.Cases, index[c])
			}
		}
		list = append(list, out)
	}
	return list
}

func problemsText(f *group.Failure) string {
	var b strings.Builder
	for _, p := range f.Problems {
		style{verbose: true}.explainProblem(&b, f, p)
	}
	return dedent(b.String())
}

// dedent removes the indentation of the text report.
func dedent(text string) string {
	return strings.TrimPrefix(strings.TrimRight(strings.ReplaceAll("\n"+text, "\n  ", "\n"), "\n"), "\n")
}
