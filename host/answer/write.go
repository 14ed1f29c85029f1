package answer

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"roclua/internal/escape"
)

// WriteMarkdown writes sections for a comment on a pull request.
func (a *Answer) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n", escape.MarkdownCell(a.Title))
	for _, s := range a.Sections {
		if s.Heading != "" && s.hasText() {
			fmt.Fprintf(&b, "\n#### %s\n", escape.MarkdownCell(s.Heading))
		}
		markdownLines(&b, s.Lines)
		if s.Table != nil {
			s.Table.markdown(&b)
		}
		markdownLines(&b, s.Below)
		if len(s.List) > 0 {
			b.WriteByte('\n')
		}
		for _, item := range s.List {
			fmt.Fprintf(&b, "* %s\n", escape.MarkdownCell(item))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownLines writes lines as a paragraph, and indented ones as items.
func markdownLines(b *strings.Builder, lines []string) {
	item := false
	for _, line := range lines {
		trimmed := strings.TrimLeft(line, " ")
		switch indent := len(line) - len(trimmed); {
		case indent > 0:
			if !item {
				b.WriteByte('\n')
			}
			fmt.Fprintf(b, "%s* %s\n", strings.Repeat(" ", max(0, indent-2)/2*2), escape.MarkdownCell(trimmed))
			item = true
		default:
			fmt.Fprintf(b, "\n%s\n", escape.MarkdownCell(line))
			item = false
		}
	}
}

// markdown writes the table, without a bound on its rows.
func (t *Table) markdown(b *strings.Builder) {
	b.WriteByte('\n')
	for _, c := range t.columns {
		b.WriteString("| " + escape.MarkdownCell(c.name) + " ")
	}
	b.WriteString("|\n")
	for _, c := range t.columns {
		b.WriteString("|---" + map[bool]string{true: ":"}[c.number])
	}
	b.WriteString("|\n")
	for _, row := range t.rows {
		for _, cell := range row {
			var lines []string
			for line := range strings.SplitSeq(cell, "\n") {
				lines = append(lines, escape.MarkdownCell(line))
			}
			b.WriteString("| " + strings.Join(lines, "<br>") + " ")
		}
		b.WriteString("|\n")
	}
}

// Style is the style sheet of every page.
//
//go:embed style.css
var Style string

//go:embed answer.html
var pageText string

var page = sync.OnceValue(func() *template.Template {
	link := func(text string) template.HTML {
		return template.HTML(issue().ReplaceAllString(template.HTMLEscapeString(text),
			`<a href="https://github.com/$1/issues/$2">$0</a>`))
	}
	aligned := func(lines []string) bool { return slices.ContainsFunc(lines, inColumns().MatchString) }
	return template.Must(template.New("page").Funcs(template.FuncMap{"link": link, "aligned": aligned}).Parse(pageText))
})

// WriteHTML writes a page.
func (a *Answer) WriteHTML(w io.Writer) error { return page().Execute(w, a) }

// Top returns the heading of a page.
func (a *Answer) Top() string { return cmp.Or(a.Heading, a.Title) }

// Style returns the style sheet for a page.
func (a *Answer) Style() template.CSS { return template.CSS(Style) }

// Part is a section of a page.
type Part struct {
	Section
	ID   string // of the page, for addresses
	Name string // for readers of the screen
}

// Parts returns the sections of a page.
func (a *Answer) Parts() (list []Part) {
	times := map[string]int{}
	for _, s := range a.Sections {
		if !s.hasText() && s.Picture == nil && s.Caption == "" {
			continue
		}
		name := cmp.Or(s.Heading, "answer")
		id := strings.Trim(notInID().ReplaceAllString(strings.ToLower(name), "-"), "-")
		if times[id]++; times[id] > 1 {
			number := times[id]
			id, name = fmt.Sprintf("%s-%d", id, number), fmt.Sprintf("%s (%d)", name, number)
		}
		list = append(list, Part{s, id, name})
	}
	return list
}

// inColumns matches a line with a gap, to which text aligns other lines.
var inColumns = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\S {2,}\S`) })

// notInID matches what an address does not have.
var notInID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9.]+`) })

// SVG returns the picture for a page.
func (s Section) SVG() (template.HTML, error) {
	var b strings.Builder
	err := s.Picture.WriteSVG(&b)
	return template.HTML(b.String()), err
}

// mostRows bounds the tables of a page.
const mostRows = 1000

// Cell is a cell of a page.
type Cell struct{ Text, Class string }

// Head returns the names of the columns for a page.
func (t *Table) Head() []Cell { return t.cells(nil) }

// Rows returns the rows that a page shows.
func (t *Table) Rows() (list [][]Cell) {
	for _, row := range t.rows[:min(len(t.rows), mostRows)] {
		list = append(list, t.cells(row))
	}
	return list
}

// More returns how many rows a page does not show.
func (t *Table) More() int { return len(t.rows) - min(len(t.rows), mostRows) }

// cells returns the cells of a row, or of the header if it is nil.
func (t *Table) cells(row []string) (list []Cell) {
	for i, c := range t.columns {
		cell := Cell{Text: c.name}
		if c.number {
			cell.Class = "number"
		}
		if row != nil {
			cell.Text = row[i]
			cell.Class = strings.TrimSpace(cell.Class + " " + string(t.tone(i, cell.Text)))
		}
		list = append(list, cell)
	}
	return list
}
