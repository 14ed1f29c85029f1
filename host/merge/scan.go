package merge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"time"

	"roclua/host/events"
	"roclua/host/result"
	"roclua/input"
)

// found is the line of a case in a file.
type found struct {
	hash   uint64 // of its id
	offset int64
	size   int32
}

// seed is the seed of the hashes of ids.
var seed = maphash.MakeSeed()

// maxLine bounds the bytes of a line.
const maxLine = 1 << 30

// scanFile notes where the lines of cases are. It returns a file without a begin when the file has no whole line.
func scanFile(path string) (*File, error) {
	file, err := input.Open(path, input.Results)
	if err != nil {
		return nil, fmt.Errorf("the events cannot be read: %w", err)
	}
	f := &File{Path: path, file: file}
	offset := int64(0)
	text := bufio.NewReaderSize(file, 1<<18)
	var long []byte
	for number := int64(1); ; number++ {
		line, err := text.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long[:0], line...)
			line, err = restOfLine(text, &long)
		}
		if err == io.EOF {
			f.setUntil()
			return f, nil // what is left is not whole
		}
		if err != nil {
			return f, fmt.Errorf("%s: the events cannot be read: %w", path, err)
		}
		if err := f.add(line, offset); err != nil {
			if number == 1 || f.Begin.Tool == "" {
				return f, fmt.Errorf("%s: no events of roclua run --out jsonl", path)
			}
			f.torn = append(f.torn, number)
		}
		offset += int64(len(line))
	}
}

// restOfLine reads a line that is longer than the buffer; long has its beginning.
func restOfLine(text *bufio.Reader, long *[]byte) ([]byte, error) {
	for {
		part, err := text.ReadSlice('\n')
		*long = append(*long, part...)
		if err != bufio.ErrBufferFull {
			return *long, err
		}
		if len(*long) > maxLine {
			return nil, errors.New("a line is too long")
		}
	}
}

var (
	caseStart = []byte(`{"event":"case","started":"`)
	idKey     = []byte(`","id":"`)
)

// add adds a line, with its end. A line of a case is not decoded: only its id is read.
func (f *File) add(line []byte, offset int64) error {
	if started, id, ok := caseID(line); ok {
		f.addCase(started, id, offset, len(line))
		return nil
	}
	var kind struct {
		Event   string `json:"event"`
		Started string `json:"started"`
		ID      string `json:"id"`

		Seconds float64 `json:"seconds"`
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		return err
	}
	switch kind.Event {
	case "begin":
		var b events.Begin
		if err := result.Decode(line, &b); err != nil {
			return err
		}
		return f.addBegin(b)
	case "case":
		f.addCase([]byte(kind.Started), []byte(kind.ID), offset, len(line))
	case "end":
		f.Ended = true
		f.Until = f.since.Add(time.Duration(kind.Seconds * float64(time.Second)))
	default:
		return errors.New("unknown event")
	}
	return nil
}

// addCase adds the line of a case.
func (f *File) addCase(started, id []byte, offset int64, size int) {
	f.found = append(f.found, found{maphash.Bytes(seed, id), offset, int32(size)})
	f.Cases++
	f.last = append(f.last[:0], started...)
}

// setUntil sets when the last known case ended, or began if the attempt was killed.
func (f *File) setUntil() {
	if last, err := time.Parse(time.RFC3339Nano, string(f.last)); err == nil && last.After(f.Until) {
		f.Until = last
	}
}

// addBegin adds the begin of the attempt, or of one that resumed it in the same file.
func (f *File) addBegin(b events.Begin) error {
	f.Ended, f.since = false, b.Started
	if b.Tool != "roclua" {
		return errors.New("another program wrote it")
	}
	if f.Begin.Tool == "" {
		f.Begin = b
		return nil
	}
	if b.Plan != nil && f.Begin.Plan != nil && b.Plan.Digest != f.Begin.Plan.Digest {
		return errors.New("another run wrote it")
	}
	return nil
}

// caseID returns when a case began, and its id, from its line as the program writes it; ok is false for any other line.
func caseID(line []byte) (started, id []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, caseStart)
	if !ok || !bytes.HasSuffix(line, []byte("}\n")) {
		return nil, nil, false
	}
	at := bytes.Index(rest, idKey)
	if at < 0 || at > len("2006-01-02T15:04:05.999999999+00:00") {
		return nil, nil, false
	}
	started, rest = rest[:at], rest[at+len(idKey):]
	end := bytes.IndexByte(rest, '"')
	if end < 0 || bytes.IndexByte(rest[:end], '\\') >= 0 {
		return nil, nil, false
	}
	return started, rest[:end], true
}
