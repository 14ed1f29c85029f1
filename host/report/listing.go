package report

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// listing is a table of what cases measured: two columns of text, then numbers.
type listing struct {
	most      int // the largest number of rows
	rows      []table.Row
	notes     []string
	left      int // rows beyond most
	simulated bool
}

// newTable returns a table in the style of the report.
func newTable() table.Writer {
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Format.Header = text.FormatDefault
	return w
}

// add adds a row, unless there are enough, and reports whether it did.
func (l *listing) add(row table.Row, simulated bool) bool {
	if len(l.rows) == l.most {
		l.left++
		return false
	}
	l.rows, l.simulated = append(l.rows, row), l.simulated || simulated
	return true
}

// write writes the table with its title, and its notes. more says where the rows are that are left out.
func (l *listing) write(b *strings.Builder, title string, header table.Row, more string) {
	if len(l.rows) == 0 {
		return
	}
	b.WriteString("\n" + title)
	if l.simulated {
		b.WriteString(" (on cpu: times of the simulated device)")
	}
	w := newTable()
	w.AppendHeader(header)
	w.AppendRows(l.rows)
	columns := []table.ColumnConfig{{Number: 1, AutoMerge: true}}
	for i := 3; i <= len(header); i++ {
		columns = append(columns, table.ColumnConfig{Number: i, Align: text.AlignRight})
	}
	w.SetColumnConfigs(columns)
	b.WriteString("\n" + w.Render() + "\n")
	for _, note := range l.notes {
		b.WriteString("  " + note + "\n")
	}
	if l.left > 0 {
		fmt.Fprintf(b, "  %d more; %s\n", l.left, more)
	}
}
