package engine

import (
	"maps"
	"slices"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/luabind/api"
)

// Module is a table that require returns. Its functions are made when they are first used: a case uses few of the
// hundreds that the libraries have.
type Module struct {
	e     *Engine
	decl  *api.Module
	table *lua.LTable
	try   *lua.LTable // nil without try forms
}

// openModules makes the modules available to require.
func (e *Engine) openModules() {
	for _, name := range api.Loadable() {
		e.Lib.Preload(name, func() lua.LValue { return e.module(name).table })
	}
}

// addFunctions adds the declared functions of a library of Lua, such as os, to its table.
func (e *Engine) addFunctions(module string, t *lua.LTable) {
	decl, ok := api.FindModule(module)
	if !ok {
		return
	}
	for _, f := range decl.Functions {
		t.RawSetString(f.Name, e.bind(e.set.functions[f.Title()], false))
	}
}

// module returns a module, which is read-only.
func (e *Engine) module(name string) *Module {
	if m, ok := e.opened[name]; ok {
		return m
	}
	decl, _ := api.FindModule(name)
	m := &Module{e: e, decl: decl}
	m.table = e.VM.ReadOnly(name, func(key string) lua.LValue {
		if v := m.Value(key); v != nil {
			return v
		}
		if fn := e.Function(decl, key, false); fn != nil {
			return fn
		}
		hint := m.hint(key) + elsewhere(name, key)
		e.VM.Raisef(e.VM.Current(), "%s has no function or constant %q%s", name, key, hint)
		return nil
	})
	if decl.Tries() {
		m.try = e.VM.ReadOnly(name+".try", func(key string) lua.LValue {
			if fn := e.Function(decl, key, true); fn != nil {
				return fn
			}
			e.VM.Raisef(e.VM.Current(), "%s.try has no function %q%s%s", name, key, m.hint(key), elsewhere(name, key))
			return nil
		})
	}
	e.opened[name] = m
	return m
}

// ModuleOf returns the module that has the table t, or nil; try reports whether t is its table of try forms.
func (e *Engine) ModuleOf(t *lua.LTable) (m *Module, try bool) {
	for _, m := range e.opened {
		if t == m.table || t == m.try {
			return m, t == m.try
		}
	}
	return nil, false
}

// Function returns a function of a module, a routine included; nil if the module has no function of the name.
func (e *Engine) Function(m *api.Module, name string, try bool) *lua.LFunction {
	b, ok := e.set.functions[m.Name+"."+name]
	if !ok && m.Library != nil {
		var r *routine.Routine
		if r, ok = routine.Find(*m.Library, name); ok {
			b = e.set.routine(r)
		}
	}
	if !ok || try && !b.Tries() {
		return nil
	}
	return e.bind(b, try)
}

// ModuleFunction returns a function of a module, as scripts get it.
func (e *Engine) ModuleFunction(module, name string) *lua.LFunction {
	return e.VM.State().GetField(e.module(module).table, name).(*lua.LFunction)
}

// Method returns a method of a class, made when it is first used; nil if the class has no method of the name.
func (e *Engine) Method(class, name string) lua.LValue {
	b, ok := e.set.methods[class][name]
	if !ok {
		return nil
	}
	fn, ok := e.methods[b]
	if !ok {
		fn = e.bind(b, false)
		e.methods[b] = fn
	}
	return fn
}

// hint explains an unknown name: why it is not modelled, its meaning in the documents, or the nearest name.
func (m *Module) hint(key string) string {
	short := routine.ScriptName(key)
	if reason := routine.NotModelled(short); reason != "" {
		return ": it is not modelled: " + reason
	}
	if meant := routine.Documented(short); meant != "" {
		return ": " + meant
	}
	return nearest.DidYouMean(short, m.Names(false))
}

// elsewhere refers to the other library, if it has a routine of the name.
func elsewhere(module, key string) string {
	for _, lib := range []routine.Library{routine.RocBLAS, routine.RocSOLVER} {
		if _, ok := routine.Find(lib, key); ok && lib.String() != module {
			return "; " + lib.String() + "." + key + " is the one"
		}
	}
	return ""
}

// constants are the constants of each module by name.
var constants = sync.OnceValue(indexConstants)

func indexConstants() map[string]map[string]api.Constant {
	index := map[string]map[string]api.Constant{}
	for _, m := range api.Modules() {
		index[m.Name] = map[string]api.Constant{}
		for _, c := range m.Constants {
			index[m.Name][c.Name] = c
		}
	}
	return index
}

// Value returns a constant, or for try the table of try forms; nil if the module has no value of the name.
func (m *Module) Value(name string) lua.LValue {
	if name == "try" && m.try != nil {
		return m.try
	}
	c, ok := constants()[m.decl.Name][name]
	if !ok {
		return nil
	}
	if st := statusOf(api.StatusClass(c.Type), c.Value); st != nil {
		return m.e.Statuses.Value(st)
	}
	return lua.LNumber(c.Value)
}

// Names lists the functions and constants of the module, or its try forms, sorted.
func (m *Module) Names(try bool) []string {
	var list []string
	for _, f := range m.decl.Functions {
		if !try || f.Tries() {
			list = append(list, f.Name)
		}
	}
	if m.decl.Library != nil {
		for _, r := range m.decl.Library.Routines() {
			list = append(list, r.Name)
		}
	}
	if !try {
		list = slices.AppendSeq(list, maps.Keys(constants()[m.decl.Name]))
	}
	if !try && m.try != nil {
		list = append(list, "try")
	}
	slices.Sort(list)
	return list
}
