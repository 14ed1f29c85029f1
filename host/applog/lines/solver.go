package lines

import (
	"bytes"

	"roclua/hip/routine"
)

// pairs separates "m: 10, n: 10".
func (p *Parser) pairs(text []byte) {
	p.named = p.named[:0]
	for len(text) > 0 {
		var pair []byte
		pair, text, _ = bytes.Cut(text, []byte(","))
		name, value, ok := bytes.Cut(pair, []byte(":"))
		if ok {
			p.named = append(p.named, option{bytes.TrimSpace(name), bytes.Trim(bytes.TrimSpace(value), `'"`)})
		}
	}
}

// profile reads a line of rocBLAS's profile: the name of the function, its arguments by name and the number of calls.
func (p *Parser) profile(piece Piece) Result {
	res := Result{Kind: Profile, State: Cut, Name: "?", Count: 1}
	name, text, ok := bytes.Cut(piece.Text, []byte(","))
	end := bytes.LastIndexByte(text, '}')
	if !ok {
		return res
	}
	res.Name = cName(string(bytes.Trim(name, ` '"`)))
	if end < 0 {
		return res
	}
	p.pairs(text[:end])
	count := int64(1) // tools that take such lines as input have no counts
	if text := p.value("call_count"); text != nil {
		if count, ok = parseInt(text); !ok || count < 1 {
			return res
		}
	}
	r, ok := routine.Lookup(res.Name)
	if !ok {
		unknown := notRoutine(Profile, res.Name, true)
		unknown.Count = count
		return unknown
	}
	p.args = routine.Args{Routine: r}
	known, ok := p.byName()
	return p.result(Profile, count, known, ok)
}
