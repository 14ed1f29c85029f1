package vm_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
)

// TestInterruptIsComplete releases the interrupt of a context that has just ended. The run has ended then, and not at
// some time during the next entry. There is one processor, so that no other goroutine runs before.
func TestInterruptIsComplete(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	m := newMachine(t, vm.Options{})
	defer m.Close()
	ctx, cancel := context.WithCancel(context.Background())
	release := m.Interrupt(ctx)
	cancel()
	release()
	if !errors.Is(m.Ended(), context.Canceled) {
		t.Errorf("the run has ended with %v", m.Ended())
	}
}

// TestNoCatchSurvivesTheEnd ends the context of a run in a host function that then raises an error. Nothing that
// catches the error may continue, also before other goroutines have noticed the end: there is one processor, which the
// run uses.
func TestNoCatchSurvivesTheEnd(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, source := range []string{
		`pcall(stop) print("survived")`,
		`xpcall(stop, function(e) print("survived") end) print("survived")`,
		`coroutine.resume(coroutine.create(function() stop() end)) print("survived")`,
		`pcall(coroutine.wrap(function() stop() end)) print("survived")`,
		`protected(stop) print("survived")`,
	} {
		ctx, cancel := context.WithCancel(context.Background())
		var out writes
		m := vm.New(ctx, vm.Options{Output: &out})
		lualib.Open(m, lualib.Options{})
		m.State().SetGlobal("stop", m.Function("stop", func(l *lua.LState) int {
			cancel()
			m.Raisef(l, "stopped")
			return 0
		}))
		m.State().SetGlobal("protected", m.Function("protected", func(l *lua.LState) int {
			m.Protect(l, l.CheckFunction(1), 0)
			return 0
		}))
		_, err := m.Run(compile(t, source), 0)
		m.Close()
		if !errors.Is(err, context.Canceled) || len(out) > 0 {
			t.Errorf("%s: %v, %d lines", source, err, len(out))
		}
	}
}
