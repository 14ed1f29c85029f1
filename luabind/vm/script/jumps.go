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

// scope is a block while it is read.
type scope struct {
	outer  *scope
	start  int // local variables at the beginning
	locals int // local variables of one function so far, outer blocks' included
	labels map[string]int
	jumps  []*ast.GotoStmt // to labels that were not found yet
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
	for _, jump := range s.jumps {
		if locals, ok := s.labels[jump.Label]; ok {
			markJump(jump, jump.Line(), locals)
		} else if s.outer != nil {
			s.outer.jumps = append(s.outer.jumps, jump)
		}
	}
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
	p.breaks++
	p.loop = &loop{label: "(break " + strconv.Itoa(p.breaks) + ")", locals: p.scope.locals}
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
	return markJump(&ast.GotoStmt{Label: p.loop.label}, line, p.loop.locals)
}

// finish sets the registers that jumps close, the lines, and the ranges of local variables, in the code of a function
// and those inside of it.
func finish(code *lua.FunctionProto) {
	v := &variables{left: code.DbgLocals}
	for i, line := range code.DbgSourcePositions {
		code.DbgSourcePositions[i] = unmarked(line)
		if line&jumpMark == 0 {
			v.at(i, line)
			continue
		}
		v.at(i, 0)
		if layout.Instruction(code.Code[i]).Opcode() == lua.OP_CLOSE {
			layout.SetA(code, i, locals(line))
		}
	}
	v.end(0, len(code.Code))
	code.LineDefined, code.LastLineDefined = unmarked(code.LineDefined), unmarked(code.LastLineDefined)
	for _, inner := range code.FunctionPrototypes {
		finish(inner)
	}
}

var markPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b\d{10,}\b`)
})

// unmark replaces marks in an error of the compiler by lines. An error about a goto statement is at its line: the
// compiler reports the end of the function, or the label.
func unmark(failed *lua.CompileError) {
	failed.Line = unmarked(failed.Line)
	failed.Message = markPattern().ReplaceAllStringFunc(failed.Message, func(mark string) string {
		line, _ := strconv.Atoi(mark)
		if line&jumpMark != 0 {
			failed.Line = unmarked(line)
		}
		return strconv.Itoa(unmarked(line))
	})
}
