package vm

import (
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// original returns the functions of gopher-lua's libraries, by library and name. The base functions are those of "_G".
// A machine takes those that it needs: opening all libraries and replacing most of what they have takes longer than
// many a case.
var original = sync.OnceValue(func() map[string]map[string]lua.LGFunction {
	l := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer l.Close()
	all := map[string]map[string]lua.LGFunction{}
	for name, open := range map[string]lua.LGFunction{"_G": lua.OpenBase, lua.TabLibName: lua.OpenTable,
		lua.MathLibName: lua.OpenMath, lua.CoroutineLibName: lua.OpenCoroutine} {
		l.Push(l.NewFunction(open))
		l.Push(lua.LString(name))
		l.Call(1, 1)
		all[name] = map[string]lua.LGFunction{}
		l.Get(-1).(*lua.LTable).ForEach(func(key, v lua.LValue) {
			if fn, ok := v.(*lua.LFunction); ok {
				all[name][key.String()] = fn.GFunction
			}
		})
	}
	return all
})

// A function is one of a library.
type function struct {
	name string
	call lua.LGFunction
}

// addFunctions adds functions to the library of a name, or base functions if it is "". A panic in one of them is an
// InternalError with its name.
func (m *Machine) addFunctions(library string, t *lua.LTable, list []function) {
	prefix := ""
	if library != "" {
		prefix = library + "."
	}
	for _, f := range list {
		t.RawSetString(f.name, m.Function(prefix+f.name, f.call))
	}
}

// newLibrary returns the table of a library: that of the full sandbox, or else a new one with room for so many fields.
func (m *Machine) newLibrary(name string, fields int) *lua.LTable {
	g := m.lua.G.Global
	if t, ok := g.RawGetString(name).(*lua.LTable); ok {
		return t
	}
	t := m.lua.CreateTable(0, fields)
	g.RawSetString(name, t)
	m.lua.FindTable(m.lua.G.Registry, "_LOADED", 1).(*lua.LTable).RawSetString(name, t)
	return t
}
