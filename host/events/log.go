// Package events writes the events of a run as they happen, one JSON object per line, and reads such files to
// resume a run that did not finish.
//
// A file starts with a Begin, has a Case for each case that ended, and ends with an End. A run that resumes another
// appends such lines to the same file.
//
//	id, err := events.Identify(args, p)
//	logs, err := events.Open(events.Options{Files: []string{"run.jsonl"}}, events.Begin{Plan: id, Cases: n}, cases)
//	logs.Finished(r) // for each case
//	err = logs.End(events.Summary{Results: results})
//
// The package also remembers the last run in a folder; see LastRun.
package events

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/internal/atomicfile"
	"roclua/internal/escape"
	"roclua/luabind/record"
)

// Begin is the first line of a run.
type Begin struct {
	Event         string              `json:"event"`                   // begin
	SchemaVersion int                 `json:"schema_version"`          // format version; see the schema of results
	Tool          string              `json:"tool"`                    // "roclua"
	Version       string              `json:"version"`                 // version of the program
	Argv          []string            `json:"argv"`                    // command line
	Started       time.Time           `json:"started"`                 // when the run began
	Cases         int                 `json:"cases"`                   // cases of the run
	Restored      int                 `json:"restored,omitempty"`      // cases that an earlier run finished
	FailOnFlaky   bool                `json:"fail_on_flaky,omitempty"` // flaky cases fail the run
	Environment   *record.Environment `json:"environment,omitempty"`   // machine that it runs on
	Plan          *Identity           `json:"plan,omitempty"`          // plan, which a run that resumes it must have
	Part          plan.Shard          `json:"shard,omitzero"`          // part of the plan that it runs; absent for all
}

// Second is the line of a second of a workload.
type Second struct {
	Event string `json:"event"` // second
	ID    string `json:"id"`    // name of the case
	record.Interval
}

// End is the last line of a run.
type End struct {
	Event    string           `json:"event"`              // end
	Seconds  float64          `json:"seconds"`            // wall time of the run
	Totals   result.Totals    `json:"totals"`             // cases by outcome
	Failures []output.Failure `json:"failures,omitempty"` // reasons why the run does not pass
	Exit     result.ExitEntry `json:"exit"`               // exit code of the program
}

// Options say where events are written.
type Options struct {
	Files   []string          // paths; "" is Stdout
	System  atomicfile.System // where the files are; nil is the operating system
	Stdout  io.Writer         // written for the path ""
	Resumed *Resumed          // run that is resumed, whose file is continued; may be nil
	History bool              // write the history of each case
	OnlyNew bool              // write to Stdout only the cases that run now
	Kept    Kept              // results of cases that need not run
}

// Kept are the results of cases that need not run.
type Kept struct {
	Count int
	// Each calls f with each whole result, in the order of the plan, and returns the first error.
	Each func(f func(r *result.Result) error) error
}

// Logs are the event files of a run.
type Logs struct {
	mu   sync.Mutex // cases end while the workloads of others run
	list []*log
}

// log writes events to one file.
//
// Every line is one write to a file that is opened for appending, so that a kill of the program loses at most the
// line in progress. After a line that cannot be written, for example on a full disk, the file has the lines before it
// and gets no others, so that the run can be resumed. A crash of the machine loses the lines since the last sync, which
// follows a line when syncEvery has passed, and the end.
type log struct {
	lines
	resumed bool // the file has the events of an earlier run
	all     bool // cases that ended before the run began are written, too
	history bool
	folders []string // that require searches
	synced  time.Time
	cases   int   // cases that the file has
	err     error // why the first line could not be written
}

// lines is where events are written. Append writes a line or nothing.
type lines interface {
	Append(line []byte) error
	Sync() error
	Close() error
}

// stream is standard output.
type stream struct{ io.Writer }

func (s stream) Append(line []byte) error {
	_, err := s.Write(line)
	return err
}

func (stream) Sync() error { return nil }

func (stream) Close() error { return nil }

const syncEvery = time.Second

// waitForLock is how long a run waits for a file that another one writes.
const waitForLock = 200 * time.Millisecond

// Open opens the files and writes their first lines. cases are those that may run.
func Open(o Options, b Begin, cases plan.List) (*Logs, error) {
	logs := &Logs{}
	var resumed os.FileInfo
	if o.Resumed != nil {
		logs.list = append(logs.list, &log{lines: o.Resumed.file, resumed: true, all: true, history: o.History})
		var err error
		if resumed, err = o.Resumed.file.Info(); err != nil {
			return nil, err
		}
	}
	if o.System == nil {
		o.System = atomicfile.OS
	}
	for _, path := range o.Files {
		if path == "" {
			logs.list = append(logs.list, &log{lines: stream{o.Stdout}, all: !o.OnlyNew, history: o.History})
			continue
		}
		if info, err := os.Stat(path); err == nil && resumed != nil && os.SameFile(info, resumed) {
			continue
		}
		file, err := create(o.System, path)
		if err != nil {
			return nil, err
		}
		logs.list = append(logs.list, &log{lines: file, all: true, history: o.History})
	}
	folders := searchPaths(cases)
	for _, l := range logs.list {
		l.folders = folders
		l.begin(o, b)
	}
	return logs, nil
}

// create opens a file for events. It fails when a running program writes the file.
func create(s atomicfile.System, path string) (*atomicfile.Appender, error) {
	f, err := atomicfile.OpenAppender(s, path, os.O_CREATE)
	if err != nil || !f.IsRegular() {
		return f, err
	}
	if !atomicfile.Lock(f.File(), waitForLock) {
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

// begin writes the first line, and the kept results that the file does not have yet.
func (l *log) begin(o Options, b Begin) {
	b.Event, b.SchemaVersion, b.Tool = "begin", result.SchemaVersion, "roclua"
	switch {
	case !l.all:
		b.Cases -= o.Kept.Count
	case o.Resumed != nil:
		b.Restored = o.Kept.Count
	}
	l.write(b)
	if l.resumed {
		l.cases = o.Kept.Count
	}
	if !l.all || l.resumed || o.Kept.Count == 0 {
		return
	}
	err := o.Kept.Each(func(r *result.Result) error {
		l.finished(r)
		return l.err
	})
	l.err = cmp.Or(l.err, err)
}

// write writes a line. A long one is escaped while it is written, so that it is in memory once.
func (l *log) write(event any) {
	if l.err != nil {
		return
	}
	var line bytes.Buffer
	escaped := escape.JSON(&line)
	err := result.Encode(escaped, event, result.Plain)
	if err == nil {
		escaped.Flush()
		line.WriteByte('\n')
		err = l.Append(line.Bytes())
	}
	if now := time.Now(); err == nil && now.Sub(l.synced) > syncEvery {
		l.synced = now
		err = l.Sync()
	}
	if err != nil {
		l.err = fmt.Errorf("%w; the events end after %d cases", err, l.cases)
	}
}

func (l *log) finished(r *result.Result) {
	if l.err != nil {
		return
	}
	line := r.Line(l.history)
	line.Required = fileDigests(r.Record.Required, l.folders)
	l.write(line)
	l.cases++
}

// Second writes a second of the workload of a case to every file.
func (logs *Logs) Second(id string, i record.Interval) {
	logs.mu.Lock()
	defer logs.mu.Unlock()
	for _, l := range logs.list {
		l.write(Second{"second", id, i})
	}
}

// Finished writes a case to every file.
func (logs *Logs) Finished(r *result.Result) {
	logs.mu.Lock()
	defer logs.mu.Unlock()
	for _, l := range logs.list {
		l.finished(r)
	}
}

// Summary is the content of the last line of a run.
type Summary struct {
	Results  []*result.Result // of all cases
	New      []*result.Result // of the cases that ran now
	Seconds  float64          // wall time of the run
	Failures []output.Failure // reasons why it does not pass
	Exit     exit.Code
}

// failuresListed is the most failures that the last line lists, so that it is not longer than the line of a case.
const failuresListed = 1000

// End writes the last line to every file and closes the files. It returns the errors that occurred since Open.
func (logs *Logs) End(s Summary) error {
	var all []error
	if more := len(s.Failures) - failuresListed; more > 0 {
		s.Failures = append(s.Failures[:failuresListed:failuresListed],
			output.Failure{Title: fmt.Sprintf("%d more", more), Headline: "--out json lists all of them"})
	}
	for _, l := range logs.list {
		results := s.Results
		if !l.all {
			results = s.New
		}
		l.write(End{"end", s.Seconds, result.Total(results), s.Failures, result.NewExitEntry(s.Exit)})
		if err := l.Sync(); l.err == nil {
			l.err = err
		}
		if err := l.Close(); l.err == nil {
			l.err = err
		}
		all = append(all, l.err)
	}
	return errors.Join(all...)
}
