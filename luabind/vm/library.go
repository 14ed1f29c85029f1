package vm

import (
	"slices"
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

// A library describes a table of Lua's library, or the table of the global variables. All machines share it.
type library struct {
	name   string
	fields []field // in the order in which pairs lists them
	makers map[string]func(m *Machine) lua.LValue
}

// A field is a field of a library. make returns its value for a machine, which is nil of Lua if the sandbox does not
// have it.
type field struct {
	name string
	make func(m *Machine) lua.LValue
}

func newLibrary(name string, lists ...[]field) *library {
	lib := &library{name: name, fields: slices.Concat(lists...), makers: map[string]func(m *Machine) lua.LValue{}}
	for _, f := range lib.fields {
		lib.makers[f.name] = f.make
	}
	return lib
}

// globals is the name of the library of the global variables.
const globals = "_G"

// libraries returns the libraries of the sandbox by name. init sets it, because the functions of the libraries refer
// to it.
var libraries func() map[string]*library

func init() {
	libraries = sync.OnceValue(func() map[string]*library {
		all := map[string]*library{}
		for _, lib := range []*library{
			newLibrary(globals, baseFields(), loadFields(), protectedFields(), loaderFields(), libraryFields()),
			newLibrary("table", tableFields()), newLibrary("string", stringFields()),
			newLibrary("coroutine", coroutineFields()), newLibrary("os", osFields()), newLibrary("io", ioFields()),
			newLibrary("math", mathFields(), randomFields()),
		} {
			all[lib.name] = lib
		}
		return all
	})
}

// libraryNames are the names of the libraries that are global variables.
var libraryNames = []string{"table", "string", "coroutine", "os", "io", "math"}

// libraryFields returns the global variables of the libraries.
func libraryFields() []field {
	var fields []field
	for _, name := range libraryNames {
		fields = append(fields, field{name, func(m *Machine) lua.LValue { return m.standard.table(name) }})
	}
	return fields
}

// A method is a function of a library that works on a T, such as the machine.
type method[T any] struct {
	name string
	call func(of T, l *lua.LState) int
}

// methods returns the fields of functions of a library. of returns the T of a machine. A panic in one of the functions
// is an InternalError with its name.
func methods[T any](library string, of func(m *Machine) T, list ...method[T]) []field {
	fields := make([]field, len(list))
	for i, f := range list {
		title := f.name
		if library != globals {
			title = library + "." + f.name
		}
		fields[i] = field{f.name, func(m *Machine) lua.LValue {
			receiver := of(m)
			return m.Function(title, func(l *lua.LState) int { return f.call(receiver, l) })
		}}
	}
	return fields
}

// static makes the function of a method from one that works without a T.
func static[T any](call lua.LGFunction) func(T, *lua.LState) int {
	return func(_ T, l *lua.LState) int { return call(l) }
}

// plain returns the field of a function that does not panic and needs no machine.
func plain(name string, call lua.LGFunction) field {
	return field{name, func(m *Machine) lua.LValue { return m.lua.NewFunction(call) }}
}

// constant returns a field that has the same value in all machines.
func constant(name string, v lua.LValue) field {
	return field{name, func(*Machine) lua.LValue { return v }}
}

// kept returns a field of a library whose value is made only once for a machine, so that other fields can have it, too.
func (f field) kept(library string) field {
	key := [2]string{library, f.name}
	return field{f.name, func(m *Machine) lua.LValue {
		v, ok := m.standard.kept[key]
		if !ok {
			v = f.make(m)
			m.standard.kept[key] = v
		}
		return v
	}}
}

// alias returns a field that has the same value as a kept field, whether or not a script has changed that.
func alias(name, library, of string) field {
	return field{name, func(m *Machine) lua.LValue { return keptValue(m, library, of) }}
}

// keptValue returns the value of a kept field.
func keptValue(m *Machine, library, name string) lua.LValue {
	return libraries()[library].makers[name](m)
}
