// Package script compiles Lua files to the code of gopher-lua. Its parser reads the grammar of Lua 5.1, makes syntax
// trees that gopher-lua compiles as Lua 5.1 does, and rejects sources that are too large or too deeply nested for
// gopher-lua's compiler.
package script

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

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

// Bounds of a source text in bytes.
const (
	MaxBytes       = 16 << 20 // of a file
	MaxLoadedBytes = 1 << 20  // of text that a script loads: the script's time limit does not interrupt the compiler
)

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
	if len(source) > most {
		return nil, &Error{File: name, Message: fmt.Sprintf("%s: a script may have at most %d bytes", name, most)}
	}
	text := source
	if bytes.HasPrefix(text, []byte("#!")) {
		text = append([]byte("--"), text...)
	}
	p := newParser(text)
	chunk, failed := p.read(p.statements)
	if failed != nil {
		return nil, failed.in(name, source)
	}
	return compile(name, source, chunk)
}

// compile compiles the chunk that a parser has read.
func compile(name string, source []byte, chunk []ast.Stmt) (*Script, error) {
	proto, err := lua.Compile(chunk, name)
	var failed *lua.CompileError
	switch {
	case errors.As(err, &failed):
		unmark(failed)
		return nil, (&Error{Line: failed.Line, Message: failed.Message, Cause: err}).in(name, source)
	case err != nil:
		return nil, &Error{File: name, Message: err.Error(), Cause: err}
	}
	finish(proto)
	proto.IsVarArg &^= lua.VarArgNeedsArg // a chunk has no variable for the table, which each run would make
	return &Script{Name: name, source: source, Proto: proto}, nil
}

// Sizes in bytes of names of chunks in messages, as in Lua 5.1.
const (
	MaxName  = 59
	maxFile  = 52 // of a file name, without the dots before it
	maxQuote = 43 // of the first line of a source
)

// ChunkName returns the name of a chunk in messages: name without its first character if that is =, the end of a file
// name after @, and otherwise the first line of the source.
func ChunkName(name string) string {
	if literal, ok := strings.CutPrefix(name, "="); ok {
		return literal[:min(len(literal), MaxName)]
	}
	if file, ok := strings.CutPrefix(name, "@"); ok {
		if len(file) > maxFile {
			file = "..." + file[len(file)-maxFile:]
		}
		return file
	}
	line := name[:min(len(name), maxQuote)]
	if end := strings.IndexAny(line, "\r\n"); end >= 0 {
		line = line[:end]
	}
	if len(line) < len(name) {
		line += "..."
	}
	return `[string "` + line + `"]`
}
