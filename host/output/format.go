package output

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"roclua/host/answer"
	"roclua/internal/escape"
)

// Format is a way to write data.
type Format struct {
	Name    string
	About   string // for the manual
	Kind    Kind   // of the data that it writes, with those below
	History bool   // it shows the history of each case
	JSON    bool   // it is JSON, or a page with JSON

	// Write writes to a writer that keeps its first error. It shows all failures of the data. It is nil for a format
	// that is written during a run, by package events.
	Write func(io.Writer, Data) error
}

// Formats are the formats of --out, sorted by name.
var Formats = []Format{
	{Name: "csv", Write: writeCSV,
		About: "a row for each case, with a column for each parameter and metric"},
	{Name: "github", Kind: Checked, Write: writeGitHub,
		About: "annotations and step summary; automatic in GitHub Actions"},
	{Name: "html", JSON: true, History: true, Write: writeHTML,
		About: "a page that needs no network: table, timelines, schemes side by side"},
	{Name: "json", JSON: true, Write: WriteJSON,
		About: "the whole run as a document; its schema: roclua docs --schema results"},
	{Name: "jsonl", Kind: Cases,
		About: "events as they happen, one JSON object a line: begin, one for each case, end"},
	{Name: "junit", Kind: Checked, Write: writeJUnit,
		About: "XML for CI systems: a test for each case, with metrics as properties"},
	{Name: "markdown", Write: writeMarkdown,
		About: "tables for a comment on a pull request"},
	{Name: "tap", Kind: Checked, Write: writeTAP,
		About: "Test Anything Protocol, version 14"},
	{Name: "text", Write: WriteText,
		About: "a table, with failures explained below it; the default on standard output"},
	{Name: "trace", Kind: Cases, JSON: true, History: true,
		Write: func(w io.Writer, d Data) error { return d.(Traced).WriteTrace(w) },
		About: "calls and kernels over time, for ui.perfetto.dev"},
}

// FormatTable describes the formats for the manual, one on each line.
func FormatTable() string {
	var b strings.Builder
	for _, f := range Formats {
		fmt.Fprintf(&b, "  %-10s %s\n", f.Name, f.About)
	}
	return strings.TrimRight(b.String(), "\n")
}

// CommandTable lists the formats of each command for the manual, one command on each line.
func CommandTable() string {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&b, "  %-17s %s\n", c.name, strings.Join(c.formats(), ", "))
	}
	return strings.TrimRight(b.String(), "\n")
}

// OfCommand lists the names of the formats of a command, sorted; nil if it has no --out.
func OfCommand(name string) []string {
	for _, c := range commands {
		if c.name == name {
			return c.formats()
		}
	}
	return nil
}

// Find returns the format of a name.
func Find(name string) (Format, bool) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return Formats[i], true
}

// WriteJSON writes the document of data.
func WriteJSON(w io.Writer, d Data) error {
	doc, err := d.Document()
	if err != nil {
		return err
	}
	if stream, ok := doc.(Stream); ok {
		return stream(w)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}

// WriteText writes data for people.
func WriteText(w io.Writer, d Data) error {
	if t, ok := d.(Reported); ok {
		return t.WriteText(w)
	}
	return write(w, d, (*answer.Answer).WriteText)
}

func writeMarkdown(w io.Writer, d Data) error {
	if m, ok := d.(Reported); ok {
		return m.WriteMarkdown(w)
	}
	return write(w, d, (*answer.Answer).WriteMarkdown)
}

func writeHTML(w io.Writer, d Data) error {
	if p, ok := d.(Paged); ok {
		return p.WriteHTML(w)
	}
	return write(w, d, (*answer.Answer).WriteHTML)
}

func write(w io.Writer, d Data, as func(*answer.Answer, io.Writer) error) error {
	a, err := d.(Answered).Sections()
	if err != nil {
		return err
	}
	a.Title = cmp.Or(a.Title, d.Title())
	return as(a, w)
}

// escaped returns a writer that escapes characters that the format must not have.
func (f Format) escaped(w io.Writer) *escape.Writer {
	if f.JSON {
		return escape.JSON(w)
	}
	return escape.Plain(w)
}

// writeCSV writes the table of data. Cells that a spreadsheet would evaluate are escaped.
func writeCSV(w io.Writer, d Data) error {
	t, err := d.Table()
	if err != nil {
		return err
	}
	c := csv.NewWriter(w)
	var cells []string
	add := func(row []string) error {
		cells = cells[:0]
		for _, text := range row {
			cells = append(cells, escape.CSVCell(text))
		}
		return c.Write(cells)
	}
	err = cmp.Or(add(t.Columns), t.Rows(add))
	c.Flush()
	return cmp.Or(err, c.Error())
}
