// Package lualib is the standard library of Lua 5.1 for machines that run untrusted scripts.
//
// It replaces functions of gopher-lua that differ from Lua 5.1, that run for long without checking whether the run has
// ended, or that allocate memory without reserving it. In the sandbox, scripts load Lua files only from the folders
// that they are given; see [Options].
package lualib

import (
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/bounds"
)

// Open opens the library in a machine that has none.
func Open(m *vm.Machine, o Options) *Library {
	if o.Sandbox == "" {
		o.Sandbox = bounds.DefaultSandbox
	}
	main := m.State()
	folders := o.LibraryPaths
	if o.Sandbox == bounds.SandboxStrict {
		folders = folders[:min(1, len(folders))]
	}
	lib := &Library{m: m, lua: main, opts: o, declared: libraries(),
		tables: map[string]*lua.LTable{globals: main.G.Global}, shared: map[string]lua.LValue{},
		files: searchPath{paths: folders}, preloaded: map[string]func() lua.LValue{},
		loaded: map[string]lua.LValue{}, loading: map[string]bool{}, random: newRandom(o.Seed), start: time.Now()}
	m.OnClose(lib.files.close)
	m.ExplainMissing(lib.explainMissing)
	if o.Sandbox == bounds.SandboxFull {
		lib.openFull()
	} else {
		lib.openPartial()
	}
	openStrings(m, lib.tables["string"])
	return lib
}

// libraries returns the tables of the sandbox by name.
var libraries = sync.OnceValue(func() map[string]*table {
	all := map[string]*table{}
	for _, t := range []*table{
		newTable(globals, baseFields(), loadFields(), protectedFields(), loaderFields(), libraryFields()),
		newTable("table", tableFields()), newTable("string", stringFields()),
		newTable("coroutine", coroutineFields()), newTable("os", osFields()), newTable("io", ioFields()),
		newTable("math", mathFields(), randomFields()),
	} {
		all[t.name] = t
	}
	return all
})

// libraryFields returns the global variables of the libraries.
func libraryFields() []field {
	var fields []field
	for _, name := range libraryNames {
		fields = append(fields, field{name, func(lib *Library) lua.LValue { return lib.table(name) }})
	}
	return fields
}

// loaderFields returns the global functions of the loader.
func loaderFields() []field {
	fields := append(methods(globals, method{"require", (*Library).require}),
		field{"package", func(lib *Library) lua.LValue {
			if lib.IsFull() {
				return lib.Globals().RawGetString("package")
			}
			return lib.packageTable()
		}})
	for _, f := range methods(globals, method{"loadfile", (*Library).loadfile}, method{"dofile", (*Library).dofile}) {
		fields = append(fields, field{f.name, func(lib *Library) lua.LValue {
			if lib.opts.Sandbox == bounds.SandboxStrict {
				return lua.LNil
			}
			return f.make(lib)
		}})
	}
	return fields
}

// Options configure a Library. The zero value is the sandbox "project" without folders and arguments.
type Options struct {
	Sandbox      string   // one of bounds.Sandboxes; "" is the default
	LibraryPaths []string // folders of Lua files, for require and dofile; the first is the script's own
	Args         []string // elements of the global table arg
	Seed         uint64   // of math.random

	// Extend adds the host's own functions to one of Lua's libraries, such as "os", when its table is made. It may be
	// nil.
	Extend func(library string, t *lua.LTable)

	// Clock returns the seconds that os.clock returns; ok is false for those of the machine. It may be nil.
	Clock func() (seconds float64, ok bool)

	// Suggest returns the end of the error message about an unknown name, such as `, did you mean "hip"?`.
	// It may be nil.
	Suggest func(name string, known []string) string
}

// openFull opens all of Lua's library, for scripts that are trusted: also the functions that reach files, the variables
// of other functions, or the interpreter itself. Only os.exit does not work, because it would end the host.
func (lib *Library) openFull() {
	m, l, g := lib.m, lib.lua, lib.lua.G.Global
	l.OpenLibs()
	for _, name := range libraryNames {
		lib.tables[name] = g.RawGetString(name).(*lua.LTable)
		lib.fill(name, nil)
	}
	lib.fill(globals, nil)
	for _, name := range []string{"debug", "package"} {
		lib.openAbsent(g.RawGetString(name).(*lua.LTable), name)
	}
	for _, name := range []string{"dump", "__index"} {
		lib.tables["string"].RawSetString(name, lua.LNil)
	}
	lib.tables["os"].RawSetString("exit", m.Function("os.exit", func(l *lua.LState) int {
		m.Raisef(l, "os.exit would end the program; end the script with error(...)")
		return 0
	}))
	loaders := g.RawGetString("package").(*lua.LTable).RawGetString("loaders").(*lua.LTable)
	loaders.RawSetInt(2, m.Function("require", lib.searchPackagePath))
}
