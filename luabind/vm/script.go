package vm

import (
	"bytes"
	"errors"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// A Script is a compiled Lua file. Any number of machines can run it, also at the same time.
type Script struct {
	Name   string // the name in messages, usually the path as the user gave it
	source []byte
	proto  *lua.FunctionProto
}

// Source returns the text of the file.
func (sc *Script) Source() []byte { return sc.source }

// Compile compiles a Lua file. The error is an *Error with line, column and the text of the line.
// A first line that begins with #! is skipped.
func Compile(name string, source []byte) (*Script, error) {
	return compileSource(name, source, maxSourceBytes)
}

func compileSource(name string, source []byte, most int) (*Script, error) {
	if err := checkSize(name, source, most); err != nil {
		return nil, err
	}
	text := source
	if bytes.HasPrefix(text, []byte("#!")) {
		text = append([]byte("--"), text...)
	}
	chunk, err := parse.Parse(bytes.NewReader(text), name)
	if err != nil {
		return nil, syntaxError(name, source, err)
	}
	return compile(name, source, chunk)
}

func compile(name string, source []byte, chunk []ast.Stmt) (*Script, error) {
	if err := checkChunk(name, chunk); err != nil {
		return nil, err.in(source)
	}
	c := &correction{jumps: map[int]*jump{}}
	c.apply(chunk)
	proto, err := lua.Compile(chunk, name)
	var failed *lua.CompileError
	if errors.As(err, &failed) {
		c.unmark(failed)
	}
	if err != nil {
		return nil, syntaxError(name, source, err)
	}
	c.finish(proto)
	proto.IsVarArg &^= lua.VarArgNeedsArg // a chunk has no variable for the table, which each run would make
	return &Script{Name: name, source: source, proto: proto}, nil
}

func syntaxError(name string, source []byte, err error) *Error {
	e := &Error{File: name, Message: err.Error(), cause: err}
	var p *parse.Error
	var c *lua.CompileError
	switch {
	case errors.As(err, &p):
		e.parseError(p, source)
	case errors.As(err, &c):
		e.Line, e.Message = c.Line, c.Message
	}
	return e.in(source)
}

// in adds the line of the source text to a syntax error.
func (e *Error) in(source []byte) *Error {
	if lines := strings.Split(string(source), "\n"); e.Line >= 1 && e.Line <= len(lines) {
		e.Source = strings.TrimRight(lines[e.Line-1], "\r")
	}
	return e
}

// parseError takes position and message from an error of the parser.
func (e *Error) parseError(p *parse.Error, source []byte) {
	e.Line, e.Column = p.Pos.Line, p.Pos.Column
	e.Message = strings.Replace(strings.TrimSpace(p.Message), "Invalid", "invalid", 1)
	if p.Token != "" {
		e.Message += ` near "` + p.Token + `"`
	}
	switch {
	case e.Line == parse.EOF:
		e.Line, e.Column = bytes.Count(source, []byte("\n"))+1, 0
		e.Message += " at the end of the file"
	case p.Message == "unterminated string" && e.Column == 0: // the parser has read the line break
		e.Line--
	}
}
