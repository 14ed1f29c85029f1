package script

import (
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// CompileEntry compiles text that was typed at a prompt. line is the number of its first line.
// An expression is compiled as if return preceded it, with or without the = that Lua 5.1's prompt needs.
// Local variables outside of any block become global, so that later entries can use them.
func CompileEntry(name string, line int, text string) (*Script, error) {
	if strings.HasPrefix(text, "#!") {
		text = "--" + text
	}
	before := strings.Repeat("\n", line-1)
	source := []byte(before + text)
	expression, marked := text, strings.HasPrefix(strings.TrimLeft(text, " \t"), "=")
	if marked {
		expression = strings.Replace(text, "=", " ", 1)
	}
	// The scanner reads one character ahead: only a text that ends within a token must count as incomplete.
	p := newParser([]byte(before + expression + "\n"))
	chunk, asExpression := p.read(func() []ast.Stmt {
		list := []ast.Stmt{p.results(line)}
		p.skip(';')
		return list
	})
	if asExpression == nil {
		return p.compile(name, source, chunk)
	}
	asExpression.in(name, source)
	if marked {
		return nil, asExpression
	}
	p = newParser([]byte(before + text + "\n"))
	p.entry = true
	chunk, failed := p.read(p.chunk)
	if failed != nil {
		return nil, further(asExpression, failed.in(name, source))
	}
	return p.compile(name, source, chunk)
}

// further chooses between the errors of two ways to read an entry: an error that more lines can correct, otherwise the
// error that is further into the text. An error without a column is at the end of its line.
func further(a, b *Error) *Error {
	switch {
	case b.incomplete:
		return b
	case a.incomplete, a.Line > b.Line || a.Line == b.Line && b.Column > 0 && a.Column > b.Column:
		return a
	}
	return b
}
