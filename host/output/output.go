// Package output writes the answers of commands in the formats of --out.
//
//	outs, err := output.Parse([]string{"text", "junit=results.xml"}, "run")
//	err = output.Write(outs, data, output.Destination{Stdout: os.Stdout, Stderr: os.Stderr, System: atomicfile.OS})
//
// A command hands over one Data: the cases of a run, the sizes of calls, a comparison, ... All data have text, a JSON
// document and a table; data whose items pass or fail also have tests and failures.
//
// To add a format, write a function that writes any Data in a new file, and add it to Formats.
package output

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"roclua/host/answer"
	"roclua/internal/atomicfile"
	"roclua/internal/escape"
	"roclua/internal/nearest"
)

// Output is one --out FORMAT[=FILE].
type Output struct {
	Format string
	File   string // "" for standard output
	Stderr bool   // write to standard error instead of standard output
}

// NeedsHistory reports whether the format shows the history of each case.
func (o Output) NeedsHistory() bool {
	f, _ := Find(o.Format)
	return f.History
}

// IsEvents reports whether the format is written during the run, by package events.
func (o Output) IsEvents() bool { return o.Format == "jsonl" }

// IsDocument reports whether programs read standard output as a document in the format.
func (o Output) IsDocument() bool { return o.File == "" && !o.Stderr && o.Format != "text" }

// String returns the output as the command line has it.
func (o Output) String() string {
	if o.File == "" {
		return "--out " + o.Format
	}
	return "--out " + o.Format + "=" + o.File
}

// Parse reads the values of --out of a command. Without any it returns text on standard output.
func Parse(list []string, command string) ([]Output, error) {
	if len(list) == 0 {
		list = []string{"text"}
	}
	var outs []Output
	stdout, names := 0, OfCommand(command)
	for _, text := range list {
		name, file, _ := strings.Cut(text, "=")
		if _, ok := Find(name); !ok {
			return nil, fmt.Errorf("--out %s: unknown format %q%s (%s writes %s)", text, name,
				nearest.DidYouMean(name, names), command, strings.Join(names, ", "))
		}
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("--out %s: %s writes %s", name, command, strings.Join(names, ", "))
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

// Destination is where outputs are written.
type Destination struct {
	Stdout, Stderr io.Writer
	System         atomicfile.System // where the files are
	Summary        string            // file for the summary of a step of GitHub Actions; "" elsewhere
	Width          int               // of the terminal that is standard output; 0 for none
	Color, Links   bool              // text on standard output has them
}

// Write writes data in each of the formats. When one cannot be written, the others still are; the errors are joined. An
// error of the data themselves names no output, and is returned once.
func Write(outs []Output, d Data, to Destination) error {
	var failed []error
	for _, o := range outs {
		f, _ := Find(o.Format)
		if f.Write == nil {
			continue
		}
		shown := d
		if placed, ok := d.(Placed); ok {
			if shown = placed.On(o); shown == nil {
				continue
			}
		}
		var invalid error // why the data cannot be written anywhere
		err := o.write(to, func(w io.Writer) error {
			b := bufio.NewWriterSize(w, 1<<16)
			escaped := f.escaped(b)
			var out io.Writer = escaped
			if o.File == "" && !o.Stderr {
				colored := to.Color && f.Name == "text"
				switch {
				case colored && to.Links:
					escaped = escape.Colored(answer.Linked{Writer: b})
				case colored:
					escaped = escape.Colored(b)
				}
				out = answer.Screen{Writer: escaped, Width: to.Width, Color: colored}
			}
			err := f.Write(out, shown)
			if flushed := cmp.Or(escaped.Flush(), b.Flush()); flushed != nil {
				return flushed
			}
			invalid = err
			return err
		})
		if err = cmp.Or(invalid, err); err != nil && !slices.ContainsFunc(failed, func(other error) bool {
			return other.Error() == err.Error()
		}) {
			failed = append(failed, err)
		}
		if o.Format == "github" && to.Summary != "" {
			if err := writeSummary(shown, to); err != nil {
				failed = append(failed, err)
			}
		}
	}
	return errors.Join(failed...)
}

// write calls write with the file or stream of the output. A file is replaced when it is complete.
func (o Output) write(to Destination, write func(io.Writer) error) error {
	var name string
	var err error
	switch {
	case o.File != "":
		name, err = "--out "+o.Format, atomicfile.Replace(to.System, o.File, write)
	case o.Stderr:
		name, err = "standard error", write(o.stream(to.Stderr))
	default: // also without --out
		name, err = "standard output", write(o.stream(to.Stdout))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// stream returns the stream for the output. In GitHub Actions, lines of the other formats cannot be commands.
func (o Output) stream(w io.Writer) io.Writer {
	if guarded, ok := w.(escape.Guarded); ok && o.Format == "github" {
		return guarded.Raw
	}
	return w
}
