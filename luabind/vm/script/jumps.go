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

// scope is a block while it is corrected.
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

// label adds a label. At the end of a block, the variables of the block are not visible any more.
func (s *scope) label(name string, last bool) {
	if s.labels == nil {
		s.labels = map[string]int{}
	}
	s.labels[name] = s.locals
	if last {
		s.labels[name] = s.start
	}
}

// jump adds a goto statement and sets its mark.
func (s *scope) jump(statement *ast.GotoStmt, mark int) *jump {
	j := &jump{label: statement.Label, line: statement.Line(), mark: mark}
	statement.SetLine(j.mark)
	s.jumps = append(s.jumps, j)
	return j
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

// onlyLabels reports whether all statements are labels.
func onlyLabels(statements []ast.Stmt) bool {
	for _, statement := range statements {
		if _, ok := statement.(*ast.LabelStmt); !ok {
			return false
		}
	}
	return true
}

// breakByGoto returns a loop with goto instead of break, in a block with the label. It returns other statements
// unchanged.
func (c *correction) breakByGoto(loop ast.Stmt) ast.Stmt {
	var body []ast.Stmt
	switch loop := loop.(type) {
	case *ast.WhileStmt:
		body = loop.Stmts
	case *ast.RepeatStmt:
		body = loop.Stmts
	case *ast.NumberForStmt:
		body = loop.Stmts
	case *ast.GenericForStmt:
		body = loop.Stmts
	default:
		return loop
	}
	label := "(break " + strconv.Itoa(c.breaks) + ")"
	if !replaceBreaks(body, label) {
		return loop
	}
	c.breaks++
	b := &blockBuilder{at: loop}
	b.statements = []ast.Stmt{loop}
	b.add(&ast.LabelStmt{Name: label})
	return b.block()
}

// replaceBreaks replaces the break statements of one loop, and reports whether there are any.
func replaceBreaks(statements []ast.Stmt, label string) bool {
	found := false
	for i, statement := range statements {
		switch st := statement.(type) {
		case *ast.BreakStmt:
			jump := &ast.GotoStmt{Label: label}
			jump.SetLine(st.Line())
			jump.SetLastLine(st.LastLine())
			statements[i] = jump
			found = true
		case *ast.DoBlockStmt:
			found = replaceBreaks(st.Stmts, label) || found
		case *ast.IfStmt:
			found = replaceBreaks(st.Then, label) || found
			found = replaceBreaks(st.Else, label) || found
		}
	}
	return found
}

// finish sets the registers that jumps close, the lines, and the ranges of local variables, in the code of a function
// and those inside of it.
func (c *correction) finish(code *lua.FunctionProto) {
	v := &variables{left: code.DbgLocals}
	for i, line := range code.DbgSourcePositions {
		v.at(i, line)
		code.DbgSourcePositions[i] = c.line(line)
		if j := c.jumps[line]; j != nil && layout.Instruction(code.Code[i]).Opcode() == lua.OP_CLOSE {
			layout.SetA(code, i, j.locals)
		}
	}
	v.end(0, len(code.Code))
	code.LineDefined, code.LastLineDefined = c.line(code.LineDefined), c.line(code.LastLineDefined)
	for _, inner := range code.FunctionPrototypes {
		c.finish(inner)
	}
}

var markPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b\d{10,}\b`)
})

// unmark replaces marks in an error of the compiler by lines. An error about a goto statement is at its line: the
// compiler reports the end of the function, or the label.
func (c *correction) unmark(failed *lua.CompileError) {
	failed.Line = c.line(failed.Line)
	failed.Message = markPattern().ReplaceAllStringFunc(failed.Message, func(mark string) string {
		line, _ := strconv.Atoi(mark)
		if j := c.jumps[line]; j != nil {
			failed.Line = j.line
		}
		return strconv.Itoa(c.line(line))
	})
}

// line replaces the mark of a jump, or a line with a mark, by the line.
func (c *correction) line(line int) int {
	if j := c.jumps[line]; j != nil {
		return j.line + line - j.mark
	}
	return unmarked(line)
}
