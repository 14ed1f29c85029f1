package luabind

import (
	"bytes"
	"errors"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// CompileEntry compiles what was typed at a prompt; line is the number of its first line. An expression gives its value,
// with or without the = that Lua 5.1 asks for. What is declared local outside of any block becomes global, for else it
// would be gone with the entry.
func CompileEntry(name string, line int, text string) (*Script, error) {
	if strings.HasPrefix(text, "#!") {
		text = "--" + text
	}
	expression, asked := strings.CutPrefix(strings.TrimLeft(text, " \t"), "=")
	if !asked {
		expression = text
	}
	source := []byte(strings.Repeat("\n", line-1) + text)
	chunk, failed := parseEntry(name, line, "return "+expression)
	if failed == nil {
		return compile(name, source, chunk)
	}
	shift := len("return ") + len(expression) - len(text)
	asExpression := syntaxError(name, source, failed)
	if asExpression.Line == line && asExpression.Column > 0 {
		asExpression.Column -= shift
	}
	if asked {
		return nil, asExpression
	}
	if chunk, failed = parseEntry(name, line, text); failed != nil {
		return nil, further(asExpression, syntaxError(name, source, failed))
	}
	keepLocals(chunk)
	return compile(name, source, chunk)
}

// parseEntry parses text whose first line has a number. It ends with a line break: the parser looks one character ahead, and
// only what stands at the very end shall count as unfinished.
func parseEntry(name string, line int, text string) ([]ast.Stmt, error) {
	return parse.Parse(bytes.NewReader([]byte(strings.Repeat("\n", line-1)+text+"\n")), name)
}

// further chooses between two readings of an entry that both failed: the one that more lines can save, else the one that
// understood more of it.
func further(a, b *Error) *Error {
	switch {
	case IsIncomplete(b):
		return b
	case IsIncomplete(a):
		return a
	case a.Line > b.Line || a.Line == b.Line && a.Column > b.Column:
		return a
	}
	return b
}

// IsIncomplete reports whether an error of Compile or CompileEntry is that the text ends too soon.
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
		kept := &ast.AssignStmt{Rhs: local.Exprs}
		kept.SetLine(local.Line())
		kept.SetLastLine(local.LastLine())
		for _, name := range local.Names {
			variable := &ast.IdentExpr{Value: name}
			variable.SetLine(local.Line())
			variable.SetLastLine(local.Line())
			kept.Lhs = append(kept.Lhs, variable)
		}
		if len(kept.Rhs) == 0 {
			nothing := &ast.NilExpr{}
			nothing.SetLine(local.Line())
			kept.Rhs = []ast.Expr{nothing}
		}
		chunk[i] = kept
	}
}
