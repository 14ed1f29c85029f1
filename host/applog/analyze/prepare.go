package analyze

import (
	"bytes"

	"roclua/host/applog/lines"
)

// block is a part of a file: whole lines, except possibly the last.
type block struct {
	text []byte
	read int64 // bytes of the file, including skipped ones
	err  error // read error after this part; io.EOF at the end

	prepared *prepared
	ready    chan struct{} // closed when prepared is complete; nil without preparation
}

// prepared is the parsed lines of a block. Another goroutine parses them than the one that follows the calls. This pays
// off for logs with mostly distinct calls; the meaning of equal lines is cached.
type prepared struct {
	lines []preparedLine
	keys  []byte // of calls
	needs []Need // of calls, one for each target
}

// worker prepares one block at a time.
type worker struct {
	log    *Log // only its immutable fields are used
	parser *lines.Parser
	key    []byte
}

func (w *worker) prepare(n *block) {
	p := n.prepared
	p.lines, p.keys, p.needs = p.lines[:0], p.keys[:0], p.needs[:0]
	for text := n.text; len(text) > 0; {
		var line []byte
		var whole bool
		line, text, whole = cutLine(text)
		p.lines = append(p.lines, preparedLine{})
		if whole {
			w.line(p, line)
		}
	}
}

// cutLine returns the first line of text without its newline; whole is false if the newline is missing.
func cutLine(text []byte) (line, rest []byte, whole bool) {
	i := bytes.IndexByte(text, '\n')
	switch {
	case i < 0:
		return text[:min(len(text), longestLine)], nil, false
	case i >= longestLine:
		return text[:longestLine], text[i+1:], false
	}
	return text[:i], text[i+1:], true
}

// line prepares the last piece of a line.
func (w *worker) line(p *prepared, line []byte) {
	piece, rest := lines.Find(line)
	for rest != nil {
		if piece.Kind == lines.Trace || piece.Kind == lines.Marker {
			w.parser.Parse(piece, false) // for the atomics mode
		}
		piece, rest = lines.Find(rest)
	}
	switch piece.Kind {
	case lines.Trace, lines.Marker, lines.Bench, lines.SolverBench:
	default:
		return
	}
	to := &p.lines[len(p.lines)-1]
	to.ok, to.atomics = true, w.parser.AtomicsWord
	res := w.parser.Parse(piece, true)
	to.marked = w.parser.Marked
	to.meaning = meaning{state: res.State, name: res.Name, count: res.Count}
	if res.State != lines.Full {
		return
	}
	to.meaning.mayBeCut = mayBeCut(&res, to.marked)
	w.key = pack(w.key, res.Call.Args)
	keys, needs := len(p.keys), len(p.needs)
	p.keys = append(p.keys, w.key...)
	p.needs = w.log.appendNeeds(p.needs, &res.Call)
	to.call = preparedCall{res.Call.Args.Routine, res.Call.Known, p.keys[keys:], p.needs[needs:]}
}

// One block in measureEvery is left unprepared, to measure whether lines repeat. If the fraction newLines of its lines
// are new, the following blocks are prepared.
const (
	measureEvery = 64
	newLines     = 0.5
)
