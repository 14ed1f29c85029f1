package vm_test

import (
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/nearest"
	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
)

// described is a host value that messages name.
type described struct{}

func (described) Describe() string { return "a device" }

// messageOf runs a script that fails and returns its error.
func messageOf(t *testing.T, source string) string {
	t.Helper()
	m := openMachine(t, t.Context(), vm.Options{}, lualib.Options{Suggest: nearest.DidYouMean})
	defer m.Close()
	m.NewType("device", nil)
	m.NewType("named", map[string]lua.LGFunction{"__index": func(l *lua.LState) int { return 0 }})
	m.State().SetGlobal("device", m.Object("device", described{}))
	m.State().SetGlobal("named", m.Object("named", described{}))
	_, err := m.Run(compile(t, source), 0)
	if err == nil {
		t.Fatalf("%s: no error", source)
	}
	return err.Error()
}

// TestMessages looks at messages about names and values that a script uses by mistake.
func TestMessages(t *testing.T) {
	for source, want := range map[string]string{
		// Names.
		`pritn("x")`:        `attempt to call global 'pritn' (a nil value), did you mean "print"?`,
		`string.fomat("x")`: `attempt to call field 'fomat' (a nil value), did you mean "format"?`,
		`config = { depth = 1 } local x = config.detph + 1`: `attempt to perform arithmetic on field 'detph' ` +
			`(a nil value), did you mean "depth"?`,
		`config = { x = {} } config.x.y.z()`:               `attempt to index field 'y' (a nil value)`,
		`config = 1 config.x.y()`:                          `attempt to index global 'config' (a number value)`,
		`quite_another_name()`:                             `attempt to call global 'quite_another_name' (a nil value)`,
		`printer = 1 printer()`:                            `attempt to call global 'printer' (a number value)`,
		`for i = 1, 999 do _G["name" .. i] = i end nam1()`: `attempt to call global 'nam1' (a nil value)`,

		// Values of the host.
		`local x = "x" .. device`: `attempt to concatenate global 'device' (a device)`,
		`local x = device + 1`:    `attempt to perform arithmetic on global 'device' (a device)`,
		`local x = "1" + device`:  `attempt to perform arithmetic on global 'device' (a device)`,
		`local x = #device`:       `attempt to get length of global 'device' (a device)`,
		`device()`:                `attempt to call global 'device' (a device)`,
		`for x in device do end`:  `attempt to call a device`,
		`local x = device.memory`: `a device has no field "memory"`,
		`local x = device[1]`:     `a device has no field the number 1`,
		`device.memory = 1`:       `a device has no field "memory" that can be set`,
		`named.memory = 1`:        `a device has no field "memory" that can be set`,

		// Errors that are not text have the line at which they were raised.
		`error({ code = 3 })`: `a table was raised as error: {code = 3}`,
		`error()`:             `a nil was raised as error: nil`,
		`error(setmetatable({}, { __tostring = function() return "text" end }))`: `a table was raised as error: text`,

		// Coroutines.
		`local f = coroutine.wrap(function() end) f() f()`:   `cannot resume dead coroutine`,
		`local f f = coroutine.wrap(function() f() end) f()`: `test.lua:1: cannot resume running coroutine`,
	} {
		if have := messageOf(t, source); have != "test.lua:1: "+want {
			t.Errorf("%s\nhave %s\nwant %s", source, have, want)
		}
	}
}

// TestErrorsWithoutPosition raises text at level 0, which does not get a position.
func TestErrorsWithoutPosition(t *testing.T) {
	if have := messageOf(t, `error("text", 0)`); have != "text" {
		t.Error(have)
	}
}
