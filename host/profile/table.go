package profile

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"roclua/input"
	"roclua/internal/escape"
)

// row is a line of a script in the table.
type row struct {
	file        string
	line        int
	self, total time.Duration
	calls       time.Duration // part of self spent in host functions
}

// rows returns the lines of scripts by descending time.
func (l *Lua) rows() (list []*row, all time.Duration) {
	type line struct {
		file string
		line int
	}
	byLine := map[line]*row{}
	for _, s := range l.samples {
		all += s.time
		counted := map[*row]bool{}
		for i, at := range s.stack {
			p := l.places[at]
			if p.Host != "" {
				continue
			}
			r := byLine[line{p.File, p.Line}]
			if r == nil {
				r = &row{file: p.File, line: p.Line}
				byLine[line{p.File, p.Line}] = r
				list = append(list, r)
			}
			if len(counted) == 0 {
				r.self += s.time
				if i > 0 {
					r.calls += s.time
				}
			}
			if !counted[r] {
				counted[r] = true
				r.total += s.time
			}
		}
	}
	slices.SortFunc(list, func(a, b *row) int {
		return cmp.Or(cmp.Compare(b.self, a.self), cmp.Compare(b.total, a.total), cmp.Compare(a.file, b.file),
			cmp.Compare(a.line, b.line))
	})
	return list, all
}

// most is the maximum number of lines in the table.
const most = 20

// maxSource is the maximum number of source characters shown in a row.
const maxSource = 60

// Table writes the lines with the most time, with their text if the file is readable.
func (l *Lua) Table(w io.Writer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	list, all := l.rows()
	if len(list) == 0 {
		_, err := fmt.Fprintf(w, "no line of a script took %s or more\n", 10*time.Microsecond)
		return err
	}
	fmt.Fprintf(w, "scripts took %s; the lines that took most, self and with the functions of scripts they call:\n",
		seconds(all))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "self\t\tin library\ttotal\t  line\n")
	texts := map[string][]string{}
	for _, r := range list[:min(most, len(list))] {
		if texts[r.file] == nil {
			source, _ := input.File(r.file, input.Script)
			texts[r.file] = strings.Split(string(source), "\n")
		}
		fmt.Fprintf(table, "%s\t%.1f %%\t%s\t%s\t  %s:%d%s\n", seconds(r.self), 100*float64(r.self)/float64(all),
			seconds(r.calls), seconds(r.total), escape.Text(r.file), r.line, text(texts[r.file], r.line))
	}
	err := table.Flush()
	if rest := len(list) - most; rest > 0 && err == nil {
		_, err = fmt.Fprintf(w, "%d further lines took less\n", rest)
	}
	return err
}

// text returns the source text of a line, to be shown after its place.
func text(lines []string, line int) string {
	if line > len(lines) {
		return ""
	}
	text := []rune(strings.TrimSpace(strings.ReplaceAll(escape.Text(lines[line-1]), "\t", " ")))
	if len(text) > maxSource {
		text = append(text[:maxSource-1], '…')
	}
	if len(text) == 0 {
		return ""
	}
	return "  " + string(text)
}

// seconds shows a time with three digits or fewer after the point.
func seconds(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.0f µs", float64(d)/float64(time.Microsecond))
}
