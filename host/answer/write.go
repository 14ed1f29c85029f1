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

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/internal/escape"
)

// WriteText writes sections with an empty line between them.
func (a *Answer) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, s := range a.Sections {
		if !s.hasText() {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		if s.Heading != "" {
			b.WriteString(s.Heading + "\n")
		}
		writeLines(&b, s.Lines)
		if s.Table != nil {
			b.WriteString(s.Table.text() + "\n")
		}
		writeLines(&b, s.Below)
		for k, item := range s.List {
			if k == s.Most && s.Most > 0 {
				fmt.Fprintf(&b, "  and %d more\n", len(s.List)-k)
				break
			}
			b.WriteString("  " + s.wrapped(item) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// hasText reports whether a section has more than a picture.
func (s *Section) hasText() bool { return len(s.Lines)+len(s.Below)+len(s.List) > 0 || s.Table != nil }

func writeLines(b *strings.Builder, lines []string) {
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
}

// wrapped returns an item in lines, the further ones indented.
func (s *Section) wrapped(item string) string {
	if s.Width == 0 {
		return item
	}
	var lines []string
	for part := range strings.SplitSeq(item, "\n") {
		for line := range strings.SplitSeq(text.WrapSoft(part, s.Width), "\n") {
			lines = append(lines, strings.TrimRight(line, " ")) // WrapSoft leaves spaces behind words
		}
	}
	return strings.Join(lines, "\n    ")
}

// text returns the table with its borders.
func (t *Table) text() string {
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Format.Header = text.FormatDefault
	var header table.Row
	var configs []table.ColumnConfig
	for i, c := range t.columns {
		header = append(header, c.name)
		config := table.ColumnConfig{Number: i + 1, AutoMerge: c.merged}
		if c.number && !t.Left {
			config.Align = text.AlignRight
		}
		if c.width > 0 && !c.cut {
			config.WidthMax, config.WidthMaxEnforcer = c.width, text.WrapSoft
		}
		configs = append(configs, config)
	}
	w.AppendHeader(header)
	w.SetColumnConfigs(configs)
	rows := t.rows
	if t.Most > 0 && len(rows) > t.Most {
		rows = rows[:t.Most]
	}
	if t.Rest != nil {
		rows = append(slices.Clip(rows), t.whole(t.Rest))
	}
	groups := t.groups
	for i, row := range rows {
		if len(groups) > 0 && groups[0] == i {
			groups = groups[1:]
			w.AppendSeparator() // before the first row it has no effect
		}
		cells := make(table.Row, len(row))
		for k, cell := range row {
			cells[k] = t.columns[k].short(cell)
		}
		w.AppendRow(cells)
	}
	return w.Render()
}

// short returns a cell that ends at the width of its column, between words.
func (c *column) short(cell string) string {
	label, remark, marked := strings.Cut(cell, " (")
	if !c.cut || len(label) <= c.width {
		return cell
	}
	if label = label[:strings.LastIndexByte(label[:c.width-1], ' ')+1] + "…"; marked {
		label += " (" + remark
	}
	return label
}

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

var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })

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
		if row != nil {
			cell.Text = row[i]
		}
		switch {
		case c.number:
			cell.Class = "number"
		case t.Pale != "" && cell.Text == t.Pale:
			cell.Class = "pale"
		}
		list = append(list, cell)
	}
	return list
}
