package host

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// pastRun is what a file of events tells of a run that may not have come to its end.
type pastRun struct {
	begin jsonBegin
	cases []jsonCase // in the order in which they ended
	ended bool
	whole int // bytes of the file up to the last whole line
}

// parseEvents reads the lines of --out jsonl. The last one may be torn, for that is what a kill leaves behind.
func parseEvents(path string, text []byte) (*pastRun, error) {
	log := &pastRun{}
	for number := 1; len(text) > log.whole; number++ {
		line, _, terminated := bytes.Cut(text[log.whole:], []byte("\n"))
		if !terminated {
			break
		}
		err := log.add(line)
		if torn := (*tornError)(nil); errors.As(err, &torn) && log.whole+len(line)+1 == len(text) {
			break
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
		if p.begin.Tool != "" {
			return nil // of a run that took over
		}
		return decodeJSON(line, &p.begin)
	case "case":
		var c jsonCase
		if err := decodeJSON(line, &c); err != nil {
			return err
		}
		p.cases = append(p.cases, c)
	case "end":
		p.ended = true
	default:
		return errors.New("unknown event " + strings.TrimSpace(kind.Event))
	}
	return nil
}
