package luabind

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/workspace/status"
)

// module is a table that require returns. Its functions are made when they are first used: a case uses few of the
// hundreds that the libraries have.
type module struct {
	s     *state
	decl  *api.Module
	table *lua.LTable
	try   *lua.LTable
}

// modules are the modules of a state.
type modules struct {
	s       *state
	opened  map[string]*module
	methods map[*binding]*lua.LFunction // of objects, by binding
}

// open makes the modules available to require, and replaces the functions of the global table os that are declared.
func (ms *modules) open() {
	for _, name := range []string{"rocblas", "rocsolver", "hip"} {
		ms.s.lib.Preload(name, func() lua.LValue { return ms.get(name).table })
	}
	ms.s.lib.Preload("array", func() lua.LValue { return ms.array() })
	ms.s.lib.Replace("os", ms.osFunction)
}

// osFunction returns a declared function of the global table os, or nil if there is none of the name.
func (ms *modules) osFunction(name string) lua.LValue {
	if b, ok := bindings()["os."+name]; ok {
		return ms.s.bind(b, false)
	}
	return nil
}

// get returns a module that is read-only and has a table of try forms.
func (ms *modules) get(name string) *module {
	s := ms.s
	if m, ok := ms.opened[name]; ok {
		return m
	}
	decl, _ := api.FindModule(name)
	m := &module{s: s, decl: decl}
	m.table = s.vm.ReadOnly(name, func(key string) lua.LValue {
		if v := m.value(key); v != nil {
			return v
		}
		if fn := m.function(key, false); fn != nil {
			return fn
		}
		hint := m.hint(key) + elsewhere(name, key)
		s.vm.Raisef(s.vm.Current(), "%s has no function or constant %q%s", name, key, hint)
		return nil
	})
	m.try = s.vm.ReadOnly(name+".try", func(key string) lua.LValue {
		if fn := m.function(key, true); fn != nil {
			return fn
		}
		s.vm.Raisef(s.vm.Current(), "%s.try has no function %q%s%s", name, key, m.hint(key), elsewhere(name, key))
		return nil
	})
	ms.opened[name] = m
	return m
}

// hint explains an unknown name: what the documents mean by it, or the nearest name.
func (m *module) hint(key string) string {
	short := routine.ScriptName(key)
	if reason := routine.NotModelled(short); reason != "" {
		return ": it is not modelled: " + reason
	}
	if meant := routine.Documented(short); meant != "" {
		return ": " + meant
	}
	return nearest.DidYouMean(short, m.names(false))
}

// elsewhere names the other library if it has a routine of the name.
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

// value returns a constant, or the table of try forms; nil when there is none of the name.
func (m *module) value(name string) lua.LValue {
	if name == "try" {
		return m.try
	}
	c, ok := constants()[m.decl.Name][name]
	switch {
	case !ok:
		return nil
	case c.Type == string(api.RocBLASStatus):
		return m.s.statuses.value(status.Status(c.Value))
	case c.Type == string(api.HIPStatus):
		return m.s.statuses.hip(driver.Error(c.Value))
	}
	return lua.LNumber(c.Value)
}

// function returns the function of a name, or nil when there is none.
func (m *module) function(name string, try bool) *lua.LFunction {
	return m.s.function(m.decl, name, try)
}

// function returns the function of a module by name, or nil when there is none.
func (s *state) function(m *api.Module, name string, try bool) *lua.LFunction {
	b, ok := bindings()[m.Name+"."+name]
	if !ok && m.Library != nil {
		var r *routine.Routine
		if r, ok = routine.Find(*m.Library, name); ok {
			b = bindRoutine(r)
		}
	}
	if !ok || try && !b.Tries() {
		return nil
	}
	return s.bind(b, try)
}

// names lists everything that the module has, or the names of the try forms, sorted.
func (m *module) names(try bool) []string {
	var list []string
	for _, f := range m.decl.Functions {
		if !try || f.Tries() {
			list = append(list, f.Name)
		}
	}
	if m.decl.Library != nil {
		for _, r := range routine.All() {
			if r.Library == *m.decl.Library {
				list = append(list, r.Name)
			}
		}
	}
	if !try {
		list = append(slices.AppendSeq(list, maps.Keys(constants()[m.decl.Name])), "try")
	}
	slices.Sort(list)
	return list
}

// fill adds the functions of a module to a table.
func (ms *modules) fill(t *lua.LTable, name string) {
	m, _ := api.FindModule(name)
	for _, f := range m.Functions {
		t.RawSetString(f.Name, ms.s.bind(bindings()[f.Title()], false))
	}
}

// method returns a method of a class, which is made when it is first used; nil when there is none of the name.
func (ms *modules) method(methods map[string]*binding, name string) lua.LValue {
	b, ok := methods[name]
	if !ok {
		return nil
	}
	fn, ok := ms.methods[b]
	if !ok {
		fn = ms.s.bind(b, false)
		ms.methods[b] = fn
	}
	return fn
}

// routineBindings are the bindings of the routines that were used, by Routine.Index.
var routineBindings = sync.OnceValue(func() []atomic.Pointer[binding] {
	return make([]atomic.Pointer[binding], routine.Count())
})

// bindRoutine returns the binding of a routine.
func bindRoutine(r *routine.Routine) *binding {
	if b := routineBindings()[r.Index].Load(); b != nil {
		return b
	}
	b := newRoutineBinding(r)
	routineBindings()[r.Index].Store(b)
	return b
}
