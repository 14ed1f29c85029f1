package script

import (
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Messages name the local variable that a register holds. gopher-lua records where each variable begins, but confuses
// variables and registers where it records the ends. So the line of each node is marked with the number of local
// variables that are visible there. The marks come back as the lines of instructions.

// Bits of a marked line: the line, the number of visible variables plus one, and how many of them the compiler declares
// directly before it compiles the node. A goto is marked with the number of variables at its label.
const (
	localsShift   = 32
	declaredShift = 56
	jumpMark      = 1 << 62
)

// at sets the line of a node, which may have a mark, and marks it.
func at[N ast.PositionHolder](p *parser, line int, node N) N {
	visible := p.scope.locals + p.declared
	node.SetLine(unmarked(line) | (visible+1)<<localsShift | p.declared<<declaredShift)
	return node
}

// markJump marks a goto statement.
func markJump(jump *ast.GotoStmt, line, locals int) *ast.GotoStmt {
	jump.SetLine(jumpMark | (locals+1)<<localsShift | unmarked(line))
	return jump
}

// locals returns the number of variables in a mark, or -1 if the line has none.
func locals(line int) int { return line>>localsShift&(1<<(declaredShift-localsShift)-1) - 1 }

func unmarked(line int) int { return line & (1<<localsShift - 1) }

// variables sets the ranges of the local variables of a function, while it visits the instructions in order.
type variables struct {
	left    []*lua.DbgLocalInfo // that begin later, in order
	visible []*lua.DbgLocalInfo // by register
}

// at visits an instruction. Its line has no mark if the compiler added the instruction at the end of a block.
func (v *variables) at(instruction, line int) {
	begun := 0
	for begun < len(v.left) && v.left[begun].StartPc <= instruction {
		begun++
	}
	own := min(line>>declaredShift, begun)
	v.visible = append(v.visible, v.left[:begun-own]...)
	if n := locals(line); n >= 0 && n-own < len(v.visible) {
		v.end(n-own, instruction)
	}
	v.visible, v.left = append(v.visible, v.left[begun-own:begun]...), v.left[begun:]
}

// end ends the variables from a register on before an instruction.
func (v *variables) end(register, instruction int) {
	for _, variable := range v.visible[register:] {
		variable.EndPc = instruction
	}
	v.visible = v.visible[:register]
}

// Local returns the name of the local variable that a register holds at an instruction, or "".
func Local(code *lua.FunctionProto, instruction, register int) string {
	for _, variable := range code.DbgLocals {
		switch {
		case variable.StartPc > instruction:
			return ""
		case instruction >= variable.EndPc:
		case register == 0:
			return variable.Name
		default:
			register--
		}
	}
	return ""
}
