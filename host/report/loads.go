package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/host/answer"
	"roclua/host/result"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// addLoad adds a row for the workload of a case and for each of its named events.
func (l *listing) addLoad(c *result.Result) {
	load := c.Record.Load
	if load == nil {
		return
	}
	var rows []listed
	for _, cells := range loadRows(c) {
		rows = append(rows, listed{cells: cells, simulated: record.TimesOf(load.Simulated, load.Model)})
	}
	if note := loadNote(load); note != "" {
		rows[0].notes = []string{c.ID + ": " + note}
	}
	l.add(rows...)
	if load.Events > 0 {
		l.histogram = histogram(&load.Latency)
	}
}

// The rows and the longest bar of a histogram.
const (
	histogramRows = 12
	longestBar    = 40
)

// histogram is a table of the latencies, with a bar for each range. Ranges with many buckets have several in a row.
func histogram(q *record.Latencies) *answer.Table {
	t, most := answer.NewTable("latency up to", "events", "").Numbers(0, 1).Spare(2), int64(1)
	var ranges []record.Bucket
	for list := range slices.Chunk(q.Histogram, 1+(len(q.Histogram)-1)/histogramRows) {
		sum := record.Bucket{Most: list[len(list)-1].Most}
		for _, b := range list {
			sum.Events += b.Events
		}
		ranges, most = append(ranges, sum), max(most, sum.Events)
	}
	for _, b := range ranges {
		bar := strings.Repeat("■", int((b.Events*longestBar+most-1)/most))
		t.Row(units.FormatSeconds(b.Most), units.Thousands(uint64(b.Events)), bar)
	}
	return t
}

// loadRows returns the row of all events of a workload, and those of its named events.
func loadRows(c *result.Result) [][]string {
	load := c.Record.Load
	rows := [][]string{loadRow(c.ID, "all", load.Events, load, &load.Latency)}
	for i := range load.Named {
		n := &load.Named[i]
		rows = append(rows, loadRow(c.ID, n.Name, n.Events, load, &n.Latencies))
	}
	return rows
}

func loadRow(id, name string, events int64, l *record.Load, q *record.Latencies) []string {
	rate := "-"
	if counted := l.Seconds - l.Warmup; counted > 0 {
		rate = strconv.FormatFloat(float64(events)/counted, 'f', 1, 64)
	}
	row := []string{id, name, fmt.Sprint(l.Clients), fmt.Sprint(events), rate}
	for _, seconds := range []float64{q.P50, q.P90, q.P99, q.P999, q.Max} {
		cell := "-"
		if events > 0 {
			cell = units.FormatSeconds(seconds)
		}
		row = append(row, cell)
	}
	return row
}

func loadNote(l *record.Load) string {
	var notes []string
	if l.Stopped != "duration" && l.Stopped != "count" {
		notes = append(notes, "ended early: "+l.Stopped)
	}
	if n := l.Failed(); n > 0 {
		notes = append(notes, fmt.Sprintf("%d events failed", n))
	}
	if l.Dropped > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d arrivals dropped", l.Dropped, l.Arrivals))
	}
	if l.Late > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d arrivals began late with an idle client", l.Late, l.Arrivals))
	}
	return strings.Join(notes, ", ")
}

// loadHeader has the columns of loadRow.
var loadHeader = []string{"case", "event", "clients", "events", "events/s", "p50", "p90", "p99", "p99.9", "longest"}
