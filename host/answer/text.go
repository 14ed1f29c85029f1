package answer

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/internal/escape"
)

// Screen is a writer to a terminal of a known width.
type Screen struct {
	io.Writer
	Width int  // in columns
	Color bool // it shows colors
}

// colors are the colors of tones on a terminal.
var colors = map[Tone]text.Colors{Pale: {text.Faint}, Good: {text.FgGreen}, Warn: {text.FgYellow}, Bad: {text.FgRed}}

// WriteText writes sections with an empty line between them.
func (a *Answer) WriteText(w io.Writer) error {
	var b strings.Builder
	screen, _ := w.(Screen)
	for _, s := range a.Sections {
		if !s.hasText() {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		if s.Heading != "" {
			b.WriteString(screen.paint(text.Colors{text.Bold}, s.Heading) + "\n")
		}
		writeLines(&b, s.Lines, screen)
		if s.Table != nil {
			b.WriteString(s.Table.render(screen))
		}
		writeLines(&b, s.Below, screen)
		for k, item := range s.List {
			if k == s.Most && s.Most > 0 {
				fmt.Fprintf(&b, "  and %d more\n", len(s.List)-k)
				break
			}
			b.WriteString("  " + s.wrapped(screen.paint(nil, item), screen.Width) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Linked writes issues such as ROCm/hip#3775 as hyperlinks of a terminal.
type Linked struct{ io.Writer }

func (l Linked) Write(b []byte) (int, error) {
	link := "\x1b]8;;https://github.com/$1/issues/$2\x1b\\$0\x1b]8;;\x1b\\"
	if _, err := l.Writer.Write(issue().ReplaceAll(b, []byte(link))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// issue matches the name of an issue on GitHub.
var issue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(ROCm/[\w.-]+)#(\d+)\b`) })

// paint returns text in colors on a screen that has them. Escape sequences of the text itself are escaped.
func (s Screen) paint(c text.Colors, message string) string {
	if !s.Color {
		return message
	}
	return c.Sprint(escape.Text(message))
}

// hasText reports whether a section has more than a picture.
func (s *Section) hasText() bool { return len(s.Lines)+len(s.Below)+len(s.List) > 0 || s.Table != nil }

// writeLines writes lines, which a screen continues with two more spaces than they start with.
func writeLines(b *strings.Builder, lines []string, screen Screen) {
	for _, line := range lines {
		line = screen.paint(nil, line)
		trimmed, width := strings.TrimLeft(line, " "), screen.Width
		indent := strings.Repeat(" ", len(line)-len(trimmed))
		if width > 0 {
			trimmed = strings.ReplaceAll(wrap(trimmed, width-len(indent)-2), "\n", "\n  "+indent)
		}
		b.WriteString(indent + trimmed + "\n")
	}
}

// wrapped returns an item in lines, the further ones indented.
func (s *Section) wrapped(item string, screen int) string {
	width := cmp.Or(s.Width, math.MaxInt)
	if screen > 0 {
		width = min(width, screen-4)
	}
	return strings.ReplaceAll(wrap(item, width), "\n", "\n    ")
}

// wrap returns text in lines that end between words, and in a long word between its parts.
func wrap(s string, width int) string {
	width = max(width, few)
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		for rest := []rune(line); ; {
			if len(rest) <= width {
				lines = append(lines, string(rest))
				break
			}
			end := width
			for end > 0 && rest[end] != ' ' {
				end--
			}
			for k := width; end == 0 && k > 0; k-- {
				if strings.ContainsRune(",]/-_(=.[", rest[k-1]) {
					end = k
				}
			}
			end = cmp.Or(end, width)
			lines = append(lines, strings.TrimRight(string(rest[:end]), " "))
			rest = []rune(strings.TrimLeft(string(rest[end:]), " "))
		}
	}
	return strings.Join(lines, "\n")
}

// The columns of text that a narrow screen narrows: at first to enough characters, then to few.
const (
	enough = 20
	few    = 10
)

// fit returns the width of each column on a screen, 0 for one that it does not show, so that the table is not wider. It
// leaves out spare columns, and the last ones if that is not enough.
func (t *Table) fit(rows [][]string, screen int) []int {
	widths, least := make([]int, len(t.columns)), make([]int, len(t.columns))
	for _, row := range append(slices.Clip(rows), t.names()) {
		for i, cell := range row {
			widths[i] = max(widths[i], text.LongestLineLen(cell))
			least[i] = max(least[i], text.LongestLineLen(inTwoLines(cell)))
		}
	}
	for i, c := range t.columns {
		if c.width > 0 && !c.cut {
			widths[i] = min(widths[i], c.width)
		}
	}
	if screen == 0 {
		return widths
	}
	sum := 1
	for _, width := range widths {
		sum += width + 3
	}
	narrow := func(numbers bool, to int) {
		for sum > screen {
			widest := -1
			for i, c := range t.columns {
				if numbers {
					to = least[i]
				}
				if c.number == numbers && widths[i] > to && (widest < 0 || widths[i] > widths[widest]) {
					widest = i
				}
			}
			if widest < 0 {
				return
			}
			widths[widest]--
			sum--
		}
	}
	whole := slices.Clone(widths)
	narrow(false, enough)
	narrow(true, 0)
	for _, i := range t.spare {
		if sum > screen {
			sum, widths[i], whole[i] = sum-widths[i]-3, 0, 0
		}
	}
	for i, width := range whole { // there can be more room than before
		sum, widths[i] = sum+width-widths[i], width
	}
	narrow(false, enough)
	narrow(true, 0)
	narrow(false, few)
	for i := len(widths) - 1; i > 0 && sum > screen; i-- {
		if t.columns[i].name != "" && widths[i] > 0 {
			sum, widths[i] = sum-widths[i]-3, 0
		}
	}
	return widths
}

// Text returns the table with its borders, for a screen of a width, or for a file if it is 0.
func (t *Table) Text(screen int) string { return t.render(Screen{Width: screen}) }

func (t *Table) render(screen Screen) string {
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Format.Header = text.FormatDefault
	rows := t.rows
	if t.Most > 0 && len(rows) > t.Most {
		rows = rows[:t.Most]
	}
	if t.Rest != nil {
		rows = append(slices.Clip(rows), t.whole(t.Rest))
	}
	shown := make([][]string, len(rows))
	for i, row := range rows {
		for k, cell := range row {
			shown[i] = append(shown[i], t.columns[k].short(cell))
		}
	}
	widths := t.fit(shown, screen.Width)
	var configs []table.ColumnConfig
	var missing []string
	for i, c := range t.columns {
		config := table.ColumnConfig{Number: i + 1, Hidden: widths[i] == 0}
		if config.Hidden && c.name != "" {
			missing = append(missing, c.name)
		}
		if c.number && !t.Left {
			config.Align, config.AlignHeader = text.AlignRight, text.AlignRight
		}
		if screen.Color {
			config.ColorsHeader = text.Colors{text.Bold}
			config.Transformer = func(cell any) string {
				return screen.paint(colors[t.tone(i, cell.(string))], cell.(string))
			}
		}
		if config.WidthMax, config.WidthMaxEnforcer = widths[i], wrapCell; c.number {
			config.WidthMaxEnforcer = wrapNumber
		}
		configs = append(configs, config)
	}
	w.SetColumnConfigs(configs)
	line := func(cells []string) (row table.Row) {
		for _, cell := range cells {
			row = append(row, cell)
		}
		return row
	}
	w.AppendHeader(line(t.names()))
	groups := t.groups
	for i, row := range shown {
		if len(groups) > 0 && groups[0] == i {
			groups = groups[1:]
			w.AppendSeparator() // before the first row it has no effect
		}
		w.AppendRow(line(row))
	}
	if missing != nil {
		note := "(this terminal has no room for " + strings.Join(missing, ", ") + ")"
		return w.Render() + "\n" + wrap(note, screen.Width) + "\n"
	}
	return w.Render() + "\n"
}

// wrapCell wraps a cell. One with colors is broken between words.
func wrapCell(cell string, width int) string {
	if strings.Contains(cell, text.EscapeStart) {
		return text.WrapSoft(cell, width)
	}
	return wrap(cell, width)
}

func wrapNumber(cell string, width int) string {
	if text.LongestLineLen(cell) > width {
		return inTwoLines(cell)
	}
	return cell
}

// inTwoLines returns "4732160 (4.5 MiB)" or "rocm-7.2/gfx90a" in two lines.
func inTwoLines(cell string) string {
	if above, below, found := strings.Cut(cell, " ("); found {
		return above + "\n(" + below
	}
	return strings.Replace(cell, "/gfx", "/\ngfx", 1)
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
