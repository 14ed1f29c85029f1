package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/internal/convert"
	"roclua/luabind/vm/script"
)

// loadFields returns load and loadstring, which check the source like Compile. They do not load bytecode.
func loadFields() []field {
	type function = method[baseLibrary]
	return methods(globals, baseOf, function{"loadstring", static[baseLibrary](loadString)},
		function{"load", static[baseLibrary](load)})
}

// loadString is loadstring(text [, name]).
func loadString(l *lua.LState) int {
	text := convert.TextArg(l, 1)
	return pushChunk(l, text, l.OptString(2, text))
}

// load compiles the concatenation of the strings that a function returns.
func load(l *lua.LState) int {
	fn, name := l.CheckFunction(1), l.OptString(2, "=(load)")
	var text strings.Builder
	for text.Len() <= script.MaxLoadedBytes {
		l.Push(fn)
		l.Call(0, 1)
		piece := l.Get(-1)
		l.Pop(1)
		if piece == lua.LNil || piece == lua.LString("") {
			break
		}
		if piece.Type() != lua.LTString {
			return vm.Push(l, lua.LNil, lua.LString("reader function must return a string"))
		}
		text.WriteString(piece.String())
	}
	return pushChunk(l, text.String(), name)
}

// pushChunk pushes a compiled text as a function, or nil and an error message.
func pushChunk(l *lua.LState, text, name string) int {
	loaded, err := script.CompileLoaded(script.ChunkName(name), []byte(text))
	if err != nil {
		return vm.Push(l, lua.LNil, lua.LString(err.Error()))
	}
	return vm.Push(l, l.NewFunctionFromProto(loaded.Proto))
}
