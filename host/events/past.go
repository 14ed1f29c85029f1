package events

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
	"time"

	"roclua/host/result"
	"roclua/input"
)

// Past is a run that an event file records. It may not have finished.
type Past struct {
	Begin Begin
	Cases []*result.Line // in the order of their ends, each once
	Ended bool           // the run finished

	// Each is called with each case as it is read; an error ends reading.
	Each func(*result.Line) error
	// Damaged is called with the number of a line in the middle that cannot be read. It is an error if nil.
	Damaged func(line int)

	refused error // of Each

	whole        int64          // bytes of the file up to the last complete line
	noBegin      bool           // the first line is complete, and not the begin of a run
	rest         []byte         // first bytes of the incomplete line after the last complete one
	index        map[string]int // into Cases, by id
	earlier      time.Duration  // time that the runs before the last one took
	since, until time.Time      // known duration of the last one
}

// Parse reads the lines of an event file. The last line may be incomplete, as a kill leaves it. With an error Parse
// returns the lines before it.
func Parse(path string, file io.Reader) (*Past, error) {
	p := &Past{index: map[string]int{}}
	p.Each = p.keep
	return p, p.Read(path, file)
}

// Read reads the lines of an event file, and stops at an error of Each.
func (p *Past) Read(path string, file io.Reader) error {
	text := bufio.NewReaderSize(file, 1<<16)
	for number := 1; ; number++ {
		line, err := readLine(text, p.longest())
		if err == io.EOF {
			p.rest = line[:min(len(line), maxRest)]
			break
		}
		if err == nil {
			err = p.add(line)
		}
		if p.refused != nil {
			return p.refused
		}
		if torn := (*result.TruncatedError)(nil); errors.As(err, &torn) && atEnd(text) {
			p.noBegin = number == 1
			break
		}
		switch {
		case err == nil || isRefused(err):
		case number == 1:
			p.noBegin = true
			return p.checkBegin(path)
		case p.Damaged != nil:
			p.Damaged(number)
			err = nil
		}
		if err != nil {
			return unreadable(path, number, err)
		}
		p.whole += int64(len(line)) + 1
	}
	return p.checkBegin(path)
}

func (p *Past) checkBegin(path string) error {
	switch {
	case p.Begin.Tool != "roclua":
		return fmt.Errorf("%s: no events of roclua run --out jsonl", path)
	case p.Begin.SchemaVersion != result.SchemaVersion:
		return fmt.Errorf("%s: the events have schema_version %d, this program reads %d", path,
			p.Begin.SchemaVersion, result.SchemaVersion)
	}
	return nil
}

// ParseBegin reads the first line of an event file. The error of a file without one is io.EOF.
func ParseBegin(path string, file io.Reader) (*Past, error) {
	p := &Past{}
	line, err := readLine(bufio.NewReaderSize(file, 1<<16), p.longest())
	if err == nil {
		err = p.add(line)
	}
	switch {
	case isRefused(err):
		err = unreadable(path, 1, err)
	case err != io.EOF && (err != nil || p.Begin.Tool != "roclua"):
		err = fmt.Errorf("%s: no events of roclua run --out jsonl", path)
	}
	return p, err
}

func unreadable(path string, line int, err error) error {
	return fmt.Errorf("%s:%d: the events cannot be read: %w", path, line, err)
}

// Numbers of bytes.
const (
	maxBegin   = 128 << 20 // of the begin of a run
	maxHistory = 256 << 20 // of the history of a case
	maxRest    = 1 << 10   // of Past.rest
)

// longest returns the most bytes of the next line. The texts of a case take at most eight times limits.output, since
// some characters are escaped.
func (p *Past) longest() int {
	if p.Begin.Plan == nil {
		return maxBegin
	}
	config, _ := p.Begin.Plan.Config.(map[string]any)
	limits, _ := config["limits"].(map[string]any)
	number, _ := limits["output"].(json.Number)
	if output, err := number.Int64(); err == nil && output > 0 {
		return maxHistory + 8*int(output)
	}
	return math.MaxInt // no limit
}

// longLineError is the error for a line of more bytes than a run writes.
type longLineError int

func (e longLineError) Error() string { return fmt.Sprintf("the line has more than %d bytes", int(e)) }

// readLine returns a line without its end. At the end of the file it returns the rest, and io.EOF. Of a long line
// that is no event it returns the beginning.
func readLine(r *bufio.Reader, longest int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line) < maxRest || line[0] == '{' {
			line = append(line, part...)
		}
		switch {
		case err == nil:
			return bytes.TrimSuffix(line, []byte("\n")), nil
		case err != bufio.ErrBufferFull:
			return line, err
		case len(line) > longest:
			return nil, longLineError(longest)
		}
	}
}

// atEnd reports whether a file has no more bytes.
func atEnd(r *bufio.Reader) bool {
	_, err := r.Peek(1)
	return err == io.EOF
}

// isRefused reports whether a file cannot be read, whatever it contains.
func isRefused(err error) bool {
	var path *fs.PathError
	var large *input.TooLargeError
	var long longLineError
	return errors.As(err, &path) || errors.As(err, &large) || errors.As(err, &long)
}

func (p *Past) add(line []byte) error {
	var kind struct {
		Event string `json:"event"`
	}
	if err := result.Decode(line, &kind); err != nil {
		return err
	}
	switch kind.Event {
	case "begin":
		var b Begin
		if err := result.Decode(line, &b); err != nil {
			return err
		}
		return p.addBegin(b)
	case "case":
		c, err := result.DecodeLine(line)
		if err != nil {
			return err
		}
		p.addCase(c)
	case "second": // of a workload; its case has the whole
	case "end":
		var e End
		if err := result.Decode(line, &e); err != nil {
			return err
		}
		p.Ended, p.earlier, p.until = true, time.Duration(e.Seconds*float64(time.Second)), p.since
	default:
		return errors.New("unknown event " + strings.TrimSpace(kind.Event))
	}
	return nil
}

// addBegin adds the begin of the run, or of one that resumed it.
func (p *Past) addBegin(b Begin) error {
	switch first := p.Begin; {
	case first.Tool == "":
		p.Begin = b
	case b.Tool != first.Tool, b.Plan != nil && first.Plan != nil && b.Plan.Digest != first.Plan.Digest:
		return errors.New("another run wrote it")
	}
	p.earlier = p.duration()
	p.since, p.until, p.Ended = b.Started, b.Started, false
	return nil
}

func (p *Past) addCase(c *result.Line) {
	if end := c.Started.Add(time.Duration(c.Seconds * float64(time.Second))); end.After(p.until) {
		p.until = end
	}
	if p.Each != nil {
		p.refused = p.Each(c)
	}
}

// keep adds a case to Cases. An interrupted case may occur again.
func (p *Past) keep(c *result.Line) error {
	if i, again := p.index[c.ID]; again {
		p.Cases[i] = c
		return nil
	}
	p.index[c.ID] = len(p.Cases)
	p.Cases = append(p.Cases, c)
	return nil
}

// Until returns when the last known case ended.
func (p *Past) Until() time.Time {
	if p.Ended {
		return p.since.Add(p.earlier)
	}
	return p.until
}

// duration is how long the runs took that wrote the file, without the time between them, as far as the events show.
func (p *Past) duration() time.Duration { return p.earlier + p.until.Sub(p.since) }
