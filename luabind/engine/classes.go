package engine

import (
	"slices"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/vm"
)

// NewRecord returns a table for an object of a class with the values of its fields, in the order of their declarations.
// A value of nil leaves out the field. Reading a field that the class does not declare raises an error.
func (e *Engine) NewRecord(class string, values ...lua.LValue) *lua.LTable {
	kind := e.recordTypes[class]
	if kind == nil {
		kind = &recordType{FieldsOf(class), e.recordMeta(class)}
		e.recordTypes[class] = kind
	}
	t := e.VM.State().CreateTable(0, 0)
	t.Metatable = kind.meta
	for i, v := range values {
		if v != lua.LNil {
			t.RawSetString(kind.fields[i], v)
		}
	}
	return t
}

// Given returns v, or nil if it is not given.
func Given(given bool, v lua.LValue) lua.LValue {
	if given {
		return v
	}
	return lua.LNil
}

// recordType is the names of the fields of a class, and the metatable of its objects.
type recordType struct {
	fields []string
	meta   *lua.LTable
}

// recordMeta returns the metatable of the objects of a class.
func (e *Engine) recordMeta(class string) *lua.LTable {
	fields := FieldsOf(class)
	meta := e.VM.State().CreateTable(0, 1)
	meta.RawSetString("__index", e.VM.Function(class, func(l *lua.LState) int {
		if name, ok := l.Get(2).(lua.LString); !ok || !slices.Contains(fields, string(name)) {
			key := e.VM.Key(l, class)
			e.VM.Raisef(l, "a roclua.%s has no field %.40q%s", class, key, nearest.DidYouMean(key, fields))
		}
		return vm.Push(l, lua.LNil)
	}))
	if slices.Contains(fields, "text") {
		meta.RawSetString("__tostring", e.VM.Function(class, func(l *lua.LState) int {
			return vm.Push(l, l.CheckTable(1).RawGetString("text"))
		}))
	}
	return meta
}

// Text returns the __tostring of objects that are a T in Go.
func Text[T any](m *vm.Machine, text func(T) string) lua.LGFunction {
	return func(l *lua.LState) int { return vm.Push(l, lua.LString(text(vm.Receiver[T](m, l)))) }
}

// Member returns a method of an object that has no field of the name. It raises an error if there is no method either.
func (e *Engine) Member(l *lua.LState, class string, object vm.Describer, name string) lua.LValue {
	if method := e.Method(class, name); method != nil {
		return method
	}
	member := "field"
	if FieldsOf(class) == nil {
		member = "method"
	}
	e.VM.Raisef(l, "%s has no %s %q%s", object.Describe(), member, name, nearest.DidYouMean(name, MembersOf(class)))
	return lua.LNil
}

// FieldsOf returns the names of the fields of a class.
func FieldsOf(class string) []string {
	var names []string
	c, _ := api.FindClass(class)
	for _, f := range c.Fields {
		names = append(names, f.Name)
	}
	return names
}

// MembersOf returns the names of the fields and methods of a class.
func MembersOf(class string) []string {
	c, _ := api.FindClass(class)
	return append(FieldsOf(class), c.MethodNames()...)
}
