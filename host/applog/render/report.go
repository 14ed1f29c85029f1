package render

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"roclua/host/applog/analyze"
	"roclua/internal/escape"
)

// Report is an answer and what the user gave.
type Report struct {
	*analyze.Answer
	Workspace *uint64 // bytes of a user-owned workspace; nil if the user named none

	// Order returns the calls in their order, and the number of those that are missing; nil if it was not requested.
	Order func() (steps []analyze.Step, missing int64)
}

// Formats lists the formats, sorted.
var Formats = []string{"csv", "html", "json", "text"}

// Write writes the report in a format.
func (r *Report) Write(w io.Writer, format string) error {
	out := bufio.NewWriterSize(w, 1<<16)
	escaped, write := escape.Plain(out), r.WriteText
	switch format {
	case "csv":
		write = r.WriteCSV
	case "html":
		escaped, write = escape.JSON(out), r.WriteHTML
	case "json":
		escaped, write = escape.JSON(out), r.WriteJSON
	}
	return cmp.Or(write(escaped), escaped.Flush(), out.Flush())
}

// WriteCSV writes a row for each distinct call, with a column of bytes for each target. A need that is not known is
// empty.
func (r *Report) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	header := []string{"file", "first_line", "count", "function", "call"}
	for i := range r.Targets {
		header = append(header, r.Targets[i].String())
	}
	c.Write(header)
	for _, call := range r.Calls {
		row := []string{escape.CSVCell(r.Files[call.File].Name), fmt.Sprint(call.Line), fmt.Sprint(call.Times),
			call.Routine.CName(), label(call)}
		for i := range call.Needs {
			text := ""
			if n := &call.Needs[i]; n.Known() {
				text = strconv.FormatUint(n.Bytes, 10)
			}
			row = append(row, text)
		}
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}

// inWorkspace returns the status of a call in the user's workspace; "" if it is success, or not known.
func (r *Report) inWorkspace(n *analyze.Need) string {
	switch {
	case r.Workspace == nil || !n.Known() || n.Bytes <= *r.Workspace:
		return ""
	case n.CanDegrade && n.Degraded <= *r.Workspace:
		return "perf_degraded"
	}
	return "memory_error"
}

// place writes a line, with its file if there are several.
func (r *Report) place(file int, line int64) string {
	if len(r.Files) > 1 {
		return fmt.Sprintf("%s:%d", r.Files[file].Name, line)
	}
	return fmt.Sprint(line)
}
