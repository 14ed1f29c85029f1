package vm_test

import (
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
)

// BenchmarkProtected measures one protected call in a loop of a script. original is gopher-lua's pcall, which does not
// keep the variables of closures.
func BenchmarkProtected(b *testing.B) {
	for _, bench := range []struct{ name, call string }{
		{"call", `empty()`},
		{"pcall", `pcall(empty)`},
		{"pcall of gopher-lua", `original(empty)`},
		{"pcall of an error", `pcall(error, object)`},
		{"pcall of an error of gopher-lua", `original(error, object)`},
		{"pcall of an error, deep", `deep(50, object)`},
		{"xpcall", `xpcall(empty, handler)`},
		{"xpcall of an error", `xpcall(fails, handler)`},
		{"coroutine", `coroutine.resume(coroutine.create(empty))`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			m := newMachine(b, vm.Options{})
			defer m.Close()
			m.State().SetGlobal("original", m.State().NewFunction(originalPcall()))
			file := compile(b, `
				local original = original
				local object = {}
				local function empty() end
				local function fails() error(object) end
				local function handler(e) return e end
				local function deep(n, e) if n == 0 then return pcall(error, e) end return (deep(n - 1, e)) end
				function bench(n) for i = 1, n do `+bench.call+` end end`)
			if _, err := m.Run(file, 0); err != nil {
				b.Fatal(err)
			}
			bench := global(m, "bench")
			b.ReportAllocs()
			b.ResetTimer()
			if err := m.Call(bench, lua.LNumber(b.N)); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func originalPcall() lua.LGFunction {
	l := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer l.Close()
	lua.OpenBase(l)
	return l.GetGlobal("pcall").(*lua.LFunction).GFunction
}
