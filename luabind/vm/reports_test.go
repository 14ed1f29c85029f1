package vm_test

import (
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
)

// TestReports counts how often long operations report their line: when they reserve memory, and for each MiB.
func TestReports(t *testing.T) {
	for source, want := range map[string]int{
		`local s = kilobyte:rep(3 * 1024 - 1):upper()`: 5, // rep, upper, and three pieces
		`("x"):rep(8):gsub("x", (kilobyte:rep(512)))`:  4,
		`("xy"):rep(2^19)`:     1,
		`("xy"):rep(2^19 - 1)`: 0,
		`table.concat({ kilobyte:rep(512), kilobyte:rep(511) }, kilobyte)`: 1,
		`table.concat({ kilobyte:rep(511), kilobyte:rep(511) }, kilobyte)`: 0,
	} {
		have := 0
		m := newMachine(t, vm.Options{Seen: func(string) { have++ }})
		m.State().SetGlobal("kilobyte", lua.LString(strings.Repeat("x", 1<<10)))
		if _, err := m.Run(compile(t, source), 0); err != nil || have != want {
			t.Errorf("%s: %d reports, want %d, %v", source, have, want, err)
		}
		m.Close()
	}
}

// TestReportsAtALimit ends a run by its instructions, which are checked once.
func TestReportsAtALimit(t *testing.T) {
	reports := 0
	_, err := run(t, `while true do end`, vm.Options{Seen: func(string) { reports++ },
		Limits: vm.Limits{Instructions: 1000}})
	if end := endOf(t, err); end.Used != 1001 || reports != 1 {
		t.Errorf("used %d, %d reports", end.Used, reports)
	}
}

// TestCheckAtALimit checks the run when exactly as many instructions as allowed are executed. The next one ends it.
func TestCheckAtALimit(t *testing.T) {
	var executed uint64
	for range 2 {
		m := newMachine(t, vm.Options{Limits: vm.Limits{Instructions: executed}})
		m.State().SetGlobal("check", m.Function("check", func(l *lua.LState) int {
			executed = m.Meter().Usage().Instructions
			m.Meter().Check(l)
			return 0
		}))
		limited := executed > 0
		_, err := m.Run(compile(t, `check()`), 0)
		m.Close()
		if !limited {
			continue
		}
		if end := endOf(t, err); end.Used != executed+1 {
			t.Errorf("used %d of %d", end.Used, executed)
		}
	}
}

// writes records the sizes of writes.
type writes []int

func (w *writes) Write(p []byte) (int, error) {
	if len(p) > 0 {
		*w = append(*w, len(p))
	}
	return len(p), nil
}

// TestPrintWrites looks at the writes of print: one for a line below 1 MiB.
func TestPrintWrites(t *testing.T) {
	const most = 1<<20 - 1
	for source, want := range map[string][]int{
		`print("a", "b")`:                          {4},
		`print(("x"):rep(2^20 - 1))`:               {most + 1},
		`print(("x"):rep(2^20))`:                   {most + 1, 1},
		`print("a", ("x"):rep(2^20 - 3), "b")`:     {most + 1, 1, 1},
		`print("a", ("x"):rep(2^20 - 2), "b")`:     {2, most - 1, 3},
		`print(("x"):rep(2^20 - 3), ("y"):rep(9))`: {most - 1, 9, 1},
	} {
		var have writes
		m := newMachine(t, vm.Options{Output: &have})
		if _, err := m.Run(compile(t, source), 0); err != nil || !slices.Equal(have, want) {
			t.Errorf("%s: %d, want %d, %v", source, have, want, err)
		}
		m.Close()
	}
}

// TestLargestValue reserves the most that a value of a run without limits may have, and more.
func TestLargestValue(t *testing.T) {
	for bytes, ok := range map[uint64]bool{4 << 30: true, 4<<30 + 1: false} {
		m := newMachine(t, vm.Options{})
		m.State().SetGlobal("reserve", m.Function("reserve", func(l *lua.LState) int {
			m.Meter().Reserve(l, bytes)
			return 0
		}))
		if _, err := m.Run(compile(t, `reserve()`), 0); (err == nil) != ok {
			t.Errorf("%d bytes: %v", bytes, err)
		}
		m.Close()
	}
}

// TestEmptyLoops runs loops without a body or an end. The code before them runs once.
func TestEmptyLoops(t *testing.T) {
	for _, loop := range []string{`while true do end`, `repeat until false`, `repeat until nil`,
		`while not nil do end`} {
		out, err := run(t, `print("once") `+loop, vm.Options{Limits: vm.Limits{Instructions: 1000}})
		if endOf(t, err); out != "once\n" {
			t.Errorf("%s: printed %q", loop, out)
		}
	}
}

// TestIntegers reads integers at their bounds.
func TestIntegers(t *testing.T) {
	for n, ok := range map[lua.LNumber]bool{1 << 53: true, 1<<53 + 2: false, -1 << 53: true, -1<<53 - 2: false,
		0.5: false} {
		if have, err := vm.Integer(n, "an integer"); (err == nil) != ok || ok && have != int64(n) {
			t.Errorf("%v: %d, %v", n, have, err)
		}
	}
	for size, cut := range map[int]bool{40: false, 41: true} {
		text := strings.Repeat("x", size)
		if have := vm.Describe(lua.LString(text)); strings.HasSuffix(have, "...") != cut {
			t.Errorf("%d bytes: %s", size, have)
		}
	}
}
