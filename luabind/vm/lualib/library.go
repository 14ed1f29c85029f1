package lualib

import (
	"math/rand/v2"
	"slices"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/internal/layout"
)

// Library is Lua's standard library in one machine. A script uses few of its fields. So the tables of globals and of
// strings are partial at first: a field is made when a script uses it. A table is filled before a script can have it as
// a value, so that no script sees a partial table. In the full sandbox no table is partial.
type Library struct {
	m        *vm.Machine
	lua      *lua.LState // the main thread
	opts     Options
	declared map[string]*table
	tables   map[string]*lua.LTable // by the name of the library
	partial  *lua.LTable            // metatable of partial tables; nil in the full sandbox
	shared   map[string]lua.LValue  // the values of sharedNames that were made
	random   *rand.Rand
	start    time.Time

	files     searchPath
	preloaded map[string]func() lua.LValue // modules of the host
	loaded    map[string]lua.LValue        // modules that require has returned
	loading   map[string]bool              // modules whose files run
}

// openPartial makes the tables partial.
func (lib *Library) openPartial() {
	lib.partial = lib.lua.CreateTable(0, 2)
	lib.partial.RawSetString("__index", lib.lua.NewFunction(lib.index))
	lib.partial.RawSetString("__newindex", lib.lua.NewFunction(lib.assign))
	text := lib.lua.CreateTable(0, 0)
	lib.tables[globals].Metatable, text.Metatable = lib.partial, lib.partial
	lib.tables["string"] = text
}

// Globals returns the table of the global variables.
func (lib *Library) Globals() *lua.LTable { return lib.table(globals) }

// table returns the table of a library, with all its fields.
func (lib *Library) table(name string) *lua.LTable {
	t, ok := lib.tables[name]
	switch {
	case !ok:
		lib.tables[name] = lib.lua.CreateTable(0, len(lib.declared[name].fields))
		lib.fill(name, nil)
	case lib.isPartial(t):
		made := *t
		*t = *lib.lua.CreateTable(0, len(lib.declared[name].fields))
		lib.fill(name, &made)
	}
	return lib.tables[name]
}

func (lib *Library) isPartial(t *lua.LTable) bool {
	return lib.partial != nil && t.Metatable == lua.LValue(lib.partial)
}

// fill sets the fields of a library in its table, in their order. Fields that the script has added follow. made is the
// partial table, or nil.
func (lib *Library) fill(name string, made *lua.LTable) {
	t := lib.tables[name]
	for _, f := range lib.declared[name].fields {
		v := lua.LValue(lua.LNil)
		if made != nil {
			v = made.RawGetString(f.name)
		}
		if v == lua.LNil {
			v = lib.value(name, f.name)
		}
		t.RawSetString(f.name, v)
	}
	if lib.opts.Extend != nil {
		lib.opts.Extend(name, t)
	}
	if made != nil {
		for _, key := range layout.Keys(made) {
			if v := made.RawGet(key); t.RawGet(key) == lua.LNil {
				t.RawSet(key, v)
			}
		}
	}
	lib.openAbsent(t, name)
}

// value makes the value of a field of a library; nil of Lua if there is none.
func (lib *Library) value(library, name string) lua.LValue {
	make := lib.declared[library].makers[name]
	if make == nil {
		return lua.LNil
	}
	v, ok := lib.shared[name]
	if !ok {
		if v = make(lib); slices.Contains(sharedNames, name) {
			lib.shared[name] = v
		}
	}
	return v
}

// sharedNames are functions that a machine makes once: other fields have them, too.
var sharedNames = []string{"collectgarbage", "gmatch", "next", "unpack"}

// index is __index of partial tables. It makes the field. If there is none it fills the table, because looking for the
// same field again is then faster.
func (lib *Library) index(l *lua.LState) int {
	t, library := lib.partialArg(l)
	v, key := lua.LValue(lua.LNil), l.Get(2)
	if name, ok := key.(lua.LString); ok {
		v = lib.value(library, string(name))
		if v != lua.LNil && lib.isPartial(t) {
			t.RawSetString(string(name), v)
		}
	}
	if v == lua.LNil {
		v = l.GetTable(lib.table(library), key)
	}
	return vm.Push(l, v)
}

// assign is __newindex of partial tables. It fills the table if the field is one of the library.
func (lib *Library) assign(l *lua.LState) int {
	t, library := lib.partialArg(l)
	name := l.CheckString(2)
	if lib.declared[library].makers[name] != nil {
		lib.table(library)
	}
	t.RawSetString(name, l.Get(3))
	return 0
}

// partialArg returns the first argument of a metamethod, and its library.
func (lib *Library) partialArg(l *lua.LState) (t *lua.LTable, library string) {
	t = l.Get(1).(*lua.LTable)
	if t == lib.tables["string"] {
		return t, "string"
	}
	return t, globals
}
