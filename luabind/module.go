package luabind

import (
	"sort"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/internal/nearest"
)

// module is a table that require returns. Its functions are made when first used: a case touches a handful of the
// hundreds that the libraries have.
type module struct {
	s        *State
	name     string
	bindings map[string]*binding                // functions that are not in the table of routines
	find     func(name string) (*binding, bool) // functions of the table; nil when the module has none
	all      func() []string                    // names that find knows
	values   map[string]lua.LValue              // constants and plain functions
	table    *lua.LTable
	try      *lua.LTable
}

func (s *State) newModule(name string, list []*binding) *module {
	m := &module{s: s, name: name, bindings: map[string]*binding{}, values: map[string]lua.LValue{}}
	for _, b := range list {
		b.module = name
		m.bindings[b.name] = b
	}
	m.table = s.vm.ReadOnly(name, func(key string) lua.LValue {
		if v, ok := m.values[key]; ok {
			return v
		}
		if fn := m.function(key, false); fn != nil {
			return fn
		}
		s.vm.Raisef(s.vm.Current(), "%s has no function or constant %q%s%s", name, key, m.hint(key), elsewhere(name, key))
		return nil
	})
	m.try = s.vm.ReadOnly(name+".try", func(key string) lua.LValue {
		if fn := m.function(key, true); fn != nil {
			return fn
		}
		s.vm.Raisef(s.vm.Current(), "%s.try has no function %q%s%s", name, key, m.hint(key), elsewhere(name, key))
		return nil
	})
	m.values["try"] = m.try
	return m
}

// hint explains an unknown name: what the documents mean by it, or the nearest one.
func (m *module) hint(key string) string {
	if meant := routine.Documented(key); meant != "" {
		return ": " + meant
	}
	return nearest.DidYouMean(key, m.names())
}

// elsewhere points to the other library when it has a routine of the name.
func elsewhere(module, key string) string {
	for _, lib := range []routine.Library{routine.RocBLAS, routine.RocSOLVER} {
		if _, ok := routine.Find(lib, key); ok && lib.String() != module {
			return "; " + lib.String() + "." + key + " is the one"
		}
	}
	return ""
}

// function makes the function of a name, or nil when there is none.
func (m *module) function(name string, try bool) *lua.LFunction {
	b, ok := m.bindings[name]
	if !ok && m.find != nil {
		b, ok = m.find(name)
	}
	if !ok {
		return nil
	}
	return m.s.bind(b, try)
}

// names lists everything the module has, sorted.
func (m *module) names() []string {
	var list []string
	for name := range m.bindings {
		list = append(list, name)
	}
	for name := range m.values {
		list = append(list, name)
	}
	if m.all != nil {
		list = append(list, m.all()...)
	}
	sort.Strings(list)
	return list
}

// routinesOf finds the bindings of one library's routines.
func routinesOf(lib routine.Library) (find func(string) (*binding, bool), all func() []string) {
	find = func(name string) (*binding, bool) {
		r, ok := routine.Find(lib, name)
		if !ok {
			return nil, false
		}
		return bindRoutine(r), true
	}
	all = func() []string {
		var names []string
		for _, r := range routine.All() {
			if r.Library == lib {
				names = append(names, r.Name)
			}
		}
		return names
	}
	return find, all
}
