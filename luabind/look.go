package luabind

import (
	"iter"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// Look describes a value for completion.
type Look struct {
	Class string   // of an object, "roclua.handle"; else the type in Lua: "table", "nil"
	Names []string // of its fields, sorted
}

// Look describes the value at a path of names that begins at the global variables. An empty path is the table of global
// variables. Look runs no code of the script.
func (ss *Session) Look(path ...string) Look {
	v := lua.LValue(ss.s.Lib.Globals())
	for _, name := range path {
		v = ss.field(v, name)
	}
	switch v := v.(type) {
	case *lua.LTable:
		return Look{"table", ss.names(v)}
	case *lua.LUserData:
		if meta, ok := v.Metatable.(*lua.LTable); ok {
			return Look{Class: meta.RawGetString("__metatable").String()}
		}
	case lua.LString:
		return Look{"string", ss.names(ss.s.VM.State().GetGlobal("string"))}
	}
	return Look{Class: v.Type().String()}
}

// ancestry returns a table and the tables that it inherits from, at most 20: they can form a circle.
func ancestry(v lua.LValue) iter.Seq[*lua.LTable] {
	return func(yield func(*lua.LTable) bool) {
		for range 20 {
			t, ok := v.(*lua.LTable)
			if !ok || !yield(t) {
				return
			}
			meta, ok := t.Metatable.(*lua.LTable)
			if !ok {
				return
			}
			v = meta.RawGetString("__index")
		}
	}
}

// field returns a field of a table or of the tables it inherits from. Metamethods are not called.
func (ss *Session) field(v lua.LValue, name string) lua.LValue {
	for t := range ancestry(v) {
		if m, try := ss.s.ModuleOf(t); m != nil && !try {
			if v := m.Value(name); v != nil {
				return v
			}
		}
		if field := t.RawGetString(name); field != lua.LNil {
			return field
		}
	}
	return lua.LNil
}

// names lists the names of the fields that the method field finds, sorted.
func (ss *Session) names(v lua.LValue) []string {
	var names []string
	for t := range ancestry(v) {
		if m, try := ss.s.ModuleOf(t); m != nil {
			return m.Names(try)
		}
		t.ForEach(func(k, _ lua.LValue) {
			if name, ok := k.(lua.LString); ok {
				names = append(names, string(name))
			}
		})
	}
	slices.Sort(names)
	return slices.Compact(names)
}
