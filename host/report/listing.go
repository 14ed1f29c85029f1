package report

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// The largest number of rows of a listing, without and with --verbose, and of one next to a table that is folded.
const (
	mostRows   = wholeTable
	allRows    = 200
	foldedRows = 5
)

// listing is a table of what cases measured: two columns of text, then numbers.
type listing struct {
	rows  []listed
	cases int // with rows
	left  int // rows beyond allRows
}

// listed is a row of a listing.
type listed struct {
	cells     table.Row
	simulated bool
	notes     []string
}

// newTable returns a table in the style of the report.
func newTable() table.Writer {
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Format.Header = text.FormatDefault
	return w
}

// add adds the rows of a case, unless there are enough.
func (l *listing) add(rows ...listed) {
	if len(rows) > 0 {
		l.cases++
	}
	kept := min(len(rows), allRows-len(l.rows))
	l.rows = append(l.rows, rows[:kept]...)
	l.left += len(rows) - kept
}

// list writes a listing with its title. Next to a folded table that is mostly about other cases it writes the number of
// rows instead.
func (t *textReport) list(l *listing, title string, header table.Row) {
	n := len(l.rows) + l.left
	most := mostRows
	if t.verbose {
		most = allRows
	}
	switch {
	case n == 0:
	case t.folded && n > foldedRows && 2*l.cases < len(t.Results):
		fmt.Fprintf(&t.b, "\n%s\n  %d rows of %d cases; --verbose lists %d\n", title, n, l.cases, min(n, allRows))
	default:
		l.write(&t.b, title, header, min(most, len(l.rows)))
	}
}

// write writes the first rows as a table with its title, and their notes.
func (l *listing) write(b *strings.Builder, title string, header table.Row, shown int) {
	w, simulated, notes := newTable(), "", []string(nil)
	w.AppendHeader(header)
	for _, row := range l.rows[:shown] {
		w.AppendRow(row.cells)
		notes = append(notes, row.notes...)
		if row.simulated {
			simulated = " (on cpu: times of the machine that simulates the device)"
		}
	}
	columns := []table.ColumnConfig{{Number: 1, AutoMerge: true}}
	for i := 3; i <= len(header); i++ {
		columns = append(columns, table.ColumnConfig{Number: i, Align: text.AlignRight})
	}
	w.SetColumnConfigs(columns)
	fmt.Fprintf(b, "\n%s%s\n%s\n", title, simulated, w.Render())
	for _, note := range notes {
		b.WriteString("  " + note + "\n")
	}
	if left := len(l.rows) + l.left - shown; left > 0 {
		fmt.Fprintf(b, "  %d more; --verbose lists %d, --out json has all\n", left, allRows)
	}
}
