package vm_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
	"roclua/luabind/vm/memory"
	"roclua/luabind/vm/script"
)

// heldAfter returns the measured memory after a script.
func heldAfter(t *testing.T, o vm.Options, source string) uint64 {
	t.Helper()
	m := vm.New(context.Background(), o)
	defer m.Close()
	lib := lualib.Open(m, lualib.Options{})
	lib.Preload("host", func() lua.LValue { return lua.LString(strings.Repeat("h", 1e6)) })
	m.State().SetGlobal("keep", m.Function("keep", func(l *lua.LState) int { m.Keep(l.Get(1)); return 0 }))
	m.State().SetGlobal("held", m.Function("held", func(l *lua.LState) int {
		l.Push(lua.LNumber(m.HeldBytes()))
		return 1
	}))
	file, err := script.Compile("held.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	values, err := m.Run(file, 1)
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := values[0].(lua.LNumber); ok {
		return uint64(n)
	}
	return m.HeldBytes()
}

// TestHeldParts compares the measured memory of a script and of another one that holds about a megabyte more, in each
// of the places where a run can hold memory.
func TestHeldParts(t *testing.T) {
	for name, test := range map[string]struct {
		source string
		o      vm.Options
	}{
		"fields":            {`t = {} for i = 1, 6500 do t["k" .. i] = true end`, vm.Options{}},
		"output":            {`io.write(("x"):rep(1e6))`, vm.Options{}},
		"host":              {``, vm.Options{HeldBytes: func() uint64 { return 1e6 }}},
		"kept by the host":  {`keep(("x"):rep(1e6))`, vm.Options{}},
		"module":            {`require("host")`, vm.Options{}},
		"global":            {`s = ("x"):rep(1e6)`, vm.Options{}},
		"one string, often": {`s = ("x"):rep(1e6) t = { s, s, s, s, { s } }`, vm.Options{}},
		"upvalue":           {`local s = ("x"):rep(1e6) function f() return s end`, vm.Options{}},
		"shared upvalue": {`local s = ("x"):rep(1e6) function f() return s end function
			g() s = s end`, vm.Options{}},
		"local variable": {`local s = ("x"):rep(1e6) do return held() end`, vm.Options{}},
		"caller's variable": {`local s = ("x"):rep(1e6) local n = (function() return (held())
			end)() return n`, vm.Options{}},
		"coroutine": {`c = coroutine.wrap(function() local s = ("x"):rep(1e6)
			coroutine.yield() end) c()`, vm.Options{}},
		"coroutine that runs": {`return coroutine.wrap(function() local s = ("x"):rep(1e6)
			return (held()) end)()`, vm.Options{}},
		"caller of coroutine": {`local s = ("x"):rep(1e6) return coroutine.wrap(function()
			return (held()) end)()`, vm.Options{}},
		"metatable": {`t = setmetatable({}, { s = ("x"):rep(1e6) })`, vm.Options{}},
		"key":       {`t = { [("x"):rep(1e6)] = 1 }`, vm.Options{}},
		"constant":  {`f = loadstring("return '" .. ("x"):rep(1e6) .. "'")`, vm.Options{}},
		"inner constant": {`f = loadstring("return function() return '" .. ("x"):rep(1e6)
			.. "' end")`, vm.Options{}},
		"strings": {`t = {} for i = 1, 10000 do t[i] = ("x"):rep(84) .. i % 10 .. i end`, vm.Options{}},
		"array":   {`t = {} for i = 1, 62500 do t[i] = true end`, vm.Options{}},
		"numbers": {`t = {} for i = 1, 41667 do t[i] = 1 end`, vm.Options{}},
		"tables":  {`t = {} for i = 1, 6900 do t[i] = {} end`, vm.Options{}},
		"functions": {`t = {} for i = 1, 6900 do local v = true t[i] = function()
			return v end end`, vm.Options{}},
		"coroutines": {`t = {} for i = 1, 90 do t[i] = coroutine.create(function() end) end`, vm.Options{}},
		"code": {`t = {} for i = 1, 40 do
			t[i] = loadstring("local x " .. ("x = true "):rep(2000)) end`, vm.Options{}},
		"chunks": {`t = {} for i = 1, 70 do t[i] = loadstring("") end`, vm.Options{}},
	} {
		without := heldAfter(t, vm.Options{}, "return held()")
		held := heldAfter(t, test.o, test.source)
		if grown := float64(held) - float64(without); grown < 0.8e6 || grown > 1.6e6 {
			t.Errorf("%s: %.0f bytes more", name, grown)
		}
	}
}

// TestSizesOfLists compares the sizes that hosts reserve with the memory that such lists hold.
func TestSizesOfLists(t *testing.T) {
	without := heldAfter(t, vm.Options{}, "return held()")
	for source, want := range map[string]uint64{
		`t = {} for i = 1, 50000 do t[i] = i end`:                             memory.ListBytes(50000),
		`t = {} for i = 1, 4000 do t[i] = {} end`:                             memory.RecordBytes(4000, 0),
		`t = {} for i = 1, 4000 do t[i] = { a = 1, b = 2, c = 3, d = 4 } end`: memory.RecordBytes(4000, 4),
		`t = {} for i = 1, 4000 do t[i] = { i, i } end`: 4000 * (memory.PairBytes +
			memory.ValueBytes),
	} {
		have := float64(heldAfter(t, vm.Options{}, source) - without)
		if ratio := have / float64(want); ratio < 0.7 || ratio > 1.5 {
			t.Errorf("%s: %.0f bytes, want about %d", source, have, want)
		}
	}
}

// TestReservedHeap reserves memory below the limit of the heap and above it. The process holds more than the run.
func TestReservedHeap(t *testing.T) {
	const mebi = 1 << 20
	for held, ok := range map[uint64]bool{23 * mebi: true, 25 * mebi: false} {
		o := vm.Options{Limits: vm.Limits{Heap: 48 * mebi}, HeldBytes: func() uint64 { return held }}
		m := vm.New(context.Background(), o)
		lualib.Open(m, lualib.Options{})
		ballast := make([]byte, 32*mebi)
		err := m.Call(m.State().NewFunction(func(l *lua.LState) int { m.Meter().Reserve(l, 24*mebi); return 0 }))
		if runtime.KeepAlive(ballast); (err == nil) != ok {
			t.Errorf("%d bytes held: %v", held, err)
		}
		m.Close()
	}
}

// TestGraceAfterGrowth ends a run that holds almost twice its limit, as growth in small steps may. Its cleanup can
// allocate half of the limit more.
func TestGraceAfterGrowth(t *testing.T) {
	const mebi = 1 << 20
	held := func() uint64 { return 60 * mebi }
	m := vm.New(context.Background(), vm.Options{Limits: vm.Limits{Heap: 32 * mebi}, HeldBytes: held})
	defer m.Close()
	lualib.Open(m, lualib.Options{})
	ballast := make([]byte, 64*mebi)
	reserve := func(bytes uint64) error {
		return m.Call(m.State().NewFunction(func(l *lua.LState) int { m.Meter().Reserve(l, bytes); return 0 }))
	}
	var limit *vm.LimitError
	if err := reserve(8 * mebi); !errors.As(err, &limit) || limit.Used < 68*mebi {
		t.Fatal(err)
	}
	m.Grace(vm.Limits{})
	if err := reserve(8 * mebi); err != nil {
		t.Error(err)
	}
	if err := reserve(24 * mebi); !errors.As(err, &limit) || limit.Max < 76*mebi {
		t.Error(err)
	}
	runtime.KeepAlive(ballast)
}

// TestHeldStrings measures strings of 31 bytes, which count without their text, and of 32.
func TestHeldStrings(t *testing.T) {
	measure := func(length int) uint64 {
		return heldAfter(t, vm.Options{}, fmt.Sprintf(`t = {}
			for i = 1, 1000 do t[i] = (i .. ("x"):rep(40)):sub(1, %d) end return nil`, length))
	}
	if grown := measure(32) - measure(31); grown != 32_000 {
		t.Errorf("%d bytes more", grown)
	}
}

// TestMeasurements counts how often a run with a limit measures itself when it allocates garbage, and looks at when it
// ends.
func TestMeasurements(t *testing.T) {
	const mebi = 1 << 20
	for _, test := range []struct {
		name, source string
		most         int    // measurements
		used         uint64 // memory at the end of the run, in MiB; 0 if it does not end at its limit
	}{
		{"garbage", `for i = 1, 200 do local s = ("x"):rep(2^20) .. i end`, 40, 0},
		{"one that is too large", `local s = ("x"):rep(17 * 2^20)`, 0, 17},
		{"one too many", `local s = ("x"):rep(10 * 2^20) s = { s, ("y"):rep(8 * 2^20) }`, 1, 18},
		{"small and large", `local s = ("x"):rep(2 * 2^20) s = { s, ("y"):rep(15 * 2^20) }`, 1, 17},
		{"after garbage", `local s = ("x"):rep(12 * 2^20)
			for i = 1, 10 do local s = ("x"):rep(2^20) end
			local t = {} for i = 1, 12 do t[i] = ("x"):rep(2^20 + i) end`, 30, 16},
	} {
		measured := 0
		o := vm.Options{Limits: vm.Limits{Heap: 16 * mebi}, HeldBytes: func() uint64 { measured++; return 0 }}
		m := vm.New(context.Background(), o)
		lualib.Open(m, lualib.Options{})
		file, err := script.Compile("test.lua", []byte(test.source))
		if err == nil {
			_, err = m.Run(file, 0)
		}
		m.Close()
		var limit *vm.LimitError
		ended := errors.As(err, &limit)
		if ended != (test.used > 0) || measured > test.most ||
			ended && (limit.Used < test.used*mebi || limit.Used > (test.used+1)*mebi) {
			t.Errorf("%s: %v, %d measurements", test.name, err, measured)
		}
	}
}
