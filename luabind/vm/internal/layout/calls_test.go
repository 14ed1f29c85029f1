package layout_test

import (
	"slices"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
)

// TestYieldable asks in coroutines whether they can yield.
func TestYieldable(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	var yieldable bool
	l.SetGlobal("ask", l.NewFunction(func(l *lua.LState) int {
		yieldable = layout.Yieldable(l)
		return 0
	}))
	l.SetGlobal("apply", l.NewFunction(func(l *lua.LState) int {
		l.Push(l.Get(1))
		l.Call(0, 0)
		return 0
	}))
	for _, test := range []struct {
		source string
		want   bool
	}{
		{"ask()", true}, {"local function f() ask() end f()", true}, {"return ask()", true},
		{"local function f() return ask() end return f()", true},
		{"apply(ask)", false}, {"apply(function() ask() end)", false},
		{"local t = setmetatable({}, { __index = function() ask() end }) local x = t.x", false},
		{"local t = setmetatable({}, { __add = function() ask() end }) local x = t + 1", false},
		{"for _ in function() ask() end do end", false},
	} {
		main, err := l.LoadString(test.source)
		if err != nil {
			t.Fatal(err)
		}
		thread, cancel := l.NewThread()
		yieldable = !test.want
		if _, err, _ := l.Resume(thread, main); err != nil || yieldable != test.want {
			t.Errorf("%s: %t, %v", test.source, yieldable, err)
		}
		if cancel != nil {
			cancel()
		}
	}
}

// TestLevels compares levels with the functions that GetStack finds at them.
func TestLevels(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	called := false
	l.SetGlobal("look", l.NewFunction(func(l *lua.LState) int {
		called = true
		levels := layout.Levels(l)
		if !slices.Equal(levels, []int{0, 1, 4, 5}) {
			t.Errorf("levels %d", levels)
		}
		for i, name := range []string{"look", "third", "outer"} {
			frame, ok := l.GetStack(levels[i])
			if !ok {
				t.Fatalf("no level %d", levels[i])
			}
			fn, err := l.GetInfo("f", frame, nil)
			if err != nil || fn != l.GetGlobal(name) {
				t.Errorf("level %d is not %s", levels[i], name)
			}
		}
		return 0
	}))
	err := l.DoString(`
		function third() look() end
		function second() return third() end
		function first() return second() end
		function outer() first() end
		outer()`)
	if err != nil || !called {
		t.Error(err)
	}
}

// TestHasKey looks up keys of a table that are in its array, in its maps, removed, or were never there.
func TestHasKey(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	err := l.DoString(`kept = { 10, 20, 30, x = 1, removed = 2, [0] = 3, [1.5] = 4, [-1] = 5, [2^40] = 6 }
		kept.removed = nil`)
	if err != nil {
		t.Fatal(err)
	}
	kept := l.GetGlobal("kept").(*lua.LTable)
	for _, key := range []lua.LValue{lua.LNil, lua.LNumber(1), lua.LNumber(2), lua.LNumber(3), lua.LNumber(0),
		lua.LNumber(-1), lua.LNumber(1.5), lua.LNumber(1 << 40), lua.LString("x"), lua.LString("removed")} {
		if !layout.HasKey(kept, key) {
			t.Errorf("no key %v", key)
		}
	}
	for _, key := range []lua.LValue{lua.LNumber(4), lua.LNumber(2.5), lua.LNumber(0.5), lua.LNumber(-2),
		lua.LNumber(1 << 41), lua.LString("y"), lua.LTrue, kept} {
		if layout.HasKey(kept, key) {
			t.Errorf("a key %v", key)
		}
	}
}
