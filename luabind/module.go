package luabind

import (
	"sort"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
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
	cache    map[string]*lua.LFunction
	tryCache map[string]*lua.LFunction
	table    *lua.LTable
	try      *lua.LTable
}

func (s *State) newModule(name string, list []*binding) *module {
	m := &module{s: s, name: name, bindings: map[string]*binding{}, values: map[string]lua.LValue{},
		cache: map[string]*lua.LFunction{}, tryCache: map[string]*lua.LFunction{}}
	for _, b := range list {
		b.module = name
		m.bindings[b.name] = b
	}
	m.table = m.proxy(name, func(key string) (lua.LValue, bool) {
		if v, ok := m.values[key]; ok {
			return v, true
		}
		return m.lookup(key)
	})
	m.try = m.proxy(name+".try", func(key string) (lua.LValue, bool) { return m.function(key, m.tryCache, true) })
	m.values["try"] = m.try
	return m
}

// proxy is a read-only table whose fields are looked up when used.
func (m *module) proxy(name string, get func(key string) (lua.LValue, bool)) *lua.LTable {
	t, meta := m.s.lua.NewTable(), m.s.lua.NewTable()
	meta.RawSetString("__index", m.s.function(name, func(l *lua.LState) int {
		key := l.Get(2).String()
		v, ok := get(key)
		if !ok {
			m.s.usage(l, "%s has no function or constant %q%s%s", name, key, m.hint(key), elsewhere(m.name, key))
		}
		l.Push(v)
		return 1
	}))
	meta.RawSetString("__newindex", m.s.function(name, func(l *lua.LState) int {
		m.s.usage(l, "%s is read-only", name)
		return 0
	}))
	meta.RawSetString("__metatable", lua.LString(name))
	t.Metatable = meta
	return t
}

// hint explains an unknown name: what the documents mean by it, or the nearest one.
func (m *module) hint(key string) string {
	if meant := routine.Documented(key); meant != "" {
		return ": " + meant
	}
	return routine.DidYouMean(key, m.names())
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

func (m *module) lookup(name string) (lua.LValue, bool) { return m.function(name, m.cache, false) }

func (m *module) function(name string, cache map[string]*lua.LFunction, try bool) (lua.LValue, bool) {
	if fn, ok := cache[name]; ok {
		return fn, true
	}
	b, ok := m.bindings[name]
	if !ok && m.find != nil {
		b, ok = m.find(name)
	}
	if !ok {
		return lua.LNil, false
	}
	fn := m.s.bind(b, try)
	cache[name] = fn
	return fn, true
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
