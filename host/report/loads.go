package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/host/result"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// mostLoads is the largest number of rows of loads that the text report has.
const mostLoads = 60

// loads are the rows of the workloads of all cases.
type loads struct {
	rows      []table.Row
	notes     []string
	left      int
	simulated bool
}

func (l *loads) add(c *result.Result) {
	load := c.Record.Load
	if load == nil {
		return
	}
	rows := []table.Row{loadRow(c.ID, "", load.Events, load, &load.Latency)}
	for i := range load.Named {
		n := &load.Named[i]
		rows = append(rows, loadRow(c.ID, n.Name, n.Events, load, &n.Latencies))
	}
	kept := min(len(rows), mostLoads-len(l.rows))
	l.rows, l.left = append(l.rows, rows[:kept]...), l.left+len(rows)-kept
	l.simulated = l.simulated || load.Simulated
	if note := loadNote(load); note != "" && kept > 0 {
		l.notes = append(l.notes, c.ID+": "+note)
	}
}

func loadRow(id, name string, events int64, l *record.Load, q *record.Latencies) table.Row {
	rate := "-"
	if l.Seconds > 0 {
		rate = strconv.FormatFloat(float64(events)/l.Seconds, 'f', 1, 64)
	}
	row := table.Row{id, name, l.Clients, events, rate}
	for _, seconds := range []float64{q.P50, q.P90, q.P99, q.P999, q.Max} {
		cell := "-"
		if events > 0 {
			cell = units.FormatSeconds(seconds)
		}
		row = append(row, cell)
	}
	return row
}

// loadNote says what else a reader of a load should know.
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

// write writes a table with a row for each workload and for each of its named events.
func (l *loads) write(b *strings.Builder) {
	if len(l.rows) == 0 {
		return
	}
	b.WriteString("\nworkloads")
	if l.simulated {
		b.WriteString(" (on cpu: times of the simulated device)")
	}
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Format.Header = text.FormatDefault
	w.AppendHeader(table.Row{"case", "event", "clients", "events", "a second", "p50", "p90", "p99", "p99.9", "longest"})
	w.AppendRows(l.rows)
	columns := []table.ColumnConfig{{Number: 1, AutoMerge: true}}
	for i := 3; i <= 10; i++ {
		columns = append(columns, table.ColumnConfig{Number: i, Align: text.AlignRight})
	}
	w.SetColumnConfigs(columns)
	b.WriteString("\n" + w.Render() + "\n")
	for _, note := range l.notes {
		b.WriteString("  " + note + "\n")
	}
	if l.left > 0 {
		fmt.Fprintf(b, "  %d more; --out json has all\n", l.left)
	}
}
