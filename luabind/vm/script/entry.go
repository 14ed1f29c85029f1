package script

import (
	"errors"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// CompileEntry compiles text that was typed at a prompt. line is the number of its first line.
// An expression is compiled as if return preceded it, with or without the = that Lua 5.1's prompt needs.
// Local variables outside of any block become global, so that later entries can use them.
func CompileEntry(name string, line int, text string) (*Script, error) {
	if strings.HasPrefix(text, "#!") {
		text = "--" + text
	}
	expression, marked := strings.CutPrefix(strings.TrimLeft(text, " \t"), "=")
	if !marked {
		expression = text
	}
	source := []byte(strings.Repeat("\n", line-1) + text)
	chunk, asExpression := parseText(name, source, entryText(line, "return "+expression))
	if asExpression == nil {
		return compile(name, source, chunk)
	}
	shift := len("return ") + len(expression) - len(text)
	if asExpression.Line == line && asExpression.Column > 0 {
		asExpression.Column -= shift
	}
	if marked {
		return nil, asExpression
	}
	chunk, failed := parseText(name, source, entryText(line, text))
	if failed != nil {
		return nil, further(asExpression, failed)
	}
	keepLocals(chunk)
	return compile(name, source, chunk)
}

// entryText places a text at a line. It appends a line break, because the parser reads one character ahead: only an
// error at the very end must count as unfinished.
func entryText(line int, text string) []byte {
	return []byte(strings.Repeat("\n", line-1) + text + "\n")
}

// further chooses between the errors of two ways to read an entry: an error that more lines can correct, otherwise the
// error that is further into the text. An error without a column is at the end of its line.
func further(a, b *Error) *Error {
	switch {
	case IsIncomplete(b):
		return b
	case IsIncomplete(a):
		return a
	case a.Line > b.Line || a.Line == b.Line && b.Column > 0 && a.Column > b.Column:
		return a
	}
	return b
}

// IsIncomplete reports whether an error of Compile or CompileEntry is that the text ends too early.
func IsIncomplete(err error) bool {
	var p *parse.Error
	return errors.As(err, &p) && p.Pos.Line == parse.EOF
}

// keepLocals turns the local declarations of a chunk's outermost block into assignments to globals.
func keepLocals(chunk []ast.Stmt) {
	for i, stmt := range chunk {
		local, ok := stmt.(*ast.LocalAssignStmt)
		if !ok {
			continue
		}
		global := &ast.AssignStmt{Rhs: local.Exprs}
		global.SetLine(local.Line())
		global.SetLastLine(local.LastLine())
		for _, name := range local.Names {
			variable := &ast.IdentExpr{Value: name}
			variable.SetLine(local.Line())
			variable.SetLastLine(local.Line())
			global.Lhs = append(global.Lhs, variable)
		}
		if len(global.Rhs) == 0 {
			null := &ast.NilExpr{}
			null.SetLine(local.Line())
			global.Rhs = []ast.Expr{null}
		}
		chunk[i] = global
	}
}
