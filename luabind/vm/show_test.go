package vm_test

import (
	"math"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
)

// TestShow shows values of every type.
func TestShow(t *testing.T) {
	m := newMachine(t, vm.Options{})
	defer m.Close()
	for source, want := range map[string]string{
		`2^53 - 1`: "9007199254740991", `1 - 2^53`: "-9007199254740991", `2^53`: "9.007199254740992e+15",
		`-2^53`: "-9.007199254740992e+15", `0.1`: "0.1", `1/0`: "+Inf", `"a\nb"`: `"a\nb"`,
		`nil`: "nil", `true`: "true",
		`{}`: "{}", `{ 1, 2, 3 }`: "{1, 2, 3}", `{ 1, nil, x = { y = 1 } }`: `{1, x = {y = 1}}`,
		`{ b = 1, a = 2, [true] = 3 }`:  "{a = 2, b = 1, true = 3}",
		`{ [-1] = 1, [1.5] = 2, 7, 8 }`: "{7, 8, [-1] = 1, [1.5] = 2}",
		`{ [0] = 1 }`:                   "{[0] = 1}", `{ [2^40] = {} }`: "{[1099511627776] = {}}",
		`setmetatable({}, { __tostring = function() return "text" end })`: "{}",
	} {
		values, err := m.Run(compile(t, "return "+source), 1)
		if err != nil {
			t.Fatal(err)
		}
		if have := m.Show(values[0]); have != want {
			t.Errorf("%s: %s, want %s", source, have, want)
		}
	}
	if have := m.Show(lua.LNumber(math.NaN())); have != "NaN" {
		t.Errorf("NaN: %s", have)
	}
}

// TestShowBounds shows values around the bounds of Show.
func TestShowBounds(t *testing.T) {
	const most = 64 << 10
	m := newMachine(t, vm.Options{})
	defer m.Close()
	for _, test := range []struct {
		name, source string
		bytes        int // of the text
		cut          bool
	}{
		{"string", `("x"):rep(65536)`, most + 2, false},
		{"longer string", `("x"):rep(65537)`, most + 2 + 3, true},
		{"strings", `{ ("x"):rep(65534), 1 }`, most + 7, true},
		{"strings with room", `{ ("x"):rep(65533), 1 }`, most - 1 + 5 - 1 + 1, false},
		{"field", `{ [("x"):rep(65531)] = 1 }`, most + 1, false},
		{"key", `{ [("x"):rep(65536)] = 1 }`, most + 6, false},
		{"field without room", `{ [("x"):rep(65535)] = 1, y = 2 }`, most + 5, false},
		{"long key", `{ [("x"):rep(65537)] = 1 }`, most + 3 + 3 + 3, true},
		{"list", `(function() local t = {} for i = 1, 1e5 do t[i] = 1 end return t end)()`, 3*most + 5, true},
	} {
		values, err := m.Run(compile(t, "return "+test.source), 1)
		if err != nil {
			t.Fatal(err)
		}
		text := m.Show(values[0])
		if len(text) != test.bytes || strings.Contains(text, "...") != test.cut {
			t.Errorf("%s: %d bytes, cut %t: %s", test.name, len(text), strings.Contains(text, "..."), text[max(0,
				len(text)-20):])
		}
	}
	for depth, cut := range map[int]bool{16: false, 17: true} {
		values, err := m.Run(compile(t, "return "+strings.Repeat("{", depth)+strings.Repeat("}", depth)), 1)
		if text := m.Show(values[0]); err != nil || strings.Contains(text, "...") != cut {
			t.Errorf("%d tables: %s, %v", depth, text, err)
		}
	}
}

// TestEqual compares values.
func TestEqual(t *testing.T) {
	m := newMachine(t, vm.Options{})
	defer m.Close()
	m.State().SetGlobal("equal", m.Function("equal", func(l *lua.LState) int {
		equal, _, _ := m.Equal(l.Get(1), l.Get(2))
		l.Push(lua.LBool(equal))
		return 1
	}))
	for source, want := range map[string]bool{
		`equal(1, 1)`: true, `equal(1, 2)`: false, `equal({}, {})`: true, `equal({}, 1)`: false,
		`equal(1, {})`:              false,
		`equal({ 1, 2 }, { 1, 2 })`: true, `equal({ 1, 2 }, { 1, 3 })`: false, `equal({ 1 }, { 1, 2 })`: false,
		`equal({ 1, 2 }, { 1 })`: false, `equal({ x = { y = 1 } }, { x = { y = 1 } })`: true,
		`equal({ x = { y = 1 } }, { x = { y = 2 } })`: false, `equal({ x = false }, {})`: false,
		`equal(setmetatable({}, { __eq = function() return true end }), 1)`: false,
		`equal(deep(10001), deep(10001))`:                                   true,
		`pcall(equal, deep(10002), deep(10002))`:                            false,
	} {
		values, err := m.Run(compile(t, `
			function deep(n) local t = {} for i = 2, n do t = { t } end return t end
			return (`+source+`)`), 1)
		if err != nil || values[0] != lua.LBool(want) {
			t.Errorf("%s: %v, %v", source, values, err)
		}
	}
}
