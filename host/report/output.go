package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"roclua/internal/atomicfile"
	"roclua/internal/escape"
	"roclua/internal/nearest"
)

// format is a way to write a report.
type format struct {
	name    string
	about   string // for the manual
	history bool   // it shows the history of each case
	data    bool   // it is JSON, or a page with JSON

	// write writes to a writer that keeps its first error. It is nil for a format that is written during the run.
	write func(io.Writer, *Report) error
}

// formats are the formats of --out, sorted by name.
var formats = []format{
	{name: "csv", about: "a row for each case, with a column for each parameter and metric", write: writeCSV},
	{name: "github", about: "annotations and step summary; automatic in GitHub Actions", write: writeGitHub},
	{name: "html", about: "a page that needs no network: table, timelines, schemes side by side", write: writeHTML,
		history: true, data: true},
	{name: "json", about: "the whole run as a document; its schema: roclua docs --schema results", write: writeJSON,
		data: true},
	{name: "jsonl", about: "events as they happen, one JSON object a line: begin, one for each case, end"},
	// see events
	{name: "junit", about: "XML for CI systems: a test for each case, with metrics as properties", write: writeJUnit},
	{name: "markdown", about: "tables for a comment on a pull request", write: writeMarkdown},
	{name: "tap", about: "Test Anything Protocol, version 14", write: writeTAP},
	{name: "text", about: "a table, with failures explained below it; the default on standard output",
		write: writeText},
	{name: "trace", about: "calls and kernels over time, for ui.perfetto.dev", write: writeTrace, history: true,
		data: true},
}

// FormatTable describes the formats for the manual, one on each line.
func FormatTable() string {
	var b strings.Builder
	for _, f := range formats {
		fmt.Fprintf(&b, "  %-10s %s\n", f.name, f.about)
	}
	return strings.TrimRight(b.String(), "\n")
}

// Formats lists the names of the formats, sorted.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// find returns the format of a name.
func find(name string) (format, bool) {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return format{}, false
	}
	return formats[i], true
}

// escaped returns a writer that escapes what the format must not have.
func (f format) escaped(w io.Writer, color bool) *escape.Writer {
	switch {
	case f.data:
		return escape.JSON(w)
	case color:
		return escape.Colored(w)
	}
	return escape.Plain(w)
}

// Output is one --out FORMAT[=FILE].
type Output struct {
	Format string
	File   string // "" for standard output
	Stderr bool   // write to standard error instead of standard output
}

// NeedsHistory reports whether the format shows the history of each case.
func (o Output) NeedsHistory() bool {
	f, _ := find(o.Format)
	return f.history
}

// IsEvents reports whether the format is written during the run, by package events.
func (o Output) IsEvents() bool { return o.Format == "jsonl" }

// IsDocument reports whether programs read standard output as a document in the format.
func (o Output) IsDocument() bool { return o.File == "" && !o.Stderr && o.Format != "text" }

// ParseOutputs reads the values of --out. Without any it returns text on standard output.
func ParseOutputs(list []string) ([]Output, error) {
	if len(list) == 0 {
		list = []string{"text"}
	}
	var outs []Output
	stdout := 0
	for _, text := range list {
		name, file, _ := strings.Cut(text, "=")
		if _, ok := find(name); !ok {
			return nil, fmt.Errorf("--out %s: unknown format %q%s (have %s)", text, name, nearest.DidYouMean(name,
				Formats()),
				strings.Join(Formats(), ", "))
		}
		if file == "" || file == "-" {
			file = ""
			stdout++
		}
		outs = append(outs, Output{Format: name, File: file})
	}
	if stdout > 1 {
		return nil, fmt.Errorf("--out: %d formats would go to standard output; give all but one a file, "+
			"as in --out json=results.json", stdout)
	}
	return outs, nil
}

// String returns the output as the command line has it.
func (o Output) String() string {
	if o.File == "" {
		return "--out " + o.Format
	}
	return "--out " + o.Format + "=" + o.File
}

// Destination is where reports are written.
type Destination struct {
	Stdout, Stderr io.Writer
	System         atomicfile.System // where the files are
}

// Write calls write with the file or stream of the output. A file is replaced when it is complete.
func (o Output) Write(to Destination, write func(io.Writer) error) error {
	var err error
	switch {
	case o.File != "":
		err = atomicfile.Replace(to.System, o.File, write)
	case o.Stderr:
		err = write(o.stream(to.Stderr))
	default:
		err = write(o.stream(to.Stdout))
	}
	if err != nil {
		return fmt.Errorf("--out %s: %w", o.Format, err)
	}
	return nil
}

// stream returns the stream for the output. In GitHub Actions, lines of the other formats cannot be commands.
func (o Output) stream(w io.Writer) io.Writer {
	if guarded, ok := w.(escape.Guarded); ok && o.Format == "github" {
		return guarded.Unguarded()
	}
	return w
}

// Write writes the report in each of the formats. When one cannot be written, the others still are; the errors are
// joined.
func (r *Report) Write(outs []Output, to Destination) error {
	var failed []error
	for _, o := range outs {
		f, _ := find(o.Format)
		if f.write == nil {
			continue
		}
		shown := *r
		if o.File == "" {
			shown.Results = r.Shown()
			if len(shown.Results) == 0 {
				continue // all results were shown by an earlier report
			}
		} else {
			shown.Color = false
		}
		failed = append(failed, o.Write(to, func(w io.Writer) error {
			b := bufio.NewWriterSize(w, 1<<16)
			escaped := f.escaped(b, shown.Color)
			return cmp.Or(f.write(escaped, &shown), escaped.Flush(), b.Flush())
		}))
		if o.Format == "github" && r.SummaryFile != "" {
			failed = append(failed, shown.writeSummary(to.System))
		}
	}
	return errors.Join(failed...)
}
