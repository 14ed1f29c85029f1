package vm

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// openLoad replaces load and loadstring by functions that check the source as Compile does. They do not load bytecode.
func (b baseLibrary) openLoad(g *lua.LTable) {
	g.RawSetString("loadstring", b.m.Function("loadstring", func(l *lua.LState) int {
		return pushChunk(l, l.CheckString(1), l.OptString(2, "<string>"))
	}))
	g.RawSetString("load", b.m.Function("load", load))
}

// load compiles the concatenation of the strings that a function returns.
func load(l *lua.LState) int {
	fn, name := l.CheckFunction(1), l.OptString(2, "?")
	var text strings.Builder
	for text.Len() <= maxSourceBytes {
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

// pushChunk pushes a compiled text as a function, or nil and an error message.
func pushChunk(l *lua.LState, text, name string) int {
	script, err := Compile(name, []byte(text))
	if err != nil {
		l.Push(lua.LNil)
		l.Push(lua.LString(err.Error()))
		return 2
	}
	l.Push(l.NewFunctionFromProto(script.proto))
	return 1
}
