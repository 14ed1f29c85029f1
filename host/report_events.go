package host

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"roclua/luabind"
)

// eventLog writes what happens as it happens, a JSON object a line: the run's begin, each case when it ends, the run's end.
// Every line is in the file before the next case is counted, so that an interrupted run loses none.
type eventLog struct {
	w     io.WriteCloser
	file  bool // it tells of all cases; on standard output of those that ran
	limit time.Duration
	err   error // the first line that could not be written
}

// openEvents opens the files of --out jsonl; nothing is open when none is asked for.
func openEvents(outs []output, stdout io.Writer, limit time.Duration) ([]*eventLog, error) {
	var list []*eventLog
	for _, o := range outs {
		if o.format != "jsonl" {
			continue
		}
		w := io.WriteCloser(keepOpen{stdout})
		if o.file != "" {
			f, err := os.Create(o.file)
			if err != nil {
				return nil, fmt.Errorf("--out jsonl: %w", err)
			}
			w = f
		}
		list = append(list, &eventLog{w: w, file: o.file != "", limit: limit})
	}
	return list, nil
}

// keepOpen is a writer that others close.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

func (e *eventLog) write(event any) {
	line, err := json.Marshal(event)
	if err == nil {
		_, err = e.w.Write(append(line, '\n'))
	}
	if e.err == nil {
		e.err = err
	}
}

// jsonBegin and jsonEnd are the first and the last line; between them each case has one.
type (
	jsonBegin struct {
		Event         string    `json:"event"`
		SchemaVersion int       `json:"schema_version"`
		Tool          string    `json:"tool"`
		Version       string    `json:"version"`
		Argv          []string  `json:"argv"`
		Started       time.Time `json:"started"`
		Cases         int       `json:"cases"`
	}
	jsonEnd struct {
		Event   string     `json:"event"`
		Seconds float64    `json:"seconds"`
		Totals  jsonTotals `json:"totals"`
		Exit    jsonExit   `json:"exit"`
	}
)

// begin writes the first line; in a file the cases that are settled follow.
func (e *eventLog) begin(cases []*plannedCase, settled map[string]*result, r *report) {
	n := len(cases)
	if !e.file {
		n -= len(settled)
	}
	e.write(jsonBegin{"begin", schemaVersion, "roclua", version(), r.argv, r.started, n})
	for _, c := range cases {
		if known := settled[c.id]; known != nil && e.file {
			e.finished(known)
		}
	}
}

func (e *eventLog) finished(r *result) {
	e.write(struct {
		Event string `json:"event"`
		jsonCase
	}{"case", r.json(e.limit)})
}

func (e *eventLog) end(r *report) error {
	if !e.file {
		r = r.onStdout()
	}
	e.write(jsonEnd{"end", r.seconds, r.totals(), jsonExit{int(r.exit), r.exit.String()}})
	if err := e.w.Close(); e.err == nil {
		e.err = err
	}
	if e.err != nil {
		return fmt.Errorf("--out jsonl: %w", e.err)
	}
	return nil
}

func failedCheck(c luabind.Check) bool { return !c.Passed }

// writeGitHub writes annotations for GitHub Actions, one for each case that failed, at the script's line where it is known.
// The step's summary goes to the file that Actions names.
func writeGitHub(w io.Writer, r *report) error {
	var b strings.Builder
	for _, c := range r.results {
		if !c.bad() {
			continue
		}
		file, line := c.place()
		fmt.Fprintf(&b, "::error file=%s,line=%d,title=%s::%s\n", property(file), line, property(c.id), message(c.headline(r.limit())))
	}
	for _, c := range r.overall {
		if !c.Passed {
			fmt.Fprintf(&b, "::error title=over all cases::%s\n", message(c.Text+": have "+c.Have))
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil || r.summaryFile == "" {
		return err
	}
	f, err := os.OpenFile(r.summaryFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	err = writeMarkdown(f, r)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// place is the line that a failed case points to: that of its first failed check, or of its error.
func (c *result) place() (file string, line int) {
	for _, check := range c.record.Checks {
		if check.Passed {
			continue
		}
		if at := strings.LastIndexByte(check.Where, ':'); at > 0 {
			if _, err := fmt.Sscanf(check.Where[at+1:], "%d", &line); err == nil {
				return check.Where[:at], line
			}
		}
	}
	if e, ok := c.record.Err.(*luabind.Error); ok && e.Line > 0 {
		return e.File, e.Line
	}
	return c.scenario.script.Name, 1
}

// message and property escape what Actions' commands give a meaning to.
func message(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func property(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}
