package luabind

import (
	"fmt"
	"reflect"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Bounds of a source text. The compiler goes down as deep as expressions and blocks are nested, on Go's stack, whose overflow
// would end the program; and it takes its time without looking at a case's, most of it in looking up each constant among those
// that it has.
const (
	maxSourceBytes = 1 << 20
	maxSourceDepth = 2000
	maxLookups     = 1 << 27 // half a second; some 16000 different constants
)

// checkSize refuses a source that is too long.
func checkSize(name string, bytes int) error {
	if bytes > maxSourceBytes {
		return &Error{File: name, Message: fmt.Sprintf("%s: the text is longer than the %d bytes that a script may have", name, maxSourceBytes)}
	}
	return nil
}

// checkChunk refuses a chunk that the compiler could not cope with.
func checkChunk(name string, chunk []ast.Stmt) error {
	i := &inspection{constants: map[string]bool{}}
	i.visit(reflect.ValueOf(chunk), 0, 1)
	if i.problem == "" {
		return nil
	}
	return &Error{File: name, Line: i.line, Message: i.problem}
}

// inspection goes over a syntax tree until it finds a problem.
type inspection struct {
	constants map[string]bool
	lookups   int
	problem   string
	line      int
}

func (i *inspection) visit(v reflect.Value, depth, line int) {
	switch {
	case i.problem != "":
		return
	case depth > maxSourceDepth:
		i.problem, i.line = fmt.Sprintf("expressions or blocks are nested more than %d deep", maxSourceDepth), line
		return
	case i.lookups > maxLookups:
		i.problem, i.line = fmt.Sprintf("a script may not have as many different constants, of which there are %d already; read large data from arrays",
			len(i.constants)), line
		return
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		i.node(v, depth, line)
	case reflect.Slice:
		for n := range v.Len() {
			i.visit(v.Index(n), depth, line)
		}
	case reflect.Struct:
		for n := range v.NumField() {
			if f := v.Type().Field(n); f.IsExported() && !f.Anonymous {
				i.visit(v.Field(n), depth, line)
			}
		}
	case reflect.String: // names of globals and fields are constants as numbers and texts are
		i.constants[v.String()] = true
		i.lookups += len(i.constants)
	}
}

// node visits what a reference leads to; depth counts nodes.
func (i *inspection) node(v reflect.Value, depth, line int) {
	if v.IsNil() {
		return
	}
	if v.Kind() == reflect.Pointer {
		depth++
		if node, ok := v.Interface().(ast.PositionHolder); ok && node.Line() > 0 {
			line = node.Line()
		}
	}
	i.visit(v.Elem(), depth, line)
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
