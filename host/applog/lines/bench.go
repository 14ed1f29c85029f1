package lines

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"

	"roclua/hip/routine"
)

// option is an argument by name.
type option struct{ name, value []byte }

// bench reads a command of rocblas-bench or rocsolver-bench.
func (p *Parser) bench(piece Piece, whole bool) Result {
	cut := p.options(piece.Text, whole)
	function := p.value("f", "function")
	if function == nil {
		return Result{State: Cut, Name: "?", Count: 1}
	}
	r := p.benchRoutine(piece.Kind, string(function))
	if r == nil {
		state, library := Unknown, "rocblas_"
		if cut {
			state = Cut
		}
		if piece.Kind == SolverBench {
			library = "rocsolver_"
		}
		return Result{State: state, Name: library + string(function), Count: 1}
	}
	p.args = routine.Args{Routine: r}
	known, ok := p.byName()
	if last := len(p.named) - 1; ok && piece.Written && !p.ended && isCut(r, &known) {
		if _, err := strconv.ParseFloat(string(p.named[last].value), 64); err == nil {
			p.named = p.named[:last] // the last number may be cut
			p.args = routine.Args{Routine: r}
			known, ok = p.byName()
		}
	}
	if r.Family.Mixed() {
		p.typesOf(&known)
	}
	return p.result(1, known, ok)
}

// isCut reports whether a command written by a library is truncated: it lacks a size, a leading dimension or a stride.
func isCut(r *routine.Routine, known *Slots) bool {
	if slices.Contains(shortCommands, r.Family.ID) {
		return false
	}
	for i := range r.Params {
		if p := &r.Params[i]; p.Kind.IsInteger() && !known.Has(p.Slot) {
			return true
		}
	}
	return false
}

// byName reads the options of a call. Options without a parameter are skipped.
func (p *Parser) byName() (known Slots, ok bool) {
	for _, o := range p.named {
		param := p.args.Routine.Option(o.name)
		if param == nil || o.value == nil {
			continue
		}
		switch set(&p.args, param, o.value) {
		case isRead:
			known.Add(param.Slot)
		case isGarbled:
			if !param.Kind.IsPointer() || param.Kind == routine.Scalar {
				return known, false
			}
		}
	}
	return known, true
}

// typesOf sets every datatype missing from the command to the type of -r.
func (p *Parser) typesOf(known *Slots) {
	v, ok := datatype(p.value("r", "precision"))
	if !ok {
		return
	}
	r := p.args.Routine
	for i := range r.Params {
		if param := &r.Params[i]; param.Kind == routine.Datatype && !known.Has(param.Slot) {
			p.args.SetInt(param.Slot, v)
			known.Add(param.Slot)
		}
	}
}

// value returns the value of an option, or nil.
func (p *Parser) value(names ...string) []byte {
	for _, o := range p.named {
		for _, name := range names {
			if string(o.name) == name {
				return o.value
			}
		}
	}
	return nil
}

// options separates the options of a command. It reports whether the last one may be cut, and omits it if so.
func (p *Parser) options(text []byte, whole bool) (cut bool) {
	p.named, p.ended = p.named[:0], hasSuffix(text, " ")
	if i := bytes.IndexAny(text, "`*\"\r"); i >= 0 {
		text, whole, p.ended = text[:i], true, true
	}
	for {
		var word, value []byte
		if word, text = nextWord(text); len(word) == 0 {
			return cut
		}
		if string(word) == "..." || string(word) == "…" || string(word) == `\` {
			continue
		}
		name := optionName(word)
		if name == nil {
			return cut
		}
		end := len(text) == 0
		value, text = optionValue(text)
		end = end || len(text) == 0 && !whole
		if end {
			return true
		}
		if rest, ok := bytes.CutSuffix(value, []byte(joinedOption)); ok && string(name) == "api" {
			p.named = append(p.named, option{name, rest})
			name = []byte("f")
			value, text = nextWord(text)
		}
		p.named = append(p.named, option{name, value})
	}
}

// nextWord returns the next word of a command, nil if there is none, and the text after it.
func nextWord(text []byte) (word, rest []byte) {
	text = bytes.TrimLeft(text, " \t")
	if end := bytes.IndexAny(text, " \t"); end >= 0 {
		return text[:end], text[end:]
	}
	return text, nil
}

// optionValue returns the value that follows an option: nil if another option follows. rocBLAS writes a blank for an
// illegal value.
func optionValue(text []byte) (value, rest []byte) {
	word, rest := nextWord(text)
	if optionName(word) == nil {
		return word, rest
	}
	if bytes.HasPrefix(text, []byte("   ")) {
		return []byte(" "), text
	}
	return nil, text
}

// optionName returns the name of an option without its dashes; nil if a word is not an option. rocBLAS writes some
// options without dashes.
func optionName(word []byte) []byte {
	if name, ok := bytes.CutPrefix(word, []byte("--")); ok {
		return name
	}
	if len(word) == 2 && word[0] == '-' && (word[1] < '0' || word[1] > '9') {
		return word[1:]
	}
	if slices.Contains(undashed, string(word)) {
		return word
	}
	return nil
}

// benchRoutine returns the routine of a command from its function and type options; nil if there is none.
func (p *Parser) benchRoutine(kind Kind, function string) *routine.Routine {
	if kind == SolverBench {
		r, _ := routine.Lookup("rocsolver_" + string(p.value("r", "precision")) + function)
		return r
	}
	wide := ""
	function = strings.TrimSuffix(function, outOfPlace)
	function, suffixed := strings.CutSuffix(function, "_64") // dot_ex_64 has the suffix in addition to --api 1
	if api := string(p.value("api")); suffixed || api == "1" || api == "3" || api == "5" {
		wide = "_64"
	}
	if r, ok := routine.Lookup("rocblas_" + function + wide); ok && r.Family.Mixed() {
		return r
	}
	of := p.value("r", "precision")
	if of == nil {
		of = p.value("a_type")
	}
	letter, ok := letterOf(of)
	if !ok {
		return nil
	}
	for _, v := range []routine.Variant{routine.StridedBatched, routine.Batched, routine.Plain} {
		if name, ok := strings.CutSuffix(function, v.Suffix()); ok {
			switch {
			case name == "dot" && letter.IsComplex():
				name = "dotu" // or dotc, which needs the same memory
			case name == "dotc" && !letter.IsComplex():
				name = "dot"
			}
			if f := benchFamilies()[p.familyOf(name)]; f != nil {
				r, _ := f.Routine(letter, v, wide != "")
				return r
			}
			return nil
		}
	}
	return nil
}

// familyOf returns the family that rocblas-bench gives the name of another and distinguishes by operand types: real
// factors for complex vectors, and gemv in half precision.
func (p *Parser) familyOf(function string) string {
	a, mixed := datatype(p.value("a_type"))
	b, hasB := datatype(p.value("b_type"))
	c, hasC := datatype(p.value("c_type"))
	complexVector := a == routine.DatatypeF32C || a == routine.DatatypeF64C
	switch {
	case !mixed:
	case function == "scal" && complexVector && hasB && b != a, function == "rot" && complexVector && hasC && c != a:
		return "r" + function
	case function != "gemv" || !hasC || a != routine.DatatypeF16 && a != routine.DatatypeBF16:
	case c == a:
		return routine.HalfGemv.String()
	default:
		return routine.HalfSingleGemv.String()
	}
	return function
}

// letterOf returns the BLAS type letter of a datatype.
func letterOf(text []byte) (routine.Type, bool) {
	if string(text) == "b" || string(text) == "bf" {
		return routine.TypeBF, true
	}
	v, ok := datatype(text)
	if !ok {
		return 0, false
	}
	for _, t := range []routine.Type{routine.TypeS, routine.TypeD, routine.TypeC, routine.TypeZ, routine.TypeH,
		routine.TypeBF} {
		if t.Datatype() == v {
			return t, true
		}
	}
	return 0, false
}

// benchFamilies are the families with a type by name.
var benchFamilies = sync.OnceValue(func() map[string]*routine.Family {
	all := map[string]*routine.Family{}
	for _, r := range routine.All() {
		if r.Library == routine.RocBLAS && !r.Family.Mixed() {
			all[r.Family.Name] = r.Family
		}
	}
	return all
})
