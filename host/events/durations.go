package events

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"

	"roclua/host/result"
	"roclua/input"
)

// Durations are how long cases took in an earlier run.
type Durations struct {
	Digest string // of the file

	seed    maphash.Seed
	seconds map[uint64]float64 // by the hash of an id
}

// ReadDurations reads the durations of a result file: the document of --out json, or the lines of --out jsonl. Cases
// that were interrupted have none.
func ReadDurations(path string) (*Durations, error) {
	file, err := input.Open(path, input.Results)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	d := &Durations{seed: maphash.MakeSeed(), seconds: map[uint64]float64{}}
	hash := sha256.New()
	text := bufio.NewReaderSize(io.TeeReader(file, hash), 1<<16)
	if start, _ := text.Peek(len(eventStart)); bytes.Equal(start, []byte(eventStart)) {
		err = d.readEvents(text)
	} else {
		err = d.readDocument(text)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	d.Digest = fmt.Sprintf("%x", hash.Sum(nil))
	return d, nil
}

// eventStart is how a line of events begins.
const eventStart = `{"event":`

// Seconds returns how long a case took; -1 when the file does not have the case.
func (d *Durations) Seconds(id string) float64 {
	if s, ok := d.seconds[maphash.String(d.seed, id)]; ok {
		return s
	}
	return -1
}

// timed is what a case of a result file says about its duration.
type timed struct {
	ID      string         `json:"id"`
	Seconds float64        `json:"seconds"`
	Outcome result.Outcome `json:"outcome"`
}

func (d *Durations) add(c timed) {
	if c.ID != "" && !c.Outcome.IsUnfinished() {
		d.seconds[maphash.String(d.seed, c.ID)] = c.Seconds
	}
}

// readEvents reads lines. Those that a kill left incomplete do not count.
func (d *Durations) readEvents(r *bufio.Reader) error {
	for {
		line, err := readLine(r)
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return err
		}
		var c timed
		if json.Unmarshal(line, &c) == nil {
			d.add(c)
		}
	}
}

// readDocument reads the cases of a document, one at a time.
func (d *Durations) readDocument(r io.Reader) error {
	j := json.NewDecoder(r)
	if t, err := j.Token(); err != nil || t != json.Delim('{') {
		return errors.New("no result file of roclua run --out json or --out jsonl")
	}
	for j.More() {
		key, err := j.Token()
		if err != nil {
			return err
		}
		if key == "cases" {
			return d.readCases(j)
		}
		var other json.RawMessage
		if err := j.Decode(&other); err != nil {
			return err
		}
	}
	return errors.New("the result file has no cases")
}

func (d *Durations) readCases(j *json.Decoder) error {
	if t, err := j.Token(); err != nil || t != json.Delim('[') {
		return errors.New("the cases of the result file are not a list")
	}
	for j.More() {
		var c timed
		if err := j.Decode(&c); err != nil {
			return err
		}
		d.add(c)
	}
	return nil
}
