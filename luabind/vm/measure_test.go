package vm_test

import (
	"context"
	"runtime"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
	"roclua/luabind/vm/script"
)

// TestHeldBytes compares the measured memory of scripts with the growth of Go's heap.
func TestHeldBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures the heap")
	}
	for _, test := range []struct{ name, source string }{
		{"numbers", `kept = {} for i = 1, 1e5 do kept[i] = i + 0.5 end`},
		{"short strings", `kept = {} for i = 1, 6e4 do kept[i] = "text number " .. i end`},
		{"long strings", `kept = {} for i = 1, 300 do kept[i] = ("x"):rep(2e4) .. i end`},
		{"tables", `kept = {} for i = 1, 4e4 do kept[i] = {} end`},
		{"lists", `kept = {} for i = 1, 1e4 do kept[i] = { i, i, i } end`},
		{"records", `kept = {} for i = 1, 1e4 do kept[i] = { x = i, y = i, z = i } end`},
		{"keys", `kept = {} for i = 1, 1e5 do kept["key " .. i] = true end`},
		{"removed keys", `kept = {} for i = 1, 1e5 do kept["key " .. i] = true end
			for i = 1, 1e5 do kept["key " .. i] = nil end`},
		{"tables as keys", `kept = {} for i = 1, 5e4 do kept[{}] = true end`},
		{"closures", `kept = {} for i = 1, 4e4 do kept[i] = function() return i end end`},
		{"coroutines", `kept = {} for i = 1, 600 do kept[i] = coroutine.create(function() end) end`},
		{"host values", `kept = {} for i = 1, 20 do kept[i] = buffer(8e5) end`},
		{"one string, often", `kept = {} local s = ("x"):rep(1e6) for i = 1, 1e5 do kept[i] = s end`},
		{"a chain", `for i = 1, 4e4 do kept = { kept } end`},
		{"functions of a string", `kept = {} for i = 1, 500 do
			kept[i] = loadstring("local a, b, c = 1, 2, 3 return function(x) return a + b * c + x end") end`},
	} {
		m, grown := machineAfter(t, test.source)
		held := m.HeldBytes()
		m.Close()
		if ratio := float64(held) / float64(grown); ratio < 0.5 || ratio > 2.5 {
			t.Errorf("%s: measured %d bytes, the heap grew by %d (%.2f)", test.name, held, grown, ratio)
		} else {
			t.Logf("%s: %.2f of %d bytes", test.name, ratio, grown)
		}
	}
}

// TestTextIsMadeOnce checks that functions allocate the text that they return and no copies of it, since its size is
// all that they reserve.
func TestTextIsMadeOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures the heap")
	}
	const size = 8 << 20
	for _, call := range []string{`s:upper()`, `s:lower()`, `s:reverse()`, `("ab"):rep(2^22)`,
		`table.concat(list)`, `table.concat(list, ("-"):rep(1000))`, `table.concat({ s, 1 })`} {
		source := `s, list = ("x"):rep(2^23), {} for i = 1, 2^10 do list[i] = ("y"):rep(2^13) end
			function f() return ` + call + ` end`
		m, _ := machineAfter(t, source)
		_, before := vm.ProcessHeap()
		if err := m.Call(m.State().GetGlobal("f").(*lua.LFunction)); err != nil {
			t.Fatal(err)
		}
		_, after := vm.ProcessHeap()
		if made := after - before; made < size || made > size+size/4 {
			t.Errorf("%s allocates %d bytes", call, made)
		}
		m.Close()
	}
}

// buffer is a host value with memory outside of Lua.
type buffer []byte

func (b buffer) HostSize() (uint64, *byte) { return uint64(cap(b)), &b[0] }

// machineAfter runs a script and returns its machine, and the growth of the heap since before there was one.
func machineAfter(t testing.TB, source string) (m *vm.Machine, grown uint64) {
	t.Helper()
	heap := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC() // sweeps the garbage that the first call found
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before := heap()
	m = vm.New(context.Background(), vm.Options{})
	lualib.Open(m, lualib.Options{})
	m.NewType("buffer", nil)
	m.State().SetGlobal("buffer", m.Function("buffer", func(l *lua.LState) int {
		l.Push(m.Object("buffer", make(buffer, l.CheckInt(1))))
		return 1
	}))
	file, err := script.Compile("kept.lua", []byte(source))
	if err == nil {
		_, err = m.Run(file, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m, heap() - before
}

// BenchmarkHeldBytes measures a million tables.
func BenchmarkHeldBytes(b *testing.B) {
	m, _ := machineAfter(b, `kept = {} for i = 1, 1e6 do kept[i] = {} end`)
	defer m.Close()
	for b.Loop() {
		m.HeldBytes()
	}
}
