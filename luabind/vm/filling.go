package vm

import (
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/internal/layout"
)

// standard has the tables of Lua's library of one machine. A case uses few of their fields. So a table is partial at
// first, and fields are made when they are used: global variables, and the functions of strings, which need not be in
// a variable. A table is filled before the script can have it as a value, so that no script sees a partial table. In
// the full sandbox no table is partial.
type standard struct {
	m          *Machine
	tables     map[string]*lua.LTable // by the name of the library
	partial    *lua.LTable            // metatable of partial tables
	kept       map[[2]string]lua.LValue
	replace    map[string]func(name string) lua.LValue // see Machine.Replace
	coroutines coroutines
	system     system
}

func (st *standard) open(m *Machine) {
	*st = standard{m: m, tables: map[string]*lua.LTable{globals: m.lua.G.Global}, kept: map[[2]string]lua.LValue{},
		coroutines: coroutines{m: m}, system: system{m, time.Now()}}
	if m.opts.Sandbox == bounds.SandboxFull {
		st.openFull(m.lua.G.Global)
	} else {
		st.partial = m.lua.CreateTable(0, 2)
		st.partial.RawSetString("__index", m.lua.NewFunction(st.index))
		st.partial.RawSetString("__newindex", m.lua.NewFunction(st.assign))
		st.tables["string"] = m.lua.CreateTable(0, 0)
		m.lua.G.Global.Metatable, st.tables["string"].Metatable = st.partial, st.partial
	}
	m.openStrings(st.tables["string"])
}

// Globals returns the table of the global variables.
func (m *Machine) Globals() *lua.LTable { return m.standard.table(globals) }

// table returns the table of a library, with all its fields.
func (st *standard) table(name string) *lua.LTable {
	t, ok := st.tables[name]
	switch {
	case !ok:
		st.tables[name] = st.m.lua.CreateTable(0, len(libraries()[name].fields))
		st.fill(name, nil)
	case st.isPartial(t):
		made := *t
		*t = *st.m.lua.CreateTable(0, len(libraries()[name].fields))
		st.fill(name, &made)
	}
	return st.tables[name]
}

func (st *standard) isPartial(t *lua.LTable) bool {
	return st.partial != nil && t.Metatable == lua.LValue(st.partial)
}

// fill sets the fields of a library in its table, in their order, and those that the script has added after them. made
// is the partial table, or nil.
func (st *standard) fill(name string, made *lua.LTable) {
	t := st.tables[name]
	for _, f := range libraries()[name].fields {
		v := lua.LValue(lua.LNil)
		if made != nil {
			v = made.RawGetString(f.name)
		}
		if v == lua.LNil {
			v = st.value(name, f.name)
		}
		t.RawSetString(f.name, v)
	}
	if made != nil {
		for _, key := range layout.Keys(made) {
			if v := made.RawGet(key); t.RawGet(key) == lua.LNil {
				t.RawSet(key, v)
			}
		}
	}
	st.m.openAbsent(t, name)
}

// Replace replaces fields of one of Lua's libraries before scripts run. get returns the host's value of a field, or nil
// to keep it as it is.
func (m *Machine) Replace(library string, get func(name string) lua.LValue) {
	st := &m.standard
	if st.replace == nil {
		st.replace = map[string]func(name string) lua.LValue{}
	}
	st.replace[library] = get
	if t := st.tables[library]; t != nil {
		for _, f := range libraries()[library].fields {
			if v := get(f.name); v != nil {
				t.RawSetString(f.name, v)
			}
		}
	}
}

// value makes the value of a field of a library; nil of Lua if there is none.
func (st *standard) value(library, name string) lua.LValue {
	if replace := st.replace[library]; replace != nil {
		if v := replace(name); v != nil {
			return v
		}
	}
	if make := libraries()[library].makers[name]; make != nil {
		return make(st.m)
	}
	return lua.LNil
}

// index is __index of partial tables. It makes the field. If there is none it fills the table, because looking for the
// same field again is then faster.
func (st *standard) index(l *lua.LState) int {
	t, library := st.partialArg(l)
	v, key := lua.LValue(lua.LNil), l.Get(2)
	if name, ok := key.(lua.LString); ok {
		v = st.value(library, string(name))
		if v != lua.LNil && st.isPartial(t) {
			t.RawSetString(string(name), v)
		}
	}
	if v == lua.LNil {
		v = l.GetTable(st.table(library), key)
	}
	l.Push(v)
	return 1
}

// assign is __newindex of partial tables. It fills the table if the field is one of the library.
func (st *standard) assign(l *lua.LState) int {
	t, library := st.partialArg(l)
	name := l.CheckString(2)
	if libraries()[library].makers[name] != nil {
		st.table(library)
	}
	t.RawSetString(name, l.Get(3))
	return 0
}

// partialArg returns the first argument of a metamethod, and its library.
func (st *standard) partialArg(l *lua.LState) (t *lua.LTable, library string) {
	t = l.Get(1).(*lua.LTable)
	if t == st.tables["string"] {
		return t, "string"
	}
	return t, globals
}
