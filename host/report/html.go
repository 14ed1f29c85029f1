package report

import (
	"fmt"
	"io"
	"strings"

	"roclua/host/exit"
	"roclua/host/report/page"
	"roclua/host/report/timeline"
	"roclua/host/result"
)

// writeHTML writes a page with a table of the cases and pictures of their memory over time.
func writeHTML(w io.Writer, r *Report) error {
	d := &page.Document{Title: "roclua: " + r.Config.File(), Passed: r.Exit == exit.Pass, Summary: r.Summary(),
		Scenarios: map[string]page.Scenario{},
		Subtitle: fmt.Sprintf("%s · version %s · seed %d · %s", strings.Join(r.Argv, " "), r.Version, r.Config.Seed,
			r.Started.Format("2006-01-02 15:04:05 MST"))}
	for _, c := range r.Overall {
		d.Overall = append(d.Overall, page.Check{Text: c.Text, Have: c.Have, Passed: c.Passed})
	}
	for _, c := range r.Results {
		d.Scenarios[c.Scenario] = page.Scenario{About: c.About, Source: c.Source, Script: c.Script}
		d.Cases = append(d.Cases, pageCase(d, c))
	}
	return page.Write(w, d)
}

func pageCase(d *page.Document, c *result.Result) page.Case {
	stats := c.Record.Stats
	out := page.Case{ID: c.ID, Scenario: c.Scenario, Label: c.ParamText(), Scheme: c.Scheme,
		Target: strings.SplitN(c.ID, "@", 2)[1], Outcome: string(c.Outcome()), Bad: c.FailsRun(),
		Seconds: c.Record.Seconds, Log: c.Record.Log,
		Why: explainQuietly(c), Peak: stats.PeakBytes, Calls: result.Sum(stats.Calls), Syncs: result.Sum(stats.Syncs),
		Kernels: stats.Kernels}
	for _, m := range c.Record.Metrics {
		out.Metrics = append(out.Metrics, page.Metric{Name: m.Name, Value: result.FormatValue(m.Value), Unit: m.Unit})
	}
	switch {
	case c.Record.Skipped != "":
	case c.HistoryMissing:
		out.NoTimeline = "The calls of this case over time are not known: an earlier run finished it, " +
			"and no output of that run needed them."
	default:
		line := timeline.Of(c.Record.History)
		out.HandlePeak, out.Growths, out.Timeline = line.HandlePeak(), line.Growths(), d.Pack(line)
	}
	return out
}
