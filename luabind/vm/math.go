package vm

import (
	"math"
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// openMath adds the math library.
func (b baseLibrary) openMath(lib *lua.LTable) {
	lib.RawSetString("pi", lua.LNumber(math.Pi))
	lib.RawSetString("huge", lua.LNumber(math.Inf(1)))
	for _, f := range mathFunctions() {
		lib.RawSetString(f.name, b.m.lua.NewFunction(f.call))
	}
	b.openRandom(lib)
}

// mathFunctions returns the functions of the math library that all machines share: gopher-lua's, and our own where they
// differ from Lua 5.1. All read strings as Lua 5.1 does.
var mathFunctions = sync.OnceValue(func() (list []function) {
	for name, call := range original()["math"] {
		switch name {
		case "random", "randomseed": // see openRandom
			continue
		case "modf":
			call = modf
		case "mod":
			call = original()["math"]["fmod"]
		}
		list = append(list, function{name, withNumbers(call)})
	}
	return list
})

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
