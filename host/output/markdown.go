package output

import (
	"fmt"
	"io"
	"strings"

	"roclua/internal/escape"
)

// writeMarkdown writes the Markdown that data define, or else their title, failures and table, and a folded block with
// what only the text says.
func writeMarkdown(w io.Writer, d Data) error {
	if m, ok := d.(Marked); ok {
		return m.WriteMarkdown(w)
	}
	t, err := d.Table()
	if err != nil {
		return err
	}
	var head strings.Builder
	fmt.Fprintf(&head, "### %s\n\n", escape.MarkdownCell(d.Title()))
	failures := d.Failures()
	for _, f := range failures {
		fmt.Fprintf(&head, "* %s: %s\n", escape.MarkdownCell(f.Title), escape.MarkdownCell(f.Headline))
	}
	if len(failures) > 0 {
		head.WriteByte('\n')
	}
	fmt.Fprintf(&head, "%s|%s\n", markdownRow(t.Columns), strings.Repeat("---|", len(t.Columns)))
	if _, err := io.WriteString(w, head.String()); err != nil {
		return err
	}
	err = t.Rows(func(row []string) error {
		_, err := io.WriteString(w, markdownRow(row))
		return err
	})
	if _, ok := d.(Detailed); !ok || err != nil {
		return err
	}
	return writeFolded(w, d)
}

func markdownRow(row []string) string {
	cells := make([]string, len(row))
	for i, text := range row {
		cells[i] = escape.MarkdownCell(text)
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// writeFolded writes the text of data as a block that a reader unfolds.
func writeFolded(w io.Writer, d Data) error {
	var text strings.Builder
	if err := d.WriteText(&text); err != nil {
		return err
	}
	fence := "```"
	for strings.Contains(text.String(), fence) {
		fence += "`"
	}
	_, err := fmt.Fprintf(w, "\n<details><summary>all details</summary>\n\n%s\n%s%[1]s\n\n</details>\n", fence,
		text.String())
	return err
}
