package lines

import (
	"bytes"

	"roclua/hip/routine"
)

// begin reads the start or the end of a trace tree. A tree without arguments belongs to a call that was refused or had
// nothing to compute.
func (p *Parser) begin(piece Piece) Result {
	name, begins := bytes.CutPrefix(piece.Text, []byte(enter))
	res := Result{Kind: SolverTree, State: NoCall}
	if open := p.tree; open != "" {
		res = Result{Kind: SolverTree, State: Refused, Name: open, Count: 1}
	}
	p.tree = ""
	if begins {
		p.tree = string(name[:nameLength(name)])
	}
	return res
}

// arguments reads the first line within a trace tree; the lines below it describe functions called internally.
func (p *Parser) arguments(piece Piece) Result {
	name := p.tree
	if name == "" {
		return Result{Kind: SolverArgs, State: NoCall}
	}
	p.tree = ""
	r, ok := routine.Lookup(name)
	if !ok {
		return Result{Kind: SolverArgs, State: Unknown, Name: name, Count: 1}
	}
	p.args = routine.Args{Routine: r}
	_, text, _ := bytes.Cut(piece.Text, []byte("("))
	end := bytes.LastIndexByte(text, ')')
	if end < 0 {
		return p.result(SolverArgs, 1, Slots{}, false)
	}
	p.pairs(text[:end])
	known, ok := p.byName()
	return p.result(SolverArgs, 1, known, ok)
}

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
	count, ok := parseInt(p.value("call_count"))
	if !ok || count < 1 {
		return res
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
