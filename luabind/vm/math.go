package vm

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// openMath replaces what differs from Lua 5.1 in the math library.
func (b baseLibrary) openMath(lib *lua.LTable) {
	lib.RawSetString("huge", lua.LNumber(math.Inf(1)))
	lib.RawSetString("modf", b.m.Function("math.modf", func(l *lua.LState) int {
		f := numberArg(l, 1)
		whole, fraction := math.Modf(f)
		if math.IsInf(f, 0) {
			fraction = math.Copysign(0, f)
		}
		l.Push(lua.LNumber(whole))
		l.Push(lua.LNumber(fraction))
		return 2
	}))
	lib.RawSetString("mod", lib.RawGetString("fmod"))
	lib.ForEach(func(name, v lua.LValue) {
		fn, ok := v.(*lua.LFunction)
		if !ok {
			return
		}
		original := fn.GFunction
		lib.RawSet(name, b.m.lua.NewFunction(func(l *lua.LState) int {
			for i := 1; i <= l.GetTop(); i++ {
				if text, ok := l.Get(i).(lua.LString); ok {
					n, ok := parseNumber(string(text))
					if !ok {
						l.TypeError(i, lua.LTNumber)
					}
					l.Replace(i, n)
				}
			}
			return original(l)
		}))
	})
	b.openRandom(lib)
}
