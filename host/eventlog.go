package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"roclua/hip"
)

// eventLog writes what happens as it happens, a JSON object a line: the run's begin, each case when it ends, the run's end.
//
// Every line is one write to a file that is only appended to, so that a kill of the program costs the line under way at most.
// A crash of the machine costs what the system has not put on the disk: it is told to after each line that comes more than
// syncEvery after the last time, and at the end.
type eventLog struct {
	w       io.WriteCloser
	file    *os.File // nil for standard output
	all     bool     // it tells of all cases, and not only of those that ran
	history bool     // keep what happened in each case, too
	synced  time.Time
	err     error // the first line that could not be written
}

const syncEvery = time.Second

// createEvents begins a file of events. One that a running program writes is not taken from it.
func createEvents(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return f, err
	}
	if !lockFile(f) {
		err = errBusy(path)
	} else {
		err = f.Truncate(0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func errBusy(path string) error { return errors.New(path + ": a running roclua writes this file") }

// keepOpen is a writer that others close.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

func (e *eventLog) write(event any) {
	line, err := json.Marshal(event)
	if err == nil {
		_, err = e.w.Write(append(line, '\n'))
	}
	if now := time.Now(); now.Sub(e.synced) > syncEvery {
		e.synced = now
		e.sync()
	}
	if e.err == nil {
		e.err = err
	}
}

// sync puts the file on the disk. What is no file on a disk, a pipe say, cannot be put there.
func (e *eventLog) sync() {
	if e.file != nil {
		e.file.Sync()
	}
}

// The first line of a run, one for each case, and the last line. A run that takes over begins and ends with such lines of its own.
type (
	jsonBegin struct {
		Event         string           `json:"event"`                 // begin
		SchemaVersion int              `json:"schema_version"`        // version of this form: other fields may join it, none changes its meaning or goes
		Tool          string           `json:"tool"`                  // "roclua"
		Version       string           `json:"version"`               // version of the program
		Argv          []string         `json:"argv"`                  // command line
		Started       time.Time        `json:"started"`               // when the run began
		Cases         int              `json:"cases"`                 // cases of the run
		Restored      int              `json:"restored,omitempty"`    // cases that an earlier run finished
		Environment   *jsonEnvironment `json:"environment,omitempty"` // machine that it runs on
		Plan          *jsonPlan        `json:"plan,omitempty"`        // what a run that takes over must plan, too
	}
	caseEvent struct {
		Event   string    `json:"event"`   // case
		Started time.Time `json:"started"` // when it began
		jsonCase
		Required map[string]string `json:"required,omitempty"` // digests of the files in which require looked
		History  *hip.History      `json:"history,omitempty"`  // what happened in the case; nil when nobody asked
	}
	jsonEnd struct {
		Event   string     `json:"event"`   // end
		Seconds float64    `json:"seconds"` // wall time of the run
		Totals  jsonTotals `json:"totals"`  // cases by what became of them
		Exit    jsonExit   `json:"exit"`    // exit code of the program
	}
)

func (e *eventLog) begin(b jsonBegin) {
	b.Event, b.SchemaVersion, b.Tool, b.Version = "begin", schemaVersion, "roclua", version()
	e.write(b)
}

func (e *eventLog) finished(r *result) {
	event := caseEvent{Event: "case", Started: r.started, jsonCase: r.json(), Required: fileDigests(r.record.Required)}
	if e.history && !r.untold {
		event.History = &r.record.History
	}
	e.write(event)
}

func (e *eventLog) end(r *report) error {
	if !e.all {
		r = r.onStdout()
	}
	e.write(jsonEnd{"end", r.seconds, r.totals(), jsonExit{int(r.exit), r.exit.String()}})
	e.sync()
	if err := e.w.Close(); e.err == nil {
		e.err = err
	}
	if e.err != nil {
		return fmt.Errorf("--out jsonl: %w", e.err)
	}
	return nil
}
