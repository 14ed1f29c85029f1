package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/host/result"
	"roclua/luabind/record"
)

// The largest number of measurements that the text report lists, and that --verbose lists.
const (
	mostMeasurements = wholeTable
	allMeasurements  = 200
)

// measurements are the rows of the measurements of all cases.
type measurements struct {
	most      int
	rows      []table.Row
	notes     []string
	left      int
	simulated bool
}

func (m *measurements) add(c *result.Result) {
	for i := range c.Record.Measurements {
		if len(m.rows) == m.most {
			m.left += len(c.Record.Measurements) - i
			return
		}
		one := &c.Record.Measurements[i]
		m.rows = append(m.rows, measurementRow(c.ID, one))
		m.simulated = m.simulated || one.Simulated
		for _, note := range one.Notes {
			m.notes = append(m.notes, fmt.Sprintf("%s %s: %s", c.ID, one.Name, note))
		}
	}
}

func measurementRow(id string, m *record.Measurement) table.Row {
	rate := func(count float64) string {
		if perSecond := m.PerSecond(count); perSecond > 0 {
			return strconv.FormatFloat(perSecond/1e9, 'f', 1, 64)
		}
		return "-"
	}
	noise := fmt.Sprintf("%.2g %%", 100*m.Noise)
	if m.Stopped != "noise" {
		noise += " (" + m.Stopped + ")"
	}
	return table.Row{id, m.Name, duration(m.Device.Median), duration(m.Device.P95), duration(m.Host.Median), noise,
		m.Samples, rate(m.Flops), rate(m.Bytes)}
}

// duration writes seconds in the unit that fits.
func duration(seconds float64) string {
	for _, unit := range []struct {
		of   float64
		name string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}} {
		if seconds >= unit.of {
			return strconv.FormatFloat(seconds/unit.of, 'g', 4, 64) + " " + unit.name
		}
	}
	return strconv.FormatFloat(seconds/1e-9, 'f', 0, 64) + " ns"
}

// write writes a table with a row for each measurement, and what spoils some.
func (m *measurements) write(b *strings.Builder) {
	if len(m.rows) == 0 {
		return
	}
	b.WriteString("\nmeasured")
	if m.simulated {
		b.WriteString(" (on cpu: times of the simulated device)")
	}
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Format.Header = text.FormatDefault
	w.AppendHeader(table.Row{"case", "call", "device", "95 %", "host", "noise", "samples", "GFLOP/s", "GB/s"})
	w.AppendRows(m.rows)
	columns := []table.ColumnConfig{{Number: 1, AutoMerge: true}}
	for i := 3; i <= 9; i++ {
		columns = append(columns, table.ColumnConfig{Number: i, Align: text.AlignRight})
	}
	w.SetColumnConfigs(columns)
	b.WriteString("\n" + w.Render() + "\n")
	for _, note := range m.notes {
		b.WriteString("  " + note + "\n")
	}
	if m.left > 0 {
		fmt.Fprintf(b, "  %d more; --verbose lists %d, --out json has all\n", m.left, allMeasurements)
	}
}
