package luabind

import (
	"fmt"
	"reflect"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Bounds of a source text. The compiler goes down as deep as expressions and blocks are nested, on Go's stack, whose overflow
// would end the program; and it takes its time without looking at a case's.
const (
	maxSourceBytes = 1 << 20
	maxSourceDepth = 2000
)

// checkSize refuses a source that is too long.
func checkSize(name string, bytes int) error {
	if bytes > maxSourceBytes {
		return &Error{File: name, Message: fmt.Sprintf("%s: the text is longer than the %d bytes that a script may have", name, maxSourceBytes)}
	}
	return nil
}

// checkDepth refuses a chunk whose expressions or blocks are nested too deep; it returns the line, or 0.
func checkDepth(chunk []ast.Stmt) (line int) {
	return tooDeep(reflect.ValueOf(chunk), 0, 0)
}

// tooDeep goes over a syntax tree; line is that of the node it is in.
func tooDeep(v reflect.Value, depth, line int) int {
	if depth > maxSourceDepth {
		return max(line, 1)
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return 0
		}
		if node, ok := v.Interface().(ast.PositionHolder); ok {
			line = node.Line()
		}
		if v.Kind() == reflect.Pointer {
			depth++
		}
		return tooDeep(v.Elem(), depth, line)
	case reflect.Slice:
		for i := range v.Len() {
			if found := tooDeep(v.Index(i), depth, line); found > 0 {
				return found
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() || v.Type().Field(i).Anonymous {
				continue
			}
			if found := tooDeep(v.Field(i), depth, line); found > 0 {
				return found
			}
		}
	}
	return 0
}

// openLoad makes load and loadstring compile texts under the bounds; there is no bytecode.
func (s *State) openLoad(g *lua.LTable) {
	g.RawSetString("loadstring", s.function("loadstring", func(l *lua.LState) int {
		return s.loadText(l, l.CheckString(1), l.OptString(2, "<string>"))
	}))
	g.RawSetString("load", s.function("load", func(l *lua.LState) int {
		fn, name := l.CheckFunction(1), l.OptString(2, "?")
		var text strings.Builder
		for {
			l.Push(fn)
			l.Call(0, 1)
			piece := l.Get(-1)
			l.Pop(1)
			if piece == lua.LNil || piece == lua.LString("") {
				return s.loadText(l, text.String(), name)
			}
			if piece.Type() != lua.LTString {
				l.Push(lua.LNil)
				l.Push(lua.LString("reader function must return a string"))
				return 2
			}
			if text.WriteString(piece.String()); text.Len() > maxSourceBytes {
				return s.loadText(l, text.String(), name)
			}
		}
	}))
}

// loadText pushes a text as a function, or nil and what is wrong with it.
func (s *State) loadText(l *lua.LState, text, name string) int {
	script, err := Compile(name, []byte(text))
	if err != nil {
		l.Push(lua.LNil)
		l.Push(lua.LString(err.Error()))
		return 2
	}
	l.Push(l.NewFunctionFromProto(script.proto))
	return 1
}
