package script

import (
	"slices"
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
	source := []byte(strings.Repeat("\n", line-1) + text)
	// The scanner reads one character ahead: only a text that ends within a token must count as incomplete.
	p := newParser(append(source, '\n'))
	p.entry = true
	chunk, failed := p.read(p.statements)
	if failed != nil {
		return nil, failed.in(name, source)
	}
	return compile(name, source, chunk)
}

// typed reads the first statement of an entry that begins with an expression: = and expressions, a call, an assignment,
// or expressions.
func (p *parser) typed() ast.Stmt {
	results := at(p, p.token.Pos.Line, &ast.ReturnStmt{})
	marked := p.skip('=')
	if p.is(parse.EOF) {
		return results
	}
	results.Exprs = p.list()
	last := results.Exprs[len(results.Exprs)-1]
	if !marked && !slices.ContainsFunc(results.Exprs, isNoVariable) && p.skip('=') {
		return p.assign(last.Line(), results.Exprs, p.list())
	}
	p.skip(';')
	call, isCall := last.(*ast.FuncCallExpr)
	switch {
	case p.is(parse.EOF):
	case marked || isNoVariable(last) && !isCall:
		p.check(parse.EOF)
	case isCall && len(results.Exprs) == 1 && !call.AdjustRet:
		return at(p, call.Line(), &ast.FuncCallStmt{Expr: call})
	default:
		p.check('=')
	}
	return results
}

func isNoVariable(e ast.Expr) bool {
	switch e.(type) {
	case *ast.IdentExpr, *ast.AttrGetExpr:
		return false
	}
	return true
}
