// Package page writes HTML pages of pictures, text and tables. A page is one file without scripts, which needs no
// network.
package page

import (
	_ "embed"
	"html/template"
	"io"
	"sync"
)

//go:embed page.html
var text string

var parsed = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(text)) })

// Page is a document.
type Page struct {
	Title    string // of the window
	Heading  string
	Sections []Section
}

// Section is a part of a page. What is empty is left out.
type Section struct {
	Title   string
	Picture template.HTML // SVG
	About   string        // a paragraph about the picture
	Text    string        // as in a terminal
	Table   *Table
}

// Table is rows of cells.
type Table struct {
	Columns []Column
	Rows    [][]Cell
}

// Column is a column of a table.
type Column struct {
	Name   string
	Number bool // numbers are aligned on the right
}

// Cell is a cell of a table.
type Cell struct {
	Text string
	Pale bool // the text says what is expected
}

// mostRows bounds the tables of a page.
const mostRows = 1000

// Shown returns the rows that the page shows.
func (t *Table) Shown() [][]Cell { return t.Rows[:min(len(t.Rows), mostRows)] }

// More returns how many rows the page does not show.
func (t *Table) More() int { return len(t.Rows) - len(t.Shown()) }

// Write writes the page.
func (p *Page) Write(w io.Writer) error { return parsed().Execute(w, p) }

// Cells returns cells with texts.
func Cells(texts ...string) []Cell {
	list := make([]Cell, len(texts))
	for i, text := range texts {
		list[i].Text = text
	}
	return list
}
