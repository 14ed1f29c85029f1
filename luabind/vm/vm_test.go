package vm_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
	"roclua/luabind/vm/script"
	"roclua/tests/busy"
)

func compile(t testing.TB, source string) *script.Script {
	t.Helper()
	file, err := script.Compile("test.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// newMachine returns a machine with Lua's library and the host functions protected(fn), which calls fn and drops its
// error, and fail(), which raises fs.ErrNotExist.
func newMachine(t testing.TB, o vm.Options) *vm.Machine {
	t.Helper()
	return openMachine(t, context.Background(), o, lualib.Options{})
}

func openMachine(t testing.TB, ctx context.Context, o vm.Options, library lualib.Options) *vm.Machine {
	t.Helper()
	m := vm.New(ctx, o)
	lualib.Open(m, library)
	m.State().SetGlobal("protected", m.Function("protected", func(l *lua.LState) int {
		err := m.Protect(l, l.CheckFunction(1), 0)
		l.Push(lua.LBool(err == nil))
		return 1
	}))
	m.State().SetGlobal("fail", m.Function("fail", func(l *lua.LState) int {
		m.Raise(l, fs.ErrNotExist)
		return 0
	}))
	return m
}

func global(m *vm.Machine, name string) *lua.LFunction {
	return m.State().GetGlobal(name).(*lua.LFunction)
}

// run runs a script and returns what it printed.
func run(t testing.TB, source string, o vm.Options) (string, error) {
	t.Helper()
	var out strings.Builder
	o.Output = &out
	m := newMachine(t, o)
	defer m.Close()
	_, err := m.Run(compile(t, source), 0)
	return out.String(), err
}

func TestRunReturnsResults(t *testing.T) {
	m := newMachine(t, vm.Options{})
	defer m.Close()
	for results, want := range map[int]int{0: 0, 1: 1, 2: 2, lua.MultRet: 3} {
		values, err := m.Run(compile(t, `return 1, 2, 3`), results)
		if err != nil || len(values) != want {
			t.Errorf("%d results: %v, %v", results, values, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"string", "\nerror('broken')", "test.lua:2: broken"},
		{"string without a position", "error('broken', 0)", "broken"},
		{"operator", "local x = nil + 1", "test.lua:1: attempt to perform arithmetic on a nil value"},
		{"table", "error({})", "test.lua:1: a table was raised as error: {}"},
		{"__tostring", "error(setmetatable({}, { __tostring = function() return 'text' end }))",
			"test.lua:1: a table was raised as error: text"},
		{"Go error", "\n\nfail()", "test.lua:3: file does not exist"},
		{"Go error that pcall caught", "local ok, e = pcall(fail) error(e)", "test.lua:1: file does not exist"},
		{"error of a handler", "local _, e = xpcall(fail, function(e) return tostring(e) .. '!' end) error(e, 0)",
			"file does not exist!"},
		{"unknown module", `require "strin"`,
			`test.lua:1: module 'strin' not found; looked for strin.lua and strin/init.lua in no folder`},
		{"wrong argument", `math.random("x")`,
			`bad argument #1 to 'random' (number expected, got string)`},
		{"bounds", `math.random(3, 1)`, `bad argument #2 to 'random' (interval is empty)`},
	} {
		_, err := run(t, test.source, vm.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) && !strings.Contains(err.Error(), ": "+test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}

// TestCause passes a Go error through pcall.
func TestCause(t *testing.T) {
	_, err := run(t, "local function inner() fail() end\nlocal ok, e = pcall(inner)\nerror(e)", vm.Options{})
	var e *script.Error
	if !errors.Is(err, fs.ErrNotExist) || !errors.As(err,
		&e) || e.File != "test.lua" || e.Line != 1 || e.Traceback == "" {
		t.Errorf("got %#v", err)
	}
}

func TestErrorObjects(t *testing.T) {
	field := func(err error, name string) lua.LValue {
		if name == "missing" {
			return lua.LBool(errors.Is(err, fs.ErrNotExist))
		}
		return nil
	}
	out, err := run(t, `
		local ok, e = pcall(fail)
		print(ok, e, e.missing, e.source, e.line, e.message, e.other, getmetatable(e))
		print(pcall(setmetatable, e, {}))`, vm.Options{ErrorType: "test.error", ErrorField: field})
	want := "false\tfile does not exist\ttrue\ttest.lua\t2\tfile does not exist\tnil\ttest.error\n"
	if err != nil || !strings.HasPrefix(out, want+"false\t") {
		t.Errorf("%v, printed %q", err, out)
	}
}

// TestProtectedCalls compares pcall and xpcall with Lua 5.1.
func TestProtectedCalls(t *testing.T) {
	for source, want := range map[string][]string{
		`return pcall(function(...) return ... end, 1, nil, 3)`: {"true", "1", "nil", "3"},
		`return pcall(error)`:      {"false", "nil"},
		`return pcall(error, "x")`: {"false", "x"},
		`return pcall(error, setmetatable({}, { __tostring = function() return "text" end }))`: {"false", "text"},
		`return pcall(1)`: {"false", "attempt to call a number value"},
		`return pcall(setmetatable({}, { __call = function(_, x) return x end }), 5)`: {"true", "5"},
		`return (pcall(pcall))`:                                                        {"false"},
		`return pcall(pcall, error, "inner")`:                                          {"true", "false", "inner"},
		`return xpcall(function() return 1, 2 end, print)`:                             {"true", "1", "2"},
		`return xpcall(function() error("x", 0) end, function(e) return e .. "!" end)`: {"false", "x!"},
		`return xpcall(1, function() return "handled" end)`:                            {"false", "handled"},
		`return (pcall(xpcall, 1, 2))`:                                                 {"false"},
		`return select("#", xpcall(function() return nil, nil end, print))`:            {"3"},
		`return pcall(string.rep, "x", -1)`:                                            {"true", ""},
	} {
		m := newMachine(t, vm.Options{})
		values, err := m.Run(compile(t, source), lua.MultRet)
		var have []string
		for _, v := range values {
			have = append(have, m.State().ToStringMeta(v).String())
		}
		m.Close()
		if err != nil || !slices.Equal(have, want) {
			t.Errorf("%s: %q, want %q (%v)", source, have, want, err)
		}
	}
}

func TestEntries(t *testing.T) {
	m := newMachine(t, vm.Options{})
	defer m.Close()
	for _, test := range []struct {
		text, want string
		incomplete bool
	}{
		{"local x, y = 20", "", false}, {"x + 1", "21", false}, {"= x + 2", "22", false}, {"y", "nil", false},
		{"function f()", "", true}, {"x = x + 1", "", false}, {"return x", "21", false}, {"#!comment", "", false},
	} {
		entry, err := script.CompileEntry("entry", 1, test.text)
		if test.incomplete {
			if !script.IsIncomplete(err) {
				t.Errorf("%q: %v is not incomplete", test.text, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		values, err := m.Run(entry, lua.MultRet)
		var have []string
		for _, v := range values {
			have = append(have, m.Show(v))
		}
		if err != nil || strings.Join(have, " ") != test.want {
			t.Errorf("%q: %q, want %q (%v)", test.text, have, test.want, err)
		}
	}
}

func TestStopEndsTheRun(t *testing.T) {
	enough := errors.New("enough")
	var out strings.Builder
	m := newMachine(t, vm.Options{Output: &out})
	defer m.Close()
	m.State().SetGlobal("stop", m.Function("stop", func(*lua.LState) int {
		m.Stop(enough)
		m.Stop(errors.New("later"))
		return 0
	}))
	if _, err := m.Run(compile(t, `pcall(function() pcall(stop) print("survived") end)`), 0); err != enough {
		t.Errorf("ended with %v", err)
	}
	if m.Ended() != enough || m.Context().Err() == nil {
		t.Errorf("ended: %v, %v", m.Ended(), m.Context().Err())
	}
	m.Revive()
	if _, err := m.Run(compile(t, `print("again")`), 0); err != nil || out.String() != "again\n" {
		t.Errorf("after Revive: %v, printed %q", err, out.String())
	}
}

func TestInterrupt(t *testing.T) {
	m := newMachine(t, vm.Options{})
	defer m.Close()
	ctx, cancel := context.WithCancel(context.Background())
	m.State().SetGlobal("interrupt", m.Function("interrupt", func(*lua.LState) int {
		cancel()
		return 0
	}))
	release := m.Interrupt(ctx)
	_, err := m.Run(compile(t, `pcall(interrupt) while true do end`), 0)
	release()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	m.Revive()
	defer m.Interrupt(context.Background())()
	if _, err := m.Run(compile(t, ``), 0); err != nil {
		t.Errorf("after Revive: %v", err)
	}
}

func TestShowAndEqual(t *testing.T) {
	m := newMachine(t, vm.Options{})
	defer m.Close()
	values, err := m.Run(compile(t, `
		local a, b = { 1, { "x" }, n = 2.5 }, { 1, { "x" }, n = 2.5 }
		local c, d = {}, {} c.c, d.c = c, d
		return a, b, c, d, { 1, { "y" }, n = 2.5 }, 1e6`), lua.MultRet)
	if err != nil {
		t.Fatal(err)
	}
	if have := m.Show(values[0]); have != `{1, {"x"}, n = 2.5}` {
		t.Errorf("shown as %s", have)
	}
	if have := m.Show(values[2]); !strings.HasPrefix(have, "{c = {c = {") || !strings.Contains(have, "{...}") {
		t.Errorf("shown as %s", have)
	}
	if have := m.Show(values[5]); have != "1000000" {
		t.Errorf("shown as %s", have)
	}
	for _, other := range [][3]int{{0, 1, 1}, {2, 3, 1}, {0, 4, 0}} {
		if equal, _, _ := m.Equal(values[other[0]], values[other[1]]); equal != (other[2] == 1) {
			t.Errorf("values %d and %d: equal %v", other[0], other[1], equal)
		}
	}
}

func TestUsage(t *testing.T) {
	m := newMachine(t, vm.Options{})
	defer m.Close()
	if _, err := m.Run(compile(t, `for i = 1, 1000 do end print("text")`), 0); err != nil {
		t.Fatal(err)
	}
	if u := m.Meter().Usage(); u.Instructions < 1000 || u.Output != 5 {
		t.Errorf("%+v", u)
	}
}

// TestLongMessages raises errors with long texts. The host gets a part of them, and they are hardly copied.
func TestLongMessages(t *testing.T) {
	for _, source := range []string{
		`error(("x"):rep(5e7))`,
		`error(("x:1: "):rep(1e7), 0)`,
		`error(("x:"):rep(2e7), 0)`,
		`local long = ("n"):rep(9e5) local f = loadstring("function " .. long .. "() error('x') end return " .. long)()
			for i = 1, 15 do local g = f f = function() g() return i end end f()`,
		`local f = loadstring("local function f(n) if n == 0 then error('x') end f(n - 1) return 1 end f(100)",
			("n"):rep(1e7)) f()`,
	} {
		var err error
		used := busy.Allocated(func() { _, err = run(t, source, vm.Options{}) })
		var e *script.Error
		if !errors.As(err, &e) || len(e.Error()) > 100<<10 || len(e.Traceback) > 10<<10 {
			t.Errorf("%s: %T, %d bytes", source, err, len(fmt.Sprint(err)))
		}
		if used > 128<<20 {
			t.Errorf("%s: allocated %d bytes", source, used)
		}
	}
}

// TestShowLongKeys shows a table whose keys are long.
func TestShowLongKeys(t *testing.T) {
	m := newMachine(t, vm.Options{})
	defer m.Close()
	values, err := m.Run(compile(t, `local t = {} for i = 1, 20 do t[i .. ("x"):rep(1e7)] = 1 end return t`), 1)
	if err != nil {
		t.Fatal(err)
	}
	if text := m.Show(values[0]); len(text) > 200<<10 {
		t.Errorf("%d bytes", len(text))
	}
}
