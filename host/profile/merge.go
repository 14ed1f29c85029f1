package profile

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
)

// Part is a Go profile written by one process.
type Part struct {
	File    string
	Process string // the label of its samples: "program" or "worker"
}

// Merge merges several profiles into one and labels samples with their process. It returns the number of unreadable
// parts: a killed process leaves an incomplete part, or none.
func Merge(w io.Writer, parts []Part) (lost int, err error) {
	m := newMerger()
	for _, part := range parts {
		data, err := read(part.File)
		if err == nil {
			err = m.add(data, part.Process)
		}
		if err != nil {
			lost++
		}
	}
	if lost == len(parts) {
		return lost, fmt.Errorf("none of %d processes wrote a profile", len(parts))
	}
	return lost, compress(w, m.whole())
}

// read returns the message of a profile.
func read(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(text)
}

// compress writes the message of a profile.
func compress(w io.Writer, message []byte) error {
	out := gzip.NewWriter(w)
	if _, err := out.Write(message); err != nil {
		return err
	}
	return out.Close()
}

// processKey is the index of the label's key in the string table.
const processKey = 1

// merger concatenates encoded profiles: concatenating messages joins their lists, and the last value of any other field
// counts.
type merger struct {
	out      message
	before   places // entries of profiles added before
	duration int64  // sum, in nanoseconds
	added    int
}

func newMerger() *merger {
	m := &merger{before: places{toString: 2}}
	m.out.text(profileString, "")
	m.out.text(profileString, "process")
	return m
}

// add adds a profile. It returns an error and adds nothing if the data are corrupt.
func (m *merger) add(data message, process string) error {
	p := part{process: m.before[toString], isFirst: m.added == 0}
	p.out.text(profileString, process)
	p.before = m.before
	p.before[toString]++
	for len(data) > 0 {
		v, rest, ok := data.next()
		if !ok {
			return errProfile
		}
		if err := p.field(v); err != nil {
			return err
		}
		data = rest
	}
	m.out = append(m.out, p.out...)
	m.added++
	m.duration += p.duration
	for to, n := range p.highest {
		m.before[to] += n
	}
	m.before[toString] = p.before[toString] + p.strings
	return nil
}

// whole returns the message of the profile.
func (m *merger) whole() []byte {
	whole := m.out
	whole.number(profileDuration, uint64(m.duration))
	return whole
}

// part copies the fields of one profile.
type part struct {
	shifter
	out      message
	process  uint64 // index of the process name in the string table
	isFirst  bool   // this profile provides the types of all samples
	strings  uint64
	duration int64
}

func (p *part) field(v value) error {
	f := fieldAt(profileFields, v.field)
	switch v.field {
	case profileSample:
		return p.sample(v, f.fields)
	case profileDuration:
		p.duration = int64(v.number)
		return nil
	case profileString:
		p.strings++
	case profileMapping, profileLocation, profileFunction:
	default:
		if !p.isFirst {
			return nil
		}
	}
	return p.copyField(&p.out, v, f)
}

// sample copies a sample and adds the label of its process.
func (p *part) sample(v value, fields []field) error {
	if v.data == nil {
		return errProfile
	}
	var label, sample message
	label.number(labelKey, processKey)
	label.number(labelStr, p.process)
	sample.bytes(sampleLabel, label)
	err := p.copy(&sample, v.data, fields)
	p.out.bytes(profileSample, sample)
	return err
}
