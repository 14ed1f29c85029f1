package lines

import (
	"bytes"

	"roclua/hip/routine"
)

// atomics are the last words of trace lines.
var atomics = [][]byte{[]byte(",atomics_not_allowed"), []byte(",atomics_allowed")}

// controls are functions of handles, which need no memory.
var controls = map[string]bool{
	"rocblas_create_handle": true, "rocblas_destroy_handle": true, "rocblas_set_stream": true,
	"rocblas_get_stream": true, "rocblas_set_pointer_mode": true, "rocblas_get_pointer_mode": true,
	"rocblas_set_atomics_mode": true, "rocblas_get_atomics_mode": true, "rocblas_set_math_mode": true,
	"rocblas_get_math_mode": true, "rocblas_set_vector": true, "rocblas_get_vector": true,
	"rocblas_set_matrix": true, "rocblas_get_matrix": true, "rocblas_set_vector_async": true,
	"rocblas_get_vector_async": true, "rocblas_set_matrix_async": true, "rocblas_get_matrix_async": true,
}

// trace reads a line with the arguments in C order.
func (p *Parser) trace(piece Piece, whole bool) Result {
	text, marked := traceEnd(piece.Text)
	p.AtomicsWord = p.AtomicsWord || marked
	p.split(text)
	name := cName(string(p.fields[0]))
	r, ok := routine.Lookup(name)
	if !ok {
		return notRoutine(name, marked || !p.AtomicsWord && whole)
	}
	p.args = routine.Args{Routine: r}
	values := p.fields[1:]
	complete := marked || whole && !p.AtomicsWord
	if complete && writtenTwice.matches(r) {
		if _, ok := p.inOrder(p.paramsOf(r, writtenTwice.slots), values); ok {
			return Result{State: Repeated, Name: name}
		}
		p.args = routine.Args{Routine: r}
	}
	known, ok := p.inOrder(p.traceParams(r), values)
	return p.result(1, known, ok && complete)
}

// notRoutine is the result for a function missing from the table of routines.
func notRoutine(name string, complete bool) Result {
	state := Unknown
	switch {
	case !complete:
		state = Cut
	case controls[name]:
		state = NoCall
	}
	return Result{State: state, Name: name, Count: 1}
}

// traceEnd strips the end of a trace line: the atomics mode, reported by marked, or unrelated text.
func traceEnd(text []byte) (line []byte, marked bool) {
	for _, word := range atomics {
		if i := bytes.Index(text, word); i >= 0 {
			// set_atomics_mode also has the word as its argument.
			if rest := text[i+len(word):]; bytes.HasPrefix(rest, []byte(",atomics_")) {
				i += len(word)
			}
			return text[:i], true
		}
	}
	if i := bytes.IndexAny(text, "\"`*\r\t"); i >= 0 {
		text = text[:i]
	}
	return bytes.TrimRight(text, " "), false
}

// split separates the fields of a trace line. A complex number is one field.
func (p *Parser) split(text []byte) {
	p.fields = p.fields[:0]
	depth, start := 0, 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			p.fields = append(p.fields, text[start:i])
			start = i + 1
		}
	}
	p.fields = append(p.fields, text[start:])
}

// inOrder reads values in the order of parameters; nil marks a value without a parameter.
func (p *Parser) inOrder(params []*routine.Param, values [][]byte) (known Slots, ok bool) {
	if len(values) != len(params) {
		return known, false
	}
	for i, param := range params {
		if param == nil {
			if !isNumber(values[i]) {
				return known, false
			}
			continue
		}
		switch set(&p.args, param, values[i]) {
		case isRead:
			known.Add(param.Slot)
		case isGarbled:
			return known, false
		}
	}
	return known, true
}

func isNumber(text []byte) bool {
	_, ok := parseInt(text)
	return ok
}

// traceParams returns the parameters in the order of a routine's trace line.
func (p *Parser) traceParams(r *routine.Routine) []*routine.Param {
	params, ok := p.orders[r]
	if !ok {
		params = p.paramsOf(r, traceOrder(r))
		p.orders[r] = params
	}
	return params
}

func (p *Parser) paramsOf(r *routine.Routine, slots []routine.Slot) []*routine.Param {
	var params []*routine.Param
	for _, s := range slots {
		var param *routine.Param // nil for an ignored value
		if s != ignored {
			param, _ = r.ParamAt(s)
		}
		params = append(params, param)
	}
	return params
}

// pairs separates "m: 10, n: 10".
func (p *Parser) pairs(text []byte) {
	p.named = p.named[:0]
	for pair := range bytes.SplitSeq(text, []byte(",")) {
		if name, value, ok := bytes.Cut(pair, []byte(":")); ok {
			p.named = append(p.named, option{bytes.TrimSpace(name), bytes.Trim(bytes.TrimSpace(value), `'"`)})
		}
	}
}

// profile reads a line of rocBLAS's profile: the name of the function, its arguments by name and the number of calls.
func (p *Parser) profile(piece Piece) Result {
	res := Result{State: Cut, Name: "?", Count: 1}
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
		if count, ok = parseInt(text); !ok || count < 1 || count > MostCalls {
			return res
		}
	}
	r, ok := routine.Lookup(res.Name)
	if !ok {
		unknown := notRoutine(res.Name, true)
		unknown.Count = count
		return unknown
	}
	p.args = routine.Args{Routine: r}
	known, ok := p.byName()
	return p.result(count, known, ok)
}
