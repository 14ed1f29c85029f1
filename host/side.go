package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"roclua/host/baseline"
	"roclua/host/events"
	"roclua/host/result"
	"roclua/luabind"
)

// side is one of two runs that are compared.
type side struct {
	order []string
	cases map[string]*sideCase
	note  string // what is to be known of the file
}

// sideCase is a case with all its repetitions.
type sideCase struct {
	values baseline.Values      // of the first repetition
	times  map[string][]float64 // seconds, of all of them
}

func newSide() *side { return &side{cases: map[string]*sideCase{}} }

func sideOf(results []*result.Result) *side {
	s := newSide()
	for _, r := range results {
		s.add(r.ID, r.Outcome(), r.Record)
	}
	return s
}

// repetition is the part of an id that tells apart the repetitions of a case.
var repetition = regexp.MustCompile(`,repeat=\d+|\[repeat=\d+\]`)

func (s *side) add(id string, o result.Outcome, r *luabind.Record) {
	id = repetition.ReplaceAllString(id, "")
	c := s.cases[id]
	if c == nil {
		values := result.BaselineValues(r)
		if o != result.Skipped {
			values["outcome"] = string(o)
		}
		c = &sideCase{values: values, times: map[string][]float64{}}
		s.order, s.cases[id] = append(s.order, id), c
	}
	if r.Skipped != "" || r.End != nil {
		return
	}
	c.times["seconds"] = append(c.times["seconds"], r.Seconds)
	for _, m := range r.Metrics {
		factor, timed := result.TimeUnits[m.Unit]
		v, ok := m.Value.(float64)
		if n, whole := m.Value.(int64); whole {
			v, ok = float64(n), true
		}
		if timed && ok {
			c.times[m.Name] = append(c.times[m.Name], v*factor)
		}
	}
}

// meets reports whether both sides have a case of one id.
func (s *side) meets(other *side) bool {
	for id := range s.cases {
		if other.cases[id] != nil {
			return true
		}
	}
	return false
}

// withoutTargets calls cases by what stands before the @ of their ids, unless that makes two of one name.
func (s *side) withoutTargets() *side {
	out := newSide()
	for _, id := range s.order {
		name, _, _ := strings.Cut(id, "@")
		if out.cases[name] != nil {
			return s
		}
		out.order, out.cases[name] = append(out.order, name), s.cases[id]
	}
	return out
}

// readSide reads a result file of run: one JSON document, or the lines of --out jsonl.
func readSide(path string) (*side, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, noResultFile(path, err)
	}
	cases, note, err := readResults(path, text)
	if err != nil {
		return nil, err
	}
	s := newSide()
	s.note = note
	for _, c := range cases {
		record, err := c.Record()
		if err != nil {
			return nil, fmt.Errorf("%s: case %s: %w", path, c.ID, err)
		}
		s.add(c.ID, c.Outcome, record)
	}
	return s, nil
}

// readResults reads the cases of a result file. The note says when the run has more of them.
func readResults(path string, text []byte) (cases []result.Entry, note string, err error) {
	if first, _, _ := bytes.Cut(text, []byte("\n")); bytes.HasPrefix(first, []byte(`{"event":`)) {
		log, err := events.Parse(path, text)
		if !log.Ended {
			note = fmt.Sprintf("%s: the run did not come to its end, %d of its %d cases are compared", path, len(log.Cases), log.Begin.Cases)
		}
		for _, c := range log.Cases {
			cases = append(cases, c.Entry)
		}
		return cases, note, err
	}
	var doc struct {
		SchemaVersion int            `json:"schema_version"`
		Tool          string         `json:"tool"`
		Cases         []result.Entry `json:"cases"`
	}
	if err := result.Decode(text, &doc); err != nil {
		return nil, "", fmt.Errorf("%s:%d: the result file cannot be read: %w", path, lineAt(text, err), err)
	}
	if doc.Tool != "roclua" {
		return nil, "", fmt.Errorf("%s: no result file of roclua run --out json", path)
	}
	if doc.SchemaVersion != result.SchemaVersion {
		return nil, "", fmt.Errorf("%s: the result file has schema_version %d, this program reads %d", path, doc.SchemaVersion, result.SchemaVersion)
	}
	return doc.Cases, "", nil
}

// lineAt finds the line that an error of the decoder is about.
func lineAt(text []byte, err error) int {
	offset := len(text)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = int(syntax.Offset)
	case errors.As(err, &kind):
		offset = int(kind.Offset)
	}
	return bytes.Count(text[:min(max(offset, 0), len(text))], []byte("\n")) + 1
}
