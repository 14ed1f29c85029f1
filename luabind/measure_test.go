package luabind

import (
	"context"
	"io"
	"runtime"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/workspace"
)

// TestMeasure holds the measure of what a script keeps against what Go's heap grew by.
func TestMeasure(t *testing.T) {
	for _, test := range []struct{ name, source string }{
		{"numbers", `kept = {} for i = 1, 5e5 do kept[i] = i + 0.5 end`},
		{"short texts", `kept = {} for i = 1, 3e5 do kept[i] = "text number " .. i end`},
		{"long texts", `kept = {} for i = 1, 1000 do kept[i] = ("x"):rep(2e4) .. i end`},
		{"tables", `kept = {} for i = 1, 2e5 do kept[i] = {} end`},
		{"lists", `kept = {} for i = 1, 3e4 do kept[i] = { i, i, i } end`},
		{"records", `kept = {} for i = 1, 1e4 do kept[i] = { x = i, y = i, z = i } end`},
		{"keys", `kept = {} for i = 1, 1e5 do kept["key " .. i] = true end`},
		{"keys that were removed", `kept = {} for i = 1, 1e5 do kept["key " .. i] = true end for i = 1, 1e5 do kept["key " .. i] = nil end`},
		{"tables as keys", `kept = {} for i = 1, 5e4 do kept[{}] = true end`},
		{"closures", `kept = {} for i = 1, 2e5 do kept[i] = function() return i end end`},
		{"coroutines", `kept = {} for i = 1, 60 do kept[i] = coroutine.create(function() end) end`},
		{"host arrays", `kept = {} for i = 1, 20 do kept[i] = require("array").zeros("d", 1e5) end`},
		{"one text, often", `kept = {} local s = ("x"):rep(1e6) for i = 1, 3e5 do kept[i] = s end`},
		{"a chain", `for i = 1, 2e5 do kept = { kept } end`},
		{"functions of a text", `kept = {} for i = 1, 2000 do kept[i] = loadstring("local a, b, c = 1, 2, 3 return function(x) return a + b * c + x end") end`},
	} {
		s, grown := stateAfter(t, test.source)
		own := s.measure()
		s.close()
		if ratio := float64(own) / float64(grown); ratio < 0.5 || ratio > 2.5 {
			t.Errorf("%s: measured %d bytes, the heap grew by %d (%.2f)", test.name, own, grown, ratio)
		} else {
			t.Logf("%s: %.2f of %d bytes", test.name, ratio, grown)
		}
	}
}

// stateAfter runs a script and returns its state, and what the heap grew by since before there was one.
func stateAfter(t testing.TB, source string) (s *State, grown uint64) {
	t.Helper()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what the first one found is swept now
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	s = newState(context.Background(), 1, Options{Output: io.Discard, Profile: workspace.Profiles()[0]})
	script, err := Compile("kept.lua", []byte(source))
	if err == nil {
		_, err = s.load(script)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, heap() - before
}

// BenchmarkMeasure measures a million tables.
func BenchmarkMeasure(b *testing.B) {
	s, _ := stateAfter(b, `kept = {} for i = 1, 1e6 do kept[i] = {} end`)
	defer s.close()
	for b.Loop() {
		s.measure()
	}
}

// TestLayoutOfTheMachine holds what machine.go reads against what the library shows.
func TestLayoutOfTheMachine(t *testing.T) {
	s, _ := stateAfter(t, `local a, b = "left", "right" kept = { 1, 2, 3, x = 1, [{}] = 2 } kept.x = nil`)
	defer s.close()
	kept := s.lua.G.Global.RawGetString("kept").(*lua.LTable)
	if n := len(*arrayOfTable(kept)); n != 3 {
		t.Errorf("an array of %d", n)
	}
	if len(keysOfTable(kept)) != 2 || len(textKeyed(kept)) != 0 || len(otherKeyed(kept)) != 1 {
		t.Errorf("keys %v, texts %v, others %v", keysOfTable(kept), textKeyed(kept), otherKeyed(kept))
	}
	if len(registersOf(s.lua)) < registrySize {
		t.Errorf("%d registers", len(registersOf(s.lua)))
	}
}
