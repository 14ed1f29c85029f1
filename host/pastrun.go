package host

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"
)

// pastRun is what a file of events tells of a run that may not have come to its end.
type pastRun struct {
	begin jsonBegin
	cases []caseEvent // in the order in which they ended, each once
	ended bool
	whole int // bytes of the file up to the last whole line

	at           map[string]int // places of cases
	spent        time.Duration  // by the runs before the last that began
	since, until time.Time      // what is known of that one
}

// parseEvents reads the lines of --out jsonl. The last one may be torn, for that is what a kill leaves behind.
func parseEvents(path string, text []byte) (*pastRun, error) {
	log := &pastRun{at: map[string]int{}}
	for number := 1; len(text) > log.whole; number++ {
		line, _, terminated := bytes.Cut(text[log.whole:], []byte("\n"))
		if !terminated {
			break
		}
		err := log.add(line)
		if torn := (*tornError)(nil); errors.As(err, &torn) && log.whole+len(line)+1 == len(text) {
			break
		}
		if err != nil && number == 1 {
			break // no begin, then
		}
		if err != nil {
			return log, fmt.Errorf("%s:%d: the events cannot be read: %w", path, number, err)
		}
		log.whole += len(line) + 1
	}
	switch {
	case log.begin.Tool != "roclua":
		return log, fmt.Errorf("%s: no events of roclua run --out jsonl", path)
	case log.begin.SchemaVersion != schemaVersion:
		return log, fmt.Errorf("%s: the events have schema_version %d, this program reads %d", path, log.begin.SchemaVersion, schemaVersion)
	}
	return log, nil
}

func (p *pastRun) add(line []byte) error {
	var kind struct {
		Event string `json:"event"`
	}
	if err := decodeJSON(line, &kind); err != nil {
		return err
	}
	switch kind.Event {
	case "begin":
		var b jsonBegin
		if err := decodeJSON(line, &b); err != nil {
			return err
		}
		p.began(b)
	case "case":
		var c caseEvent
		if err := decodeJSON(line, &c); err != nil {
			return err
		}
		p.finished(c)
	case "end":
		var e jsonEnd
		if err := decodeJSON(line, &e); err != nil {
			return err
		}
		p.ended, p.spent, p.until = true, time.Duration(e.Seconds*float64(time.Second)), p.since
	default:
		return errors.New("unknown event " + strings.TrimSpace(kind.Event))
	}
	return nil
}

// began takes note of a run, or of one that took over.
func (p *pastRun) began(b jsonBegin) {
	if p.begin.Tool == "" {
		p.begin = b
	}
	p.spent = p.duration()
	p.since, p.until, p.ended = b.Started, b.Started, false
}

// finished takes note of a case. One that was interrupted may come again.
func (p *pastRun) finished(c caseEvent) {
	if end := c.Started.Add(time.Duration(c.Seconds * float64(time.Second))); end.After(p.until) {
		p.until = end
	}
	if i, again := p.at[c.ID]; again {
		p.cases[i] = c
		return
	}
	p.at[c.ID] = len(p.cases)
	p.cases = append(p.cases, c)
}

// duration is how long the runs took that wrote the file, without the time between them, as far as their events tell.
func (p *pastRun) duration() time.Duration { return p.spent + p.until.Sub(p.since) }
