package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/host/report/page"
	"roclua/host/result"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// addMeasurements adds a row for each measurement of a case, with its caveats.
func (l *listing) addMeasurements(c *result.Result) {
	var rows []listed
	for i := range c.Record.Measurements {
		one := &c.Record.Measurements[i]
		row := listed{cells: measurementRow(c.ID, one), simulated: record.TimesOf(one.Simulated, one.Model)}
		for _, note := range one.Notes {
			row.notes = append(row.notes, fmt.Sprintf("%s %s: %s", c.ID, one.Name, note))
		}
		rows = append(rows, row)
	}
	l.add(rows...)
}

func measurementRow(id string, m *record.Measurement) []string {
	name, rates := m.Name, m.Rates()
	if m.Simulated {
		name += " (simulated)"
	}
	return []string{id, name, units.FormatSeconds(m.Device.Median), units.FormatSeconds(m.Device.P95),
		units.FormatSeconds(m.Host.Median), noiseText(m),
		fmt.Sprint(m.Samples), rateText(rates[0]), rateText(rates[1])}
}

// pageMeasured returns the distribution of a measurement, and its median in the baseline with its error.
func pageMeasured(m *record.Measurement) page.Measured {
	var about []string
	if whose := record.TimesOf(m.Simulated, m.Model); whose != "" {
		about = append(about, whose)
	}
	out := page.Measured{Name: m.Name, Row: measurementRow("", m)[1:], Quantiles: m.Device.Quantiles}
	if b := m.Baseline; b != nil {
		about = append(about, fmt.Sprintf("baseline %s, x%.3f", units.FormatSeconds(b.Median),
			m.Device.Median/b.Median))
		out.Baseline = []float64{b.Median * (1 - b.Noise), b.Median, b.Median * (1 + b.Noise)}
	}
	out.About = strings.Join(append(about, m.Notes...), ", ")
	return out
}

func noiseText(m *record.Measurement) string {
	text := percent(m.Noise)
	if m.Stopped != "noise" {
		text += " (" + m.Stopped + ")"
	}
	return text
}

// percent writes a share with two digits, and one of 100 % or more with all digits of its whole number.
func percent(share float64) string {
	if share >= 1 {
		return fmt.Sprintf("%.0f %%", 100*share)
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}

// rateText writes a rate in 10^9 a second with its share of the device's peak.
func rateText(r record.Rate) string {
	if r.PerSecond <= 0 {
		return "-"
	}
	text := strconv.FormatFloat(r.PerSecond/1e9, 'f', 1, 64)
	if share := r.Share(); share > 0 {
		text += " (" + percent(share) + ")"
	}
	return text
}

// measurementHeader has the columns of measurementRow.
var measurementHeader = []string{"case", "call", "device", "95 %", "host", "noise", "samples", "GFLOP/s", "GB/s"}

// SlowestOfLongRuns lists the slowest cases of runs that take longRun or more.
const SlowestOfLongRuns = -1

const (
	longRun  = 10 // seconds
	ofLonger = 5  // cases listed of such a run
)

func (t *textReport) slowest() {
	n := t.Slowest
	if n == SlowestOfLongRuns {
		if n = 0; t.Seconds >= longRun {
			n = ofLonger
		}
	}
	if n = min(n, len(t.Results)); n <= 0 {
		return
	}
	order := slices.Clone(t.Results)
	slices.SortStableFunc(order, func(a, b *result.Result) int {
		return cmp.Compare(b.Record.Seconds, a.Record.Seconds)
	})
	t.b.WriteString("\nslowest\n")
	for _, c := range order[:n] {
		fmt.Fprintf(&t.b, "  %8s  %s\n", units.FormatSeconds(c.Record.Seconds), c.ID)
	}
}
