// Package script compiles Lua files to the code of gopher-lua. It corrects syntax trees that gopher-lua compiles
// differently from Lua 5.1, and rejects sources that are too large or too deeply nested for gopher-lua's compiler.
package script

import (
	"bytes"
	"errors"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// A Script is a compiled Lua file. Any number of machines can run it, also in parallel.
type Script struct {
	Name   string // the name in messages, usually the path as the user gave it
	Proto  *lua.FunctionProto
	source []byte
}

// Source returns the text of the file.
func (sc *Script) Source() []byte { return sc.source }

// Compile compiles a Lua file. The error is an *Error with line, column and the text of the line.
// A first line that starts with #! is skipped.
func Compile(name string, source []byte) (*Script, error) {
	return compileSource(name, source, MaxBytes)
}

// CompileLoaded is like [Compile] for text that a script loads, which may have at most [MaxLoadedBytes].
func CompileLoaded(name string, text []byte) (*Script, error) {
	return compileSource(name, text, MaxLoadedBytes)
}

func compileSource(name string, source []byte, most int) (*Script, error) {
	if err := checkSize(name, source, most); err != nil {
		return nil, err
	}
	text := source
	if bytes.HasPrefix(text, []byte("#!")) {
		text = append([]byte("--"), text...)
	}
	chunk, err := parseText(name, source, text)
	if err != nil {
		return nil, err
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
	switch {
	case errors.As(err, &failed):
		c.unmark(failed)
		return nil, (&Error{File: name, Line: failed.Line, Message: failed.Message, Cause: err}).in(source)
	case err != nil:
		return nil, &Error{File: name, Message: err.Error(), Cause: err}
	}
	c.finish(proto)
	proto.IsVarArg &^= lua.VarArgNeedsArg // a chunk has no variable for the table, which each run would make
	return &Script{Name: name, source: source, Proto: proto}, nil
}
