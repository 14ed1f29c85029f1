package vm

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// loadFields returns load and loadstring, which check the source as Compile does. They do not load bytecode.
func loadFields() []field {
	type function = method[baseLibrary]
	return methods(globals, baseOf, function{"loadstring", static[baseLibrary](loadString)},
		function{"load", static[baseLibrary](load)})
}

// loadString is loadstring(text [, name]).
func loadString(l *lua.LState) int {
	text := textArg(l, 1)
	return pushChunk(l, text, l.OptString(2, text))
}

// load compiles the concatenation of the strings that a function returns.
func load(l *lua.LState) int {
	fn, name := l.CheckFunction(1), l.OptString(2, "=(load)")
	var text strings.Builder
	for text.Len() <= maxLoadedBytes {
		l.Push(fn)
		l.Call(0, 1)
		piece := l.Get(-1)
		l.Pop(1)
		if piece == lua.LNil || piece == lua.LString("") {
			break
		}
		if piece.Type() != lua.LTString {
			l.Push(lua.LNil)
			l.Push(lua.LString("reader function must return a string"))
			return 2
		}
		text.WriteString(piece.String())
	}
	return pushChunk(l, text.String(), name)
}

// Sizes in bytes of names of chunks in messages, as in Lua 5.1.
const (
	maxChunkName  = 59
	maxChunkFile  = 52 // of a file name, without the dots before it
	maxChunkQuote = 43 // of the first line of a source
)

// chunkName returns the name of a chunk in messages: name without its first character if that is =, the end of a file
// name after @, and otherwise the first line of the source.
func chunkName(name string) string {
	if literal, ok := strings.CutPrefix(name, "="); ok {
		return literal[:min(len(literal), maxChunkName)]
	}
	if file, ok := strings.CutPrefix(name, "@"); ok {
		if len(file) > maxChunkFile {
			file = "..." + file[len(file)-maxChunkFile:]
		}
		return file
	}
	line := name[:min(len(name), maxChunkQuote)]
	if end := strings.IndexAny(line, "\r\n"); end >= 0 {
		line = line[:end]
	}
	if len(line) < len(name) {
		line += "..."
	}
	return `[string "` + line + `"]`
}

// pushChunk pushes a compiled text as a function, or nil and an error message.
func pushChunk(l *lua.LState, text, name string) int {
	script, err := compileSource(chunkName(name), []byte(text), maxLoadedBytes)
	if err != nil {
		l.Push(lua.LNil)
		l.Push(lua.LString(err.Error()))
		return 2
	}
	l.Push(l.NewFunctionFromProto(script.proto))
	return 1
}
