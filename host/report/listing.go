package report

import (
	"fmt"
	"strings"

	"roclua/host/answer"
)

// The largest number of rows of a listing, without and with --verbose, and of one next to a table that is folded.
const (
	mostRows   = wholeTable
	allRows    = 200
	foldedRows = 5
)

// listing is a table of measurements of cases: two columns of text, then numbers.
type listing struct {
	rows  []listed
	cases int // with rows
	left  int // rows beyond allRows

	histogram *answer.Table // of the latencies of the last case
}

type listed struct {
	cells     []string
	simulated string // whose times they are, if not a real device's
	notes     []string
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
func (t *textReport) list(l *listing, title string, header []string) {
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
		l.write(&t.b, title, header, min(most, len(l.rows)), t.width)
	}
}

// write writes the first rows as a table with its title, and their notes.
func (l *listing) write(b *strings.Builder, title string, header []string, shown, width int) {
	t, simulated, notes := answer.NewTable(header...), "", []string(nil)
	for i := range header[2:] {
		t.Numbers(i + 2)
	}
	for _, row := range l.rows[:shown] {
		t.Row(row.cells...)
		notes = append(notes, row.notes...)
		if row.simulated != "" {
			simulated = " (on cpu: " + row.simulated + ")"
		}
	}
	fmt.Fprintf(b, "\n%s%s\n%s", title, simulated, t.Spare(spare[title]...).Text(width))
	for _, note := range notes {
		b.WriteString("  " + note + "\n")
	}
	if left := len(l.rows) + l.left - shown; left > 0 {
		fmt.Fprintf(b, "  %d more; --verbose lists %d, --out json has all\n", left, allRows)
	}
}

// spare are the columns of listings that a narrow screen leaves out, the first one first.
var spare = map[string][]int{"measured": {6, 4, 8, 3, 7}, "workloads": {2, 8, 6, 4}}
