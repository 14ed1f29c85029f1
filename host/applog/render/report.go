// Package render writes the needs of an application's logged calls as text, JSON, CSV, or a page with a chart.
package render

import (
	"fmt"
	"strconv"
	"strings"

	"roclua/hip/routine"
	"roclua/host/applog/analyze"
	"roclua/host/files"
	"roclua/host/gate"
	"roclua/host/output"
)

// Report is an answer with the user's options.
type Report struct {
	*analyze.Answer
	Workspace  *uint64         // bytes of a user-owned workspace; nil for none
	Recordings []*Recording    // among the files
	Gate       *gate.Gate      // changes for the worse since the first target; nil without a comparison
	Given      *analyze.Handle // handle that makes calls that are in no file; nil for none

	// Order returns the calls in log order and the number of omitted calls; nil if it was not requested.
	Order func() (steps []analyze.Step, missing int64)
}

// Title names the logs.
func (r *Report) Title() string { return "roclua log: " + r.Input() }

// Failures lists the changes for the worse. A call that could not have run is part of the answer.
func (r *Report) Failures() []output.Failure { return r.Gate.Failures() }

// Tests has a test for each comparison of releases.
func (r *Report) Tests() *output.Tests { return r.Gate.Tests() }

// Table has a row for each distinct call and a column of bytes for each target. An unknown need is empty.
func (r *Report) Table() (output.Table, error) {
	t := output.Table{Columns: []string{"file", "first_line", "count", "function", "call"}}
	for i := range r.Targets {
		t.Columns = append(t.Columns, r.Targets[i].String())
	}
	t.Rows = func(add func(row []string) error) error {
		for _, call := range r.Calls {
			row := []string{r.Files[call.File].Name, fmt.Sprint(call.Line), fmt.Sprint(call.Times),
				call.Routine.CName(), Label(call)}
			for i := range call.Needs {
				text := ""
				if n := &call.Needs[i]; n.Known() {
					text = strconv.FormatUint(n.Bytes, 10)
				}
				row = append(row, text)
			}
			if err := add(row); err != nil {
				return err
			}
		}
		return nil
	}
	return r.Gate.Table(t), nil
}

// Programs returns the recordings whose calls were made on all targets.
func (r *Report) Programs() (list []gate.Program) {
	for _, rec := range r.Recordings {
		if rec.Runs != nil {
			list = append(list, gate.Program{Name: rec.Name, Runs: rec.Runs})
		}
	}
	return list
}

// at names a line of a log, or a call of a recording.
func (r *Report) at(file int, line int64) string {
	if r.Files[file].Recorded {
		return "call " + r.place(file, line)
	}
	return "line " + r.place(file, line)
}

// place writes a line number, with its file if there are several.
func (r *Report) place(file int, line int64) string {
	if len(r.Files) > 1 {
		return fmt.Sprintf("%s:%d", r.Files[file].Name, line)
	}
	return fmt.Sprint(line)
}

// Label writes a call in the syntax of roclua size. It omits leading dimensions, increments and strides with their
// minimum values, and options with their usual values.
func Label(c *analyze.Call) string {
	var b strings.Builder
	b.WriteString(c.Routine.UniqueName())
	a := c.Args()
	for i := range c.Routine.Params {
		p := &c.Routine.Params[i]
		if text, ok := files.Value(a, p); ok && c.Known.Has(p.Slot) && !isUsual(a, p) {
			b.WriteString(" " + p.Name + "=" + text)
		}
	}
	return b.String() + c.Settings.String()
}

// isUsual reports whether an argument can be omitted: it has its default, or has no effect.
func isUsual(a *routine.Args, p *routine.Param) bool {
	switch {
	case p.Kind == routine.Real:
		return true
	case p.Slot == routine.Beta, p.Slot == routine.Algo:
		return true
	case p.Slot == routine.SolutionIndex, p.Slot == routine.Flags:
		return a.Int(p.Slot) == 0
	case p.Role != routine.NoRole:
		return a.Int(p.Slot) == routine.Smallest(a, p)
	}
	return false
}
