package vm

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// Function returns a Lua function that calls a Go function. If fn panics, the InternalError has this name.
func (m *Machine) Function(name string, fn lua.LGFunction) *lua.LFunction {
	return m.lua.NewFunction(m.guard(name, fn))
}

// NewType declares a type of host values by its metamethods, and returns its metatable. Without __index its values have
// no fields, and without __newindex scripts cannot set fields. getmetatable returns the name of the type, so that
// scripts cannot change the metatable.
func (m *Machine) NewType(name string, metamethods map[string]lua.LGFunction) *lua.LTable {
	meta := m.lua.CreateTable(0, len(metamethods)+3)
	m.types[name] = meta
	for method, fn := range metamethods {
		call := fn
		if method == "__index" || method == "__newindex" {
			call = func(l *lua.LState) int {
				m.CheckText(l, name, l.Get(2))
				return fn(l)
			}
		}
		meta.RawSetString(method, m.Function(name, call))
	}
	for method, format := range map[string]string{"__index": "%s has no field %s",
		"__newindex": "%s has no field %s that can be set"} {
		if metamethods[method] == nil {
			meta.RawSetString(method, m.Function(name, func(l *lua.LState) int {
				m.Raisef(l, format, Describe(l.Get(1)), fieldName(l.Get(2)))
				return 0
			}))
		}
	}
	meta.RawSetString("__metatable", lua.LString(name))
	return meta
}

// fieldName returns the key of a field for error messages.
func fieldName(key lua.LValue) string {
	if name, ok := key.(lua.LString); ok {
		return fmt.Sprintf("%.40q", string(name))
	}
	return Describe(key)
}

// Object returns a Lua value of a declared type that holds a Go value.
func (m *Machine) Object(typeName string, value any) *lua.LUserData {
	return &lua.LUserData{Value: value, Env: m.lua.Env, Metatable: m.typeOf(typeName)}
}

// typeOf returns the metatable of a type.
func (m *Machine) typeOf(name string) *lua.LTable {
	if m.types[name] == nil {
		if name == m.opts.ErrorType {
			m.openErrors()
		} else if m.opts.OpenType != nil {
			m.opts.OpenType(name)
		}
	}
	return m.types[name]
}

// Receiver returns the Go value on which a method or metamethod was called, the first argument. It raises an error if
// that is not a T, because a script may call a method on any value.
func Receiver[T any](m *Machine, l *lua.LState) T {
	var value T
	ud, ok := l.Get(1).(*lua.LUserData)
	if ok {
		value, ok = ud.Value.(T)
	}
	if !ok {
		m.Raisef(l, "a method was called on %s; write object:method(...), with a colon", Describe(l.Get(1)))
	}
	return value
}

// ReadOnly returns a table that scripts cannot change. get returns the value of a field when it is first used; it
// raises an error if there is no such field. The name appears in error messages, and getmetatable returns it.
func (m *Machine) ReadOnly(name string, get func(key string) lua.LValue) *lua.LTable {
	t, meta := m.lua.CreateTable(0, 0), m.lua.CreateTable(0, 3)
	meta.RawSetString("__index", m.Lazy(name, get))
	meta.RawSetString("__newindex", m.Function(name, func(l *lua.LState) int {
		m.Raisef(l, "%s is read-only", name)
		return 0
	}))
	meta.RawSetString("__metatable", lua.LString(name))
	t.Metatable = meta
	return t
}

// Lazy returns a table whose fields are made when they are first used. It can be the __index of a metatable.
func (m *Machine) Lazy(name string, get func(key string) lua.LValue) *lua.LTable {
	fields, meta := m.lua.CreateTable(0, 4), m.lua.CreateTable(0, 1)
	meta.RawSetString("__index", m.Function(name, func(l *lua.LState) int {
		key := m.Key(l, name)
		v := get(key)
		fields.RawSetString(key, v)
		return Push(l, v)
	}))
	fields.Metatable = meta
	return fields
}
