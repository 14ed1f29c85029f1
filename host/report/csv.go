package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"

	"roclua/host/result"
)

// writeCSV writes a row for each case: what it is, how it ended, and a column for each metric that any case has.
func writeCSV(w io.Writer, r *Report) error {
	metrics := metricNames(r.Results)
	c := csv.NewWriter(w)
	c.Write(append([]string{"id", "scenario", "scheme", "platform", "profile", "arch", "outcome", "seconds", "problem"},
		metrics...))
	for _, res := range r.Results {
		row := []string{res.ID, res.Scenario, res.Scheme, res.Platform, res.Profile, res.Arch, string(res.Outcome()),
			fmt.Sprintf("%.6f", res.Record.Seconds), res.Headline()}
		have := map[string]any{}
		for _, m := range res.Record.Metrics {
			have[m.Name] = m.Value
		}
		for _, name := range metrics {
			value := ""
			if v, ok := have[name]; ok {
				value = result.FormatValue(v)
			}
			row = append(row, value)
		}
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}

// metricNames lists the metrics of all cases, sorted.
func metricNames(results []*result.Result) []string {
	names := map[string]bool{}
	for _, c := range results {
		for _, m := range c.Record.Metrics {
			names[m.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
