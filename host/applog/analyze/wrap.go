package analyze

import (
	"bytes"
	"slices"

	"roclua/host/applog/lines"
)

// join tries to read a line as the end of a wrapped call.
func (r *reader) join(line []byte, whole bool) bool {
	w := &r.wrap
	for _, separator := range []string{" ", ""} {
		piece := w.piece
		start := bytes.TrimRight(piece.Text, " \\\r")
		piece.Text = slices.Concat(start, []byte(separator), bytes.Trim(line, " \t>|`\\\r"))
		res := r.parser.Parse(piece, whole)
		if res.State == lines.Full && !r.parser.Stray &&
			(w.call == nil || r.parser.Marked || moreArguments(&res, w.call)) {
			r.count(r.callOf(&res), piece.Kind, 1, w.line)
			*w = wrapped{joined: joinedLines}
			return true
		}
	}
	continues := len(line) > 0 && (line[0] == ',' || line[0] >= '0' && line[0] <= '9')
	if w.call != nil && w.piece.Kind == lines.Trace && continues {
		w.cut, w.call = function{lines.Trace, w.call.Routine.CName()}, nil // its last number may continue here
	}
	if r.parser.Stray || w.piece.Kind == lines.Trace && !bytes.Contains(line, []byte(",")) {
		w.joined = joinedLines
		return false
	}
	separator := " "
	if w.piece.Kind == lines.Trace {
		separator = ""
	}
	w.piece.Text = slices.Concat(w.piece.Text, []byte(separator), bytes.TrimSpace(line))
	w.joined++
	return false
}

func clone(p lines.Piece) lines.Piece {
	p.Text = bytes.Clone(p.Text)
	return p
}

// moreArguments reports whether a result has more arguments than a call of the same routine.
func moreArguments(res *lines.Result, c *Call) bool {
	return res.Call.Args.Routine == c.Routine && count(&res.Call.Known, c.Routine) > count(&c.Known, c.Routine)
}

// endWrap counts a call whose end was not found before the next piece.
func (r *reader) endWrap(next []byte) {
	c := r.wrap.call
	if c != nil && r.wrap.piece.Kind == lines.Trace && bytes.Contains(next, []byte(",atomics_")) {
		c, r.wrap.cut = nil, function{lines.Trace, c.Routine.CName()} // its last word is missing
	}
	if c != nil {
		r.count(c, r.wrap.piece.Kind, 1, r.wrap.line)
	}
	if r.wrap.cut.name != "" {
		r.tally(r.cut, r.wrap.cut, 1, r.wrap.line)
	}
	r.wrap = wrapped{joined: joinedLines}
}
