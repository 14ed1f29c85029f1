package vm_test

import (
	"errors"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
)

// endOf returns the limit at which a run ended.
func endOf(t *testing.T, err error) *vm.LimitError {
	t.Helper()
	var limit *vm.LimitError
	if !errors.As(err, &limit) {
		t.Fatalf("ended with %v", err)
	}
	return limit
}

// TestExactInstructions runs a script with as many instructions as it needs, and with one less.
func TestExactInstructions(t *testing.T) {
	const source = `local sum = 0 for i = 1, 100 do sum = sum + i end return sum`
	m := newMachine(t, vm.Options{})
	defer m.Close()
	if _, err := m.Run(compile(t, source), 0); err != nil {
		t.Fatal(err)
	}
	used := m.Meter().Usage().Instructions
	if _, err := run(t, source, vm.Options{Limits: vm.Limits{Instructions: used}}); err != nil {
		t.Errorf("%d instructions: %v", used, err)
	}
	_, err := run(t, source, vm.Options{Limits: vm.Limits{Instructions: used - 1}})
	if limit := endOf(t, err); limit.Max != used-1 || limit.Used != used {
		t.Errorf("used %d of %d", limit.Used, limit.Max)
	}
}

// TestExactOutput prints as much as the limit allows, and more.
func TestExactOutput(t *testing.T) {
	for _, test := range []struct {
		source, want string
		ok           bool
	}{
		{`print("123456789")`, "123456789\n", true}, {`io.write("0123456789")`, "0123456789", true},
		{`io.write("0123456789abc")`, "0123456789", false}, {`io.write("012345", "6789abc")`, "0123456789", false},
		{`io.write("0123456789") io.write("a")`, "0123456789", false}, {`print("0123456789")`, "0123456789", false},
	} {
		out, err := run(t, test.source, vm.Options{Limits: vm.Limits{Output: 10}})
		if out != test.want || (err == nil) != test.ok {
			t.Errorf("%s printed %q, %v", test.source, out, err)
		}
	}
}

// TestGrace ends runs at their limits and looks at the limits of the cleanup.
func TestGrace(t *testing.T) {
	extra := vm.Limits{Instructions: 500, Output: 50}
	for _, test := range []struct {
		name, source string
		limits       vm.Limits
		want         func(before *vm.LimitError) uint64
	}{
		{"instructions", `while true do end`, vm.Limits{Instructions: 1000},
			func(before *vm.LimitError) uint64 { return before.Used + 500 }},
		{"output", `while true do print("0123456789") end`, vm.Limits{Output: 100},
			func(before *vm.LimitError) uint64 { return before.Used + 50 }},
		{"heap", `local s = ("x"):rep(1e9)`, vm.Limits{Heap: 16 << 20},
			func(*vm.LimitError) uint64 { return 25 << 20 }},
	} {
		m := newMachine(t, vm.Options{Limits: test.limits})
		defer m.Close()
		file := compile(t, test.source)
		_, err := m.Run(file, 0)
		before := endOf(t, err)
		m.Grace(extra)
		_, err = m.Run(file, 0)
		if after := endOf(t, err); after.Name != test.name || after.Max != test.want(before) {
			t.Errorf("%s: the limit was %d, used %d, and is %d", test.name, before.Max, before.Used, after.Max)
		}
	}
}

// TestGraceWithoutLimits stops a run that has no limits. Its cleanup has none either.
func TestGraceWithoutLimits(t *testing.T) {
	m := newMachine(t, vm.Options{})
	defer m.Close()
	m.Stop(errors.New("stopped"))
	m.Grace(vm.Limits{Instructions: 5, Output: 5})
	source := `for i = 1, 1000 do io.write("text") end kept = {} for i = 1, 8 do kept[i] = ("x"):rep(2^20) .. i end`
	if _, err := m.Run(compile(t, source), 0); err != nil {
		t.Error(err)
	}
}

// TestSeen counts how often a run reports its line.
func TestSeen(t *testing.T) {
	reports := 0
	m := newMachine(t, vm.Options{Seen: func(string) { reports++ }})
	defer m.Close()
	if _, err := m.Run(compile(t, `for i = 1, 1e6 do end`), 0); err != nil {
		t.Fatal(err)
	}
	if used := m.Meter().Usage().Instructions; reports != int(used/65536) {
		t.Errorf("%d reports in %d instructions", reports, used)
	}
	m.State().SetGlobal("steps", m.Function("steps", func(l *lua.LState) int {
		step := m.Meter().Every(l, 3)
		for range 10 {
			step()
		}
		return 0
	}))
	reports = 0
	if _, err := m.Run(compile(t, `steps()`), 0); err != nil || reports != 3 {
		t.Errorf("%d reports in 10 steps, %v", reports, err)
	}
}

// TestReserved checks that operations reserve memory before they allocate 1 MiB or more.
func TestReserved(t *testing.T) {
	for source, want := range map[string]bool{
		`("x"):rep(2^20)`: true, `("x"):rep(2^20 - 1)`: false,
		`local s = kilobyte:rep(512) local r = s .. s`:                                      true,
		`local s = kilobyte:rep(511) local r = s .. s`:                                      false,
		`local t = {} t[65536] = 1`:                                                         true,
		`local t = {} t[65535] = 1`:                                                         false,
		`local t = { 1, 2, 3 } t[65539] = 1`:                                                true,
		`local t = { 1, 2, 3 } t[65538] = 1`:                                                false,
		`local t = {} t[67108864] = 1`:                                                      false,
		`local t = {} t[0] = 1 t[-1e6] = 1 t[1.5] = 1`:                                      false,
		`rawset({}, 65536, 1)`:                                                              true,
		`rawset({}, 65535, 1)`:                                                              false,
		`table.insert({}, 65536, 1)`:                                                        true,
		`pcall(function() return none[long] end)`:                                           true,
		`pcall(function() none[long] = 1 end)`:                                              true,
		`pcall(function() return none[long:sub(2)] end)`:                                    false,
		`pcall(function() none[long:sub(2)] = 1 end)`:                                       false,
		`local t = {} t[long] = 1 return t[long]`:                                           false,
		`("%q"):format(kilobyte:rep(256))`:                                                  true,
		`("%q"):format(kilobyte:rep(255))`:                                                  false,
		`local t = {} for i = 1, 65536 do t[i] = i end reset() pcall(table.sort, t, error)`: true,
		`local t = {} for i = 1, 65535 do t[i] = i end reset() pcall(table.sort, t, error)`: false,
	} {
		large := 0
		m := newMachine(t, vm.Options{Seen: func(string) { large++ }})
		m.State().SetGlobal("kilobyte", lua.LString(strings.Repeat("x", 1<<10)))
		m.State().SetGlobal("long", lua.LString(strings.Repeat("x", 1<<20)))
		m.State().SetGlobal("reset", m.Function("reset", func(*lua.LState) int { large = 0; return 0 }))
		if _, err := m.Run(compile(t, source), 0); err != nil {
			t.Errorf("%s: %v", source, err)
		}
		m.Close()
		if have := large > 0; have != want {
			t.Errorf("%s reserved: %t", source, have)
		}
	}
}
