package compare

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"roclua/hip/trace"
	"roclua/host/baseline"
	"roclua/host/events"
	"roclua/host/result"
	"roclua/input"
	"roclua/luabind/record"
)

// Run is one of two runs to compare: the values and times of its cases.
type Run struct {
	Note  string // a caveat about the file, such as an interrupted run; "" for none
	order []string

	unknown []string // gaps of recordings
	cases   map[string]*runCase
}

// runCase is a case with all its repetitions.
type runCase struct {
	values baseline.Values      // of the first repetition
	times  map[string][]float64 // seconds, of all repetitions

	history *trace.History // of the first repetition; nil if it was not kept
}

func newRun() *Run { return &Run{cases: map[string]*runCase{}} }

// FromResults returns the values of a finished run.
func FromResults(results []*result.Result) *Run {
	run := newRun()
	for _, r := range results {
		run.add(r.Line(true))
	}
	return run
}

// ReadFile reads the values and times of a result file.
func ReadFile(path string) (*Run, error) {
	cases, note, err := ReadCases(path)
	if err != nil {
		return nil, err
	}
	return runOf(cases, note), nil
}

// ReadCases reads the cases of a result file: the document of --out json, or the lines of --out jsonl. The note reports
// cases of the run that are missing from the file.
func ReadCases(path string) (cases []*result.Line, note string, err error) {
	file, err := input.Open(path, input.Results)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	return parse(path, file)
}

func runOf(cases []*result.Line, note string) *Run {
	run := newRun()
	run.Note = note
	for _, l := range cases {
		run.add(l)
	}
	return run
}

// repetition is the part of an id that distinguishes the repetitions of a case.
var repetition = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`,repeat=\d+|\[repeat=\d+\]`)
})

func (run *Run) add(l *result.Line) {
	id, r := repetition().ReplaceAllString(l.ID, ""), &l.Record
	for _, p := range r.Problems {
		name, _, _ := strings.Cut(id, "@")
		text := name + ": " + p
		if strings.HasPrefix(p, record.NotKnown) && !slices.Contains(run.unknown, text) {
			run.unknown = append(run.unknown, text)
		}
	}
	c := run.cases[id]
	if c == nil {
		values := result.BaselineValues(r)
		if l.Outcome != result.Skipped {
			values["outcome"] = string(l.Outcome)
		}
		for _, d := range r.Defects { // the ones that one run lacks are repaired or new
			values["defects."+d.ID+"."+d.Routine] = int64(d.Calls)
		}
		c = &runCase{values: values, times: map[string][]float64{}}
		if !r.WasSkipped() {
			c.history = l.History
		}
		run.order, run.cases[id] = append(run.order, id), c
	}
	if r.Skipped != "" || r.End != nil {
		return
	}
	c.times["seconds"] = append(c.times["seconds"], r.Seconds)
	for _, m := range r.Metrics {
		factor, timed := result.TimeUnits[m.Unit]
		v, ok := baseline.Number(m.Value)
		if timed && ok && !record.IsMeasured(m.Name) {
			c.times[m.Name] = append(c.times[m.Name], v*factor)
		}
	}
	for _, m := range r.Measurements {
		c.times[m.Name+".device.median"], c.times[m.Name+".host.median"] = m.Device.Quantiles, m.Host.Quantiles
		delete(c.times, m.Name+".device.p95")
	}
}

// sharesCase reports whether both runs have a case with the same id.
func (run *Run) sharesCase(other *Run) bool {
	for id := range run.cases {
		if other.cases[id] != nil {
			return true
		}
	}
	return false
}

// The parts of a target in the id of a case, a set of bits: "@cpu/rocm-7.2/gfx90a".
const (
	platformPart = 1 << iota
	profilePart
	archPart

	targetParts = 3
	noParts     = 0
	allParts    = 1<<targetParts - 1
)

// ignored lists the parts of targets by whose names cases are not matched, in the order of the attempts.
var ignored = []int{noParts, allParts, profilePart, archPart, platformPart, profilePart | archPart,
	platformPart | profilePart, platformPart | archPart}

// matched renames the cases of two runs so that equal cases have equal names: their ids without the parts of the target
// that differ. In each run the names stay unique: cases of several architectures are matched by architecture.
func matched(a, b *Run) (*Run, *Run) {
	for _, parts := range ignored {
		x, y := a.without(parts), b.without(parts)
		if x != nil && y != nil && x.sharesCase(y) {
			return x, y
		}
	}
	return a, b
}

// without renames cases to their ids without parts of the target; nil if two would get the same name.
func (run *Run) without(parts int) *Run {
	out := newRun()
	out.unknown = run.unknown
	for _, id := range run.order {
		name := withoutParts(id, parts)
		if out.cases[name] != nil {
			return nil
		}
		out.order, out.cases[name] = append(out.order, name), run.cases[id]
	}
	return out
}

func withoutParts(id string, parts int) string {
	name, target, _ := strings.Cut(id, "@")
	if parts == allParts {
		return name
	}
	var kept []string
	for i, part := range strings.SplitN(target, "/", targetParts) {
		if parts&(1<<i) == 0 {
			kept = append(kept, part)
		}
	}
	return name + "@" + strings.Join(kept, "/")
}

// parse reads the cases of a result file.
func parse(path string, file io.Reader) (lines []*result.Line, note string, err error) {
	const event = `{"event":`
	text := bufio.NewReader(file)
	first, err := text.Peek(len(event))
	if err == io.EOF && len(first) == 0 {
		return nil, "", fmt.Errorf("%s: the result file is empty", path)
	}
	if string(first) == event {
		log, err := events.Parse(path, text)
		if !log.Ended {
			note = fmt.Sprintf("%s: the run did not end normally; %d of its %d cases are compared", path,
				len(log.Cases),
				log.Begin.Cases)
		}
		return log.Cases, note, err
	}
	var doc struct {
		SchemaVersion int            `json:"schema_version"`
		Tool          string         `json:"tool"`
		Cases         []*result.Line `json:"cases"`
	}
	if err := result.DecodeFrom(text, &doc); err != nil {
		return nil, "", fmt.Errorf("%s:%d: the result file cannot be read: %w", path, lineOf(path, err), err)
	}
	if doc.Tool != "roclua" {
		return nil, "", fmt.Errorf("%s: not a result file of roclua run --out json", path)
	}
	if doc.SchemaVersion != result.SchemaVersion {
		return nil, "", fmt.Errorf("%s: the result file has schema_version %d, this program reads %d", path,
			doc.SchemaVersion,
			result.SchemaVersion)
	}
	for _, l := range doc.Cases {
		l.Clean()
	}
	return doc.Cases, "", nil
}

// lineOf returns the line of an error of the decoder, from 1; the last one for an error of no place.
func lineOf(path string, err error) int {
	text, _ := input.File(path, input.Results)
	if offset, ok := result.ErrorOffset(err); ok {
		text = text[:min(offset, int64(len(text)))]
	}
	return bytes.Count(text, []byte("\n")) + 1
}
