package vm_test

import (
	"slices"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
)

// TestTypesAreOpenedWhenTheyAreUsed makes values of types. Each type is declared before its first value.
func TestTypesAreOpenedWhenTheyAreUsed(t *testing.T) {
	var m *vm.Machine
	var opened []string
	m = newMachine(t, vm.Options{OpenType: func(name string) {
		opened = append(opened, name)
		m.NewType(name, map[string]lua.LGFunction{"__tostring": func(l *lua.LState) int {
			l.Push(lua.LString("a " + name))
			return 1
		}})
	}})
	defer m.Close()
	m.NewType("declared", nil)
	for _, name := range []string{"first", "second", "first", "declared", "second"} {
		m.State().SetGlobal(name, m.Object(name, 1))
	}
	file := compile(t, `return tostring(first) .. ", " .. tostring(second) .. ", " .. getmetatable(declared)`)
	results, err := m.Run(file, 1)
	if err != nil || results[0].String() != "a first, a second, declared" {
		t.Errorf("%v, %v", results, err)
	}
	file = compile(t, `local ok, e = pcall(error, "wrong") return pcall(error), tostring(e)`)
	if _, err := m.Run(file, 2); err != nil {
		t.Error(err)
	}
	if want := []string{"first", "second"}; !slices.Equal(opened, want) {
		t.Errorf("types %q were opened, want %q", opened, want)
	}
}
