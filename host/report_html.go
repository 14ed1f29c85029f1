package host

import (
	"fmt"
	"io"
	"strings"

	"roclua/host/exit"
	"roclua/host/page"
	"roclua/host/timeline"
)

// writeHTML writes the page with the pictures.
func writeHTML(w io.Writer, r *report) error {
	d := &page.Document{Title: "roclua: " + r.cfg.File(), Passed: r.exit == exit.Pass, Summary: r.sum(), Scenarios: map[string]page.Scenario{},
		Subtitle: fmt.Sprintf("%s · version %s · seed %d · %s", strings.Join(r.argv, " "), version(), r.cfg.Seed, r.started.Format("2006-01-02 15:04:05 MST"))}
	for _, c := range r.overall {
		d.Overall = append(d.Overall, page.Check{Text: c.Text, Have: c.Have, Passed: c.Passed})
	}
	for _, c := range r.results {
		d.Scenarios[c.scenario.name] = page.Scenario{About: c.scenario.declared.About, Source: c.scenario.declared.Source, Script: c.scenario.script.Name}
		d.Cases = append(d.Cases, r.pageCase(d, c))
	}
	return page.Write(w, d)
}

func (r *report) pageCase(d *page.Document, c *result) page.Case {
	stats := c.record.Stats
	out := page.Case{ID: c.id, Scenario: c.scenario.name, Label: strings.TrimSpace(strings.TrimPrefix(c.label(), c.scenario.name)), Scheme: c.Scheme,
		Target: strings.SplitN(c.id, "@", 2)[1], Outcome: string(c.outcome()), Bad: c.bad(), Seconds: c.record.Seconds, Log: c.record.Log,
		Why: r.why(c), Peak: stats.PeakBytes, Calls: total(stats.Calls), Syncs: total(stats.Syncs), Kernels: stats.Kernels}
	for _, m := range c.record.Metrics {
		out.Metrics = append(out.Metrics, page.Metric{Name: m.Name, Value: formatValue(m.Value), Unit: m.Unit})
	}
	switch {
	case c.record.Skipped != "":
	case c.untold:
		out.Untold = "What happened in this case over time is not known: an earlier run finished it, and kept that for no page or trace."
	default:
		line := timeline.Of(c.record.History)
		out.HandlePeak, out.Growths, out.Timeline = line.HandlePeak(), line.Growths(), d.Pack(line)
	}
	return out
}

// why explains a case that did not pass, without the log, which the page has a place of its own for.
func (r *report) why(c *result) string {
	switch c.outcome() {
	case passed:
		return ""
	case skippedCase:
		return c.record.Skipped
	case knownFailure:
		return "known to fail: " + c.known
	}
	plain := report{}
	quiet := *c
	record := *c.record
	record.Log = ""
	quiet.record = &record
	var b strings.Builder
	plain.explain(&b, &quiet)
	_, why, _ := strings.Cut(strings.TrimSpace(b.String()), "\n") // the first line is the outcome and the id
	return why
}
