package lines

import (
	"bytes"
	"slices"
	"strings"

	"roclua/hip/routine"
)

// tree is a trace tree of rocSOLVER that has started and not ended. A log mixes the trees of several threads.
type tree struct {
	name   string // C name of the function
	indent int    // blanks before its first line
	filled bool   // its arguments were read
	shared bool   // another tree may have the same ones
}

// mostTrees bounds the trees of a log that has no ends of trees.
const mostTrees = 256

// begin reads the start or the end of a trace tree. A tree without arguments is a size query, or a call that failed
// before it computed.
func (p *Parser) begin(piece Piece) Result {
	res := Result{State: NoCall}
	name, begins := bytes.CutPrefix(piece.Text, []byte(enter))
	if !begins {
		name, p.ends = piece.Text[len(leave):], true
	}
	closing := 0
	if function := string(name[:nameLength(name)]); begins {
		p.trees = append(p.trees, tree{name: function, indent: piece.Indent})
		p.most = max(p.most, len(p.trees))
		if len(p.trees) <= mostTrees {
			return res
		}
	} else if closing = p.toClose(function); closing < 0 {
		return res
	}
	if t := &p.trees[closing]; !t.filled {
		res = Result{State: Empty, Name: t.name, Count: 1}
	}
	p.trees = slices.Delete(p.trees, closing, closing+1)
	return res
}

// toClose returns the tree that the end of a function's tree closes: preferably one with arguments. It returns -1 if
// there is none.
func (p *Parser) toClose(function string) int {
	found := -1
	for i := range p.trees {
		if t := &p.trees[i]; t.name == function && (found < 0 || t.filled && !p.trees[found].filled) {
			found = i
		}
	}
	return found
}

// Claim assigns a line with arguments to a tree. It returns the functions whose arguments these may be, nil if they
// belong to a function called internally. If there are several, the threads of a program have mixed their trees.
func (p *Parser) Claim(piece Piece) []string {
	p.claimed = p.claimed[:0]
	first := -1
	for i := range p.trees {
		t := &p.trees[i]
		if t.filled && !t.shared || len(p.trees) > 1 && (piece.Indent > t.indent || !describes(piece.Text, t.name)) {
			continue
		}
		if !t.filled && first < 0 {
			first = i
		}
		if !slices.Contains(p.claimed, t.name) {
			p.claimed = append(p.claimed, t.name)
		}
	}
	if first < 0 {
		return nil
	}
	p.trees[first].filled = true
	p.trees[first].shared = len(p.claimed) > 1
	return p.claimed
}

// Open returns the functions whose trees have started without arguments.
func (p *Parser) Open() (names []string) {
	for _, t := range p.trees {
		if !t.filled {
			names = append(names, t.name)
		}
	}
	return names
}

// Mixed returns the number of trees that were open at the same time: the threads that call rocSOLVER. It is at most 1
// for a log without ends of trees.
func (p *Parser) Mixed() int {
	if !p.ends {
		return min(p.most, 1)
	}
	return p.most
}

// describes reports whether a function can have the arguments: rocsolver_syevd_heevd_template means syevd and
// heevd of all types, rocsolver_getrf_template also for getrf_npvt.
func describes(args []byte, function string) bool {
	r, ok := routine.Lookup(function)
	if !ok {
		return true
	}
	text := strings.TrimSuffix(string(args[:nameLength(args)]), "_template")
	_, text, _ = strings.Cut(text, "_")
	return slices.Equal(realWords(text), realWords(r.Family.Name))
}

// realWords returns the words of a name, each once, with the names of real routines for complex ones: heevd is syevd,
// unmqr is ormqr.
func realWords(name string) (list []string) {
	for word := range strings.SplitSeq(name, "_") {
		for _, pair := range [][2]string{{"he", "sy"}, {"un", "or"}} {
			if rest, ok := strings.CutPrefix(word, pair[0]); ok {
				word = pair[1] + rest
			}
		}
		if word != notPivoted && !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

// notPivoted is a part of names that trace trees omit.
const notPivoted = "npvt"

// ArgumentsOf reads a line with the arguments of a function.
func (p *Parser) ArgumentsOf(function string, piece Piece) Result {
	r, ok := routine.Lookup(function)
	if !ok {
		return Result{State: Unknown, Name: function, Count: 1}
	}
	p.args = routine.Args{Routine: r}
	_, text, _ := bytes.Cut(piece.Text, []byte("("))
	end := bytes.LastIndexByte(text, ')')
	if end < 0 {
		return p.result(1, Slots{}, false)
	}
	p.pairs(text[:end])
	known, ok := p.byName()
	return p.result(1, known, ok)
}
