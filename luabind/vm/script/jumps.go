package script

import (
	"regexp"
	"strconv"
	"sync"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"roclua/luabind/vm/internal/layout"
)

// A jump out of a block must close the variables of the block: closures that use them get their own copies. gopher-lua
// closes too few at break: the registers of variables in inner blocks are used again while closures still refer to
// them. At goto, it closes the variables of the whole function, even if the function continues to use them.
//
// So break becomes goto, and the instruction before each goto gets the first register to close: the number of local
// variables at the label.

// jump is a goto statement.
type jump struct {
	label  string
	line   int // of the statement
	mark   int // set as its line until the code is compiled; the compiler also uses the line after it
	locals int // at its label
}

// firstMark is larger than any line.
const firstMark = 1 << 30

// scope is a block while it is read.
type scope struct {
	outer  *scope
	start  int // local variables at the beginning
	locals int // local variables of one function so far, outer blocks' included
	labels map[string]int
	jumps  []*jump // to labels that were not found yet
}

// inner returns the scope of an inner block. locals is the number of local variables at its beginning.
func (s *scope) inner(locals int) *scope {
	return &scope{outer: s, start: s.locals, locals: s.locals + locals}
}

// label notes the number of local variables at a label.
func (s *scope) label(name string, locals int) {
	if s.labels == nil {
		s.labels = map[string]int{}
	}
	s.labels[name] = locals
}

// resolve finds the labels of the jumps when the block ends.
func (s *scope) resolve() {
	for _, j := range s.jumps {
		if locals, ok := s.labels[j.label]; ok {
			j.locals = locals
		} else if s.outer != nil {
			s.outer.jumps = append(s.outer.jumps, j)
		}
	}
}

// jump returns the statement of a jump.
func (p *parser) jump(j *jump) ast.Stmt {
	j.mark = firstMark + len(p.jumps)
	p.jumps[j.mark], p.jumps[j.mark+1] = j, j
	st := &ast.GotoStmt{Label: j.label}
	st.SetLine(j.mark)
	return st
}

// loop is a loop while it is read.
type loop struct {
	label  string // after the loop
	locals int    // at the label
	left   bool   // by break
}

// inLoop reads a loop. If it has break, it returns a block with the loop and the label after it.
func (p *parser) inLoop(line int, read func(line int) ast.Stmt) ast.Stmt {
	outer := p.loop
	p.loop = &loop{label: "(break " + strconv.Itoa(len(p.jumps)) + ")", locals: p.scope.locals}
	st, own := read(line), p.loop
	if p.loop = outer; !own.left {
		return st
	}
	block := at(p, line, &ast.DoBlockStmt{Stmts: []ast.Stmt{st, at(p, line, &ast.LabelStmt{Name: own.label})}})
	block.SetLastLine(st.LastLine())
	return block
}

func (p *parser) breakLoop(line int) ast.Stmt {
	if p.loop == nil {
		panic(p.mistake("no loop to break"))
	}
	p.next()
	p.loop.left = true
	return p.jump(&jump{label: p.loop.label, line: line, locals: p.loop.locals})
}

// finish sets the registers that jumps close, the lines, and the ranges of local variables, in the code of a function
// and those inside of it.
func (p *parser) finish(code *lua.FunctionProto) {
	v := &variables{left: code.DbgLocals}
	for i, line := range code.DbgSourcePositions {
		v.at(i, line)
		code.DbgSourcePositions[i] = p.line(line)
		if j := p.jumps[line]; j != nil && layout.Instruction(code.Code[i]).Opcode() == lua.OP_CLOSE {
			layout.SetA(code, i, j.locals)
		}
	}
	v.end(0, len(code.Code))
	code.LineDefined, code.LastLineDefined = p.line(code.LineDefined), p.line(code.LastLineDefined)
	for _, inner := range code.FunctionPrototypes {
		p.finish(inner)
	}
}

var markPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b\d{10,}\b`)
})

// unmark replaces marks in an error of the compiler by lines. An error about a goto statement is at its line: the
// compiler reports the end of the function, or the label.
func (p *parser) unmark(failed *lua.CompileError) {
	failed.Line = p.line(failed.Line)
	failed.Message = markPattern().ReplaceAllStringFunc(failed.Message, func(mark string) string {
		line, _ := strconv.Atoi(mark)
		if j := p.jumps[line]; j != nil {
			failed.Line = j.line
		}
		return strconv.Itoa(p.line(line))
	})
}

// line replaces the mark of a jump, or a line with a mark, by the line.
func (p *parser) line(line int) int {
	if j := p.jumps[line]; j != nil {
		return j.line + line - j.mark
	}
	return unmarked(line)
}
