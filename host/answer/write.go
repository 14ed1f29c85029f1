package answer

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
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

// WriteHTML writes a page. It does not use html/template: in a program with text/template the linker keeps every
// exported method, a tenth of the program.
func (a *Answer) WriteHTML(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>%s</title>
<style>
%s</style>
</head>
<body>
<header>
<h1>%s</h1>
</header>
<main>`, html.EscapeString(a.Title), Style, html.EscapeString(cmp.Or(a.Heading, a.Title)))
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
		if err := s.html(&b, id, html.EscapeString(name)); err != nil {
			return err
		}
	}
	b.WriteString("\n</main>\n</body>\n</html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// html writes the section. Its ID is for addresses, and its name for readers of the screen.
func (s Section) html(b *strings.Builder, id, name string) error {
	fmt.Fprintf(b, "\n<section id=\"%s\">", id)
	if s.Heading != "" {
		fmt.Fprintf(b, "\n<h2><a href=\"#%s\">%s</a></h2>", id, html.EscapeString(s.Heading))
	}
	if s.Picture != nil {
		fmt.Fprintf(b, "\n<div class=\"scroll chart\" tabindex=\"0\" role=\"region\" aria-label=\"%s: picture\">\n",
			name)
		if err := s.Picture.WriteSVG(b); err != nil {
			return err
		}
		b.WriteString("</div>")
	}
	if s.Caption != "" {
		fmt.Fprintf(b, "\n<p>%s</p>", html.EscapeString(s.Caption))
	}
	htmlLines(b, s.Lines)
	if s.Table != nil {
		s.Table.html(b, name)
	}
	htmlLines(b, s.Below)
	if len(s.List) > 0 {
		b.WriteString("\n<ul>")
		for _, item := range s.List {
			fmt.Fprintf(b, "<li>%s</li>", linked(item))
		}
		b.WriteString("</ul>")
	}
	b.WriteString("\n</section>")
	return nil
}

// htmlLines writes lines as a paragraph, which keeps the columns that its lines have.
func htmlLines(b *strings.Builder, lines []string) {
	if len(lines) == 0 {
		return
	}
	class := "lines"
	if slices.ContainsFunc(lines, inColumns().MatchString) {
		class += " aligned"
	}
	fmt.Fprintf(b, "\n<p class=\"%s\">%s</p>", class, linked(strings.Join(lines, "\n")))
}

// linked escapes a text and links the issues that it names.
func linked(text string) string {
	return issue().ReplaceAllString(html.EscapeString(text), `<a href="https://github.com/$1/issues/$2">$0</a>`)
}

// inColumns matches a line with a gap, to which text aligns other lines.
var inColumns = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\S {2,}\S`) })

// notInID matches the characters that an address does not have.
var notInID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9.]+`) })

// mostRows bounds the tables of a page.
const mostRows = 1000

// html writes the table with the name of its section.
func (t *Table) html(b *strings.Builder, name string) {
	fmt.Fprintf(b, "\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s: table\">"+
		"<table class=\"answer\">\n<thead><tr>", name)
	for _, c := range t.columns {
		switch {
		case c.name == "":
			b.WriteString("<td></td>")
		case c.number:
			fmt.Fprintf(b, "<th scope=\"col\" class=\"number\">%s</th>", html.EscapeString(c.name))
		default:
			fmt.Fprintf(b, "<th scope=\"col\">%s</th>", html.EscapeString(c.name))
		}
	}
	b.WriteString("</tr></thead>\n<tbody>")
	for _, row := range t.rows[:min(len(t.rows), mostRows)] {
		b.WriteString("\n<tr>")
		for i, text := range row {
			class := string(t.tone(i, text))
			if t.columns[i].number {
				class = strings.TrimSpace("number " + class)
			}
			if class != "" {
				class = fmt.Sprintf(" class=\"%s\"", class)
			}
			fmt.Fprintf(b, "<td%s>%s</td>", class, linked(text))
		}
		b.WriteString("</tr>")
	}
	b.WriteString("\n</tbody>\n</table></div>")
	if more := len(t.rows) - mostRows; more > 0 {
		fmt.Fprintf(b, "\n<p>and %d more</p>", more)
	}
}
