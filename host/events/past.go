package events

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"roclua/host/result"
)

// Past is a run that an event file records. It may not have finished.
type Past struct {
	Begin Begin
	Cases []Case // in the order in which they ended, each once
	Ended bool   // the run finished

	whole        int            // bytes of the file up to the last complete line
	index        map[string]int // into Cases, by id
	earlier      time.Duration  // time that the runs before the last one took
	since, until time.Time      // known duration of the last one
}

// Parse reads the lines of an event file. The last line may be incomplete, as a kill leaves it. Parse returns what it
// could read also with an error.
func Parse(path string, text []byte) (*Past, error) {
	p := &Past{index: map[string]int{}}
	for number := 1; len(text) > p.whole; number++ {
		line, _, terminated := bytes.Cut(text[p.whole:], []byte("\n"))
		if !terminated {
			break
		}
		err := p.add(line)
		if torn := (*result.TruncatedError)(nil); errors.As(err, &torn) && p.whole+len(line)+1 == len(text) {
			break
		}
		if err != nil && number == 1 {
			break // it has no begin
		}
		if err != nil {
			return p, fmt.Errorf("%s:%d: the events cannot be read: %w", path, number, err)
		}
		p.whole += len(line) + 1
	}
	switch {
	case p.Begin.Tool != "roclua":
		return p, fmt.Errorf("%s: no events of roclua run --out jsonl", path)
	case p.Begin.SchemaVersion != result.SchemaVersion:
		return p, fmt.Errorf("%s: the events have schema_version %d, this program reads %d", path,
			p.Begin.SchemaVersion, result.SchemaVersion)
	}
	return p, nil
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
		p.addBegin(b)
	case "case":
		var c Case
		if err := result.Decode(line, &c); err != nil {
			return err
		}
		p.addCase(c)
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
func (p *Past) addBegin(b Begin) {
	if p.Begin.Tool == "" {
		p.Begin = b
	}
	p.earlier = p.duration()
	p.since, p.until, p.Ended = b.Started, b.Started, false
}

// addCase adds a case. An interrupted case may occur again.
func (p *Past) addCase(c Case) {
	if end := c.Started.Add(time.Duration(c.Seconds * float64(time.Second))); end.After(p.until) {
		p.until = end
	}
	if i, again := p.index[c.ID]; again {
		p.Cases[i] = c
		return
	}
	p.index[c.ID] = len(p.Cases)
	p.Cases = append(p.Cases, c)
}

// duration is how long the runs took that wrote the file, without the time between them, as far as the events show.
func (p *Past) duration() time.Duration { return p.earlier + p.until.Sub(p.since) }
