// Package render writes the needs of an application's logged calls as text, JSON, CSV, or a page with a chart.
package render

import (
	"fmt"
	"strconv"

	"roclua/host/applog/analyze"
	"roclua/host/gate"
	"roclua/host/output"
)

// Report is an answer with the user's options.
type Report struct {
	*analyze.Answer
	*gate.Gate // changes for the worse since the first target; nil without a comparison

	Workspace  *uint64         // bytes of a user-owned workspace; nil for none
	Recordings []*Recording    // among the files
	Given      *analyze.Handle // handle that makes calls that are in no file; nil for none

	// Order returns the calls in log order and the number of omitted calls; nil if it was not requested.
	Order func() (steps []analyze.Step, missing int64)
}

// Title names the logs.
func (r *Report) Title() string { return "roclua log: " + r.Input() }

// Table has a row for each distinct call and a column of bytes for each target. An unknown need is empty.
func (r *Report) Table() (output.Table, error) {
	t := output.Table{Columns: []string{"file", "first_line", "count", "function", "call"}}
	for i := range r.Targets {
		t.Columns = append(t.Columns, r.Targets[i].String())
	}
	t.Rows = func(add func(row []string) error) error {
		for _, call := range r.Calls {
			row := []string{r.Files[call.File].Name, fmt.Sprint(call.Line), fmt.Sprint(call.Times),
				call.Routine.CName(), call.Label()}
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
