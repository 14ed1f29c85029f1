package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"roclua/host/baseline"
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

func sideOf(results []*result) *side {
	s := newSide()
	for _, r := range results {
		s.add(r.id, r.outcome(), r.record)
	}
	return s
}

// repetition is the part of an id that tells apart the repetitions of a case.
var repetition = regexp.MustCompile(`,repeat=\d+|\[repeat=\d+\]`)

func (s *side) add(id string, o outcome, r *luabind.Record) {
	id = repetition.ReplaceAllString(id, "")
	c := s.cases[id]
	if c == nil {
		values := kept(r)
		if o != skippedCase {
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
		factor, timed := timeUnits[m.Unit]
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
		record, err := c.record()
		if err != nil {
			return nil, fmt.Errorf("%s: case %s: %w", path, c.ID, err)
		}
		s.add(c.ID, c.Outcome, record)
	}
	return s, nil
}

// readResults reads the cases of a result file. The note says when the run has more of them.
func readResults(path string, text []byte) (cases []jsonCase, note string, err error) {
	if first, _, _ := bytes.Cut(text, []byte("\n")); bytes.HasPrefix(first, []byte(`{"event":`)) {
		log, err := parseEvents(path, text)
		if !log.ended {
			note = fmt.Sprintf("%s: the run did not come to its end, %d of its %d cases are compared", path, len(log.cases), log.begin.Cases)
		}
		for _, c := range log.cases {
			cases = append(cases, c.jsonCase)
		}
		return cases, note, err
	}
	var doc struct {
		SchemaVersion int        `json:"schema_version"`
		Tool          string     `json:"tool"`
		Cases         []jsonCase `json:"cases"`
	}
	if err := decodeJSON(text, &doc); err != nil {
		return nil, "", fmt.Errorf("%s:%d: the result file cannot be read: %w", path, lineAt(text, err), err)
	}
	if doc.Tool != "roclua" {
		return nil, "", fmt.Errorf("%s: no result file of roclua run --out json", path)
	}
	if doc.SchemaVersion != schemaVersion {
		return nil, "", fmt.Errorf("%s: the result file has schema_version %d, this program reads %d", path, doc.SchemaVersion, schemaVersion)
	}
	return doc.Cases, "", nil
}

// decodeJSON keeps whole numbers whole.
func decodeJSON(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err := d.Decode(v)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return &tornError{len(text)}
	}
	return err
}

// tornError is a file that ends in the middle.
type tornError struct{ at int }

func (e *tornError) Error() string {
	return "it ends in the middle; the run was cut off while it wrote"
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
