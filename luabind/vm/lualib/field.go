package lualib

import (
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// globals is the name of the table of the global variables.
const globals = "_G"

// libraryNames are the names of the libraries that are global variables.
var libraryNames = []string{"table", "string", "coroutine", "os", "io", "math"}

// A table describes a table of Lua's library, or the table of the global variables. All machines share it.
type table struct {
	name   string
	fields []field // in the order of pairs
	makers map[string]func(lib *Library) lua.LValue
}

// A field is a field of a library. make returns its value for a machine, which is nil of Lua if the sandbox does not
// have it.
type field struct {
	name string
	make func(lib *Library) lua.LValue
}

func newTable(name string, lists ...[]field) *table {
	t := &table{name: name, fields: slices.Concat(lists...), makers: map[string]func(lib *Library) lua.LValue{}}
	for _, f := range t.fields {
		t.makers[f.name] = f.make
	}
	return t
}

// A method is a function of a library.
type method struct {
	name string
	call func(lib *Library, l *lua.LState) int
}

// methods returns the fields of functions of a library. A panic in one of them is an InternalError with its name.
func methods(library string, list ...method) []field {
	fields := make([]field, len(list))
	for i, f := range list {
		title := f.name
		if library != globals {
			title = library + "." + f.name
		}
		fields[i] = field{f.name, func(lib *Library) lua.LValue {
			return lib.m.Function(title, func(l *lua.LState) int { return f.call(lib, l) })
		}}
	}
	return fields
}

// static makes the function of a method from one that needs no library.
func static(call lua.LGFunction) func(*Library, *lua.LState) int {
	return func(_ *Library, l *lua.LState) int { return call(l) }
}

// plain returns the field of a function that does not panic and needs no machine.
func plain(name string, call lua.LGFunction) field {
	return field{name, func(lib *Library) lua.LValue { return lib.lua.NewFunction(call) }}
}

// constant returns a field that has the same value in all machines.
func constant(name string, v lua.LValue) field {
	return field{name, func(*Library) lua.LValue { return v }}
}

// alias returns a field that has the value of another field of sharedNames, whether or not a script has changed that.
func alias(name, library, of string) field {
	return field{name, func(lib *Library) lua.LValue { return lib.value(library, of) }}
}
