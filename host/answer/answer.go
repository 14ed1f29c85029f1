// Package answer writes the answer of a command, which is plain data, as text, Markdown or a page of HTML. A page is
// one file without scripts, which needs no network.
package answer

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Answer is a list of sections.
type Answer struct {
	Title    string // one line, for Markdown and for the window of a page
	Heading  string // of a page; the title if it is empty
	Sections []Section
}

// Section is a part of an answer. Text leaves out a section without lines, table and list.
type Section struct {
	Heading string
	Picture Picture  // only on pages
	Caption string   // a paragraph about the picture
	Lines   []string // can be indented
	Table   *Table
	Below   []string // lines below the table
	List    []string // items
	Most    int      // of the items that text shows; 0 for no bound
	Width   int      // of an item of text; 0 for no bound
}

// Picture is a picture, such as a chart.
type Picture interface{ WriteSVG(io.Writer) error }

// Table is rows of cells. Its last columns can be of targets that are compared.
type Table struct {
	columns []column
	rows    [][]string
	targets int
	groups  []int // rows above which text has a line
	spare   []int // columns that a narrow screen leaves out, the first one first

	Most int                                // rows that text shows; 0 for all
	Rest []string                           // row of text for the others
	Tone func(column int, cell string) Tone // of cells that stand out; can be nil
	Left bool                               // text has numbers on the left
}

// Tone is how a cell stands out, a color on pages and on terminals.
type Tone string

const (
	Plain Tone = ""
	Pale  Tone = "pale" // as expected
	Good  Tone = "good"
	Warn  Tone = "warn"
	Bad   Tone = "bad"
)

func (t *Table) tone(column int, cell string) Tone {
	switch {
	case cell == differs && column == len(t.columns)-1:
		return Warn
	case t.Tone == nil:
		return Plain
	}
	return t.Tone(column, cell)
}

type column struct {
	name   string
	number bool // aligned on the right
	width  int  // of text; 0 for no bound
	cut    bool // cells of text end at the width, but for a remark in parentheses, and do not wrap
}

// differs marks rows whose targets differ.
const differs = "≠"

// NewTable returns a table with columns of text.
func NewTable(names ...string) *Table {
	t := &Table{}
	for _, name := range names {
		t.columns = append(t.columns, column{name: name})
	}
	return t
}

// Numbers makes columns, from 0, columns of numbers.
func (t *Table) Numbers(columns ...int) *Table {
	for _, i := range columns {
		t.columns[i].number = true
	}
	return t
}

// Wrap bounds the width of a column of text.
func (t *Table) Wrap(column, width int) *Table {
	t.columns[column].width = width
	return t
}

// Cut bounds the width of a column of text, whose cells end there.
func (t *Table) Cut(column, width int) *Table {
	t.columns[column].width, t.columns[column].cut = width, true
	return t
}

// Spare lets a narrow screen leave out columns, the first one first.
func (t *Table) Spare(columns ...int) *Table {
	t.spare = columns
	return t
}

func (t *Table) names() (list []string) {
	for _, c := range t.columns {
		list = append(list, c.name)
	}
	return list
}

// Targets adds columns of numbers for targets, and a column that marks rows where they differ.
func (t *Table) Targets(names []string) *Table {
	for _, name := range names {
		t.columns = append(t.columns, column{name: name, number: true})
	}
	if t.targets = len(names); t.targets > 1 {
		t.columns = append(t.columns, column{})
	}
	return t
}

// Row appends a row. Missing cells are empty.
func (t *Table) Row(cells ...string) { t.rows = append(t.rows, t.whole(cells)) }

// Group begins a group of rows, above which text has a line.
func (t *Table) Group() { t.groups = append(t.groups, len(t.rows)) }

// whole returns a row with all its cells.
func (t *Table) whole(cells []string) []string {
	if t.targets > 1 {
		of := cells[len(cells)-t.targets:]
		if slices.ContainsFunc(of, func(c string) bool { return c != of[0] }) {
			cells = append(cells[:len(cells):len(cells)], differs)
		}
	}
	return append(cells[:len(cells):len(cells)], make([]string, len(t.columns)-len(cells))...)
}

// First returns the first lines of a list, and how many more there are.
func First(list []string, most int, indent string) []string {
	if more := len(list) - most; more > 0 {
		return append(list[:most:most], fmt.Sprintf("%sand %d more", indent, more))
	}
	return list
}

// Said is a text about targets.
type Said struct {
	Text string
	On   string // " on rocm-7.2/gfx90a"; "" for a text about all targets
}

// Each collects the texts about targets in the order of their first appearance, each once.
func Each(targets []string, texts func(target int) []string) []Said {
	on := map[string][]string{}
	var list []Said
	for i, name := range targets {
		for _, text := range texts(i) {
			if on[text] == nil {
				list = append(list, Said{Text: text})
			}
			on[text] = append(on[text], name)
		}
	}
	for i := range list {
		if s := &list[i]; len(on[s.Text]) < len(targets) {
			s.On = " on " + strings.Join(on[s.Text], ", ")
		}
	}
	return list
}

// Lines collects the texts about targets as lines.
func Lines(targets []string, texts func(target int) []string) (lines []string) {
	for _, s := range Each(targets, texts) {
		lines = append(lines, s.Text+s.On)
	}
	return lines
}
