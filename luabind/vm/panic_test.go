package vm_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
	"roclua/luabind/vm/script"
)

// TestPanicEndsTheRun makes a host function panic: no pcall catches it, and it is not an error of the script.
func TestPanicEndsTheRun(t *testing.T) {
	var out bytes.Buffer
	m := vm.New(context.Background(), vm.Options{Output: &out})
	defer m.Close()
	lualib.Open(m, lualib.Options{})
	m.State().SetGlobal("broken", m.Function("broken", func(*lua.LState) int {
		var empty []int
		return empty[3]
	}))
	source := "pcall(function() pcall(broken) print('survived') end) print('survived')"
	file, err := script.Compile("panic.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Run(file, 0)
	var internal *vm.InternalError
	if !errors.As(err, &internal) || internal.Where != "broken" || internal.Stack == "" || out.Len() > 0 {
		t.Errorf("got %v, printed %q", err, out.String())
	}
}

// TestUpstreamDefect fails when gopher-lua no longer has the defect that RATIONALE.md reports. The correction is then
// not necessary any more.
func TestUpstreamDefect(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	err := l.DoString(`local n = 0 local function T(f) n = n + 1 pcall(f) end T(getfenv) T(error) T(getfenv) count = n`)
	if count := l.GetGlobal("count"); err != nil || count != lua.LNumber(2) {
		t.Errorf("%v, counted %v; gopher-lua 1.1.2 counts 2", err, count)
	}
}
