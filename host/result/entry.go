package result

import (
	"time"

	"roclua/hip/trace"
	"roclua/host/baseline"
	"roclua/host/exit"
	"roclua/internal/escape"
	"roclua/luabind/record"
)

// SchemaVersion is the version of the JSON that reports and event files are written in. It changes when a field
// changes its meaning or is removed; new fields do not change it.
const SchemaVersion = 1

// Entry is a result in a JSON report. The schemas are made from the types of its parts and their comments.
type Entry struct {
	Case
	Outcome Outcome           `json:"outcome"`            // result of the case in a word or two
	Note    string            `json:"note,omitempty"`     // caveat about a passed case
	Changes []baseline.Change `json:"baseline,omitempty"` // values that differ from the baseline
	record.Record
}

// Entry returns the result as reports and event files have it.
func (r *Result) Entry() Entry { return Entry{*r.Case, r.Outcome(), r.Note(), r.Changes, *r.Record} }

// Line is the line of a case that has ended, in an event file. A run keeps its results as such lines, too.
type Line struct {
	Event   string    `json:"event"`   // case
	Started time.Time `json:"started"` // when it began
	Entry
	Required map[string]string `json:"required,omitempty"` // digests of the files that require looked at
	History  *trace.History    `json:"history,omitempty"`  // history of the case; absent when no output needs it
}

// Line returns the result as event files have it, without Required.
func (r *Result) Line(history bool) *Line {
	l := &Line{Event: "case", Started: r.Started, Entry: r.Entry()}
	if history && !r.HistoryMissing {
		l.History = &r.Record.History
	}
	return l
}

// DecodeLine decodes the line of a case. Its record has the history, but not the required files.
func DecodeLine(text []byte) (*Line, error) {
	l := &Line{}
	if err := Decode(text, l); err != nil {
		return nil, err
	}
	l.Clean()
	return l, nil
}

// Clean completes a line that was decoded, and escapes characters that outputs must not have.
func (l *Line) Clean() {
	escape.Clean(&l.Entry)
	if l.History != nil {
		l.Record.History = *l.History
	}
}

// ExitEntry is an exit code of the program.
type ExitEntry struct {
	Code   int    `json:"code"`   // exit code
	Reason string `json:"reason"` // meaning of the code
}

// NewExitEntry describes an exit code.
func NewExitEntry(code exit.Code) ExitEntry { return ExitEntry{int(code), code.String()} }
