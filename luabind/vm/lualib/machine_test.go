package lualib_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
	"roclua/luabind/vm/script"
)

// options are the options of a machine and of its library.
type options struct {
	machine vm.Options
	library lualib.Options
}

func compile(t testing.TB, source string) *script.Script {
	t.Helper()
	file, err := script.Compile("test.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// newMachine returns a machine with the library and the host function fail(), which raises fs.ErrNotExist.
func newMachine(t testing.TB, o options) (*vm.Machine, *lualib.Library) {
	t.Helper()
	m := vm.New(context.Background(), o.machine)
	lib := lualib.Open(m, o.library)
	m.State().SetGlobal("fail", m.Function("fail", func(l *lua.LState) int {
		m.Raise(l, fs.ErrNotExist)
		return 0
	}))
	return m, lib
}

// run runs a script and returns what it printed.
func run(t testing.TB, source string, o options) (string, error) {
	t.Helper()
	var out strings.Builder
	o.machine.Output = &out
	m, _ := newMachine(t, o)
	defer m.Close()
	_, err := m.Run(compile(t, source), 0)
	return out.String(), err
}
