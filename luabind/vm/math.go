package vm

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// openMath adds the math library: gopher-lua's functions, which read strings as Lua 5.1 does, and our own where they
// differ from Lua 5.1.
func (b baseLibrary) openMath(lib *lua.LTable) {
	lib.RawSetString("pi", lua.LNumber(math.Pi))
	lib.RawSetString("huge", lua.LNumber(math.Inf(1)))
	for name, call := range original()["math"] {
		switch name {
		case "random", "randomseed": // see openRandom
			continue
		case "modf":
			call = modf
		case "mod":
			call = original()["math"]["fmod"]
		}
		lib.RawSetString(name, b.m.lua.NewFunction(withNumbers(call)))
	}
	b.openRandom(lib)
}

// withNumbers returns a function that turns strings into numbers before it calls another one.
func withNumbers(call lua.LGFunction) lua.LGFunction {
	return func(l *lua.LState) int {
		for i := 1; i <= l.GetTop(); i++ {
			if text, ok := l.Get(i).(lua.LString); ok {
				n, ok := parseNumber(string(text))
				if !ok {
					l.TypeError(i, lua.LTNumber)
				}
				l.Replace(i, n)
			}
		}
		return call(l)
	}
}

// modf is math.modf(x).
func modf(l *lua.LState) int {
	f := numberArg(l, 1)
	whole, fraction := math.Modf(f)
	if math.IsInf(f, 0) {
		fraction = math.Copysign(0, f)
	}
	l.Push(lua.LNumber(whole))
	l.Push(lua.LNumber(fraction))
	return 2
}
