package lualib

import (
	"maps"
	"math"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/internal/convert"
	"roclua/luabind/vm/internal/original"
)

// mathFields returns the functions and constants of the math library without random numbers: gopher-lua's, and our own
// where they differ from Lua 5.1. All read strings as Lua 5.1 does.
func mathFields() []field {
	fields := []field{constant("pi", lua.LNumber(math.Pi)), constant("huge", lua.LNumber(math.Inf(1)))}
	functions := original.Functions()["math"]
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		call := functions[name]
		switch name {
		case "random", "randomseed": // see randomFields
			continue
		case "modf":
			call = modf
		case "mod":
			call = functions["fmod"]
		}
		fields = append(fields, plain(name, withNumbers(call)))
	}
	return fields
}

// withNumbers returns a function that turns strings into numbers before it calls another one.
func withNumbers(call lua.LGFunction) lua.LGFunction {
	return func(l *lua.LState) int {
		for i := 1; i <= l.GetTop(); i++ {
			if text, ok := l.Get(i).(lua.LString); ok {
				n, ok := convert.Parse(string(text))
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
	f := convert.NumberArg(l, 1)
	whole, fraction := math.Modf(f)
	if math.IsInf(f, 0) {
		fraction = math.Copysign(0, f)
	}
	return vm.Push(l, lua.LNumber(whole), lua.LNumber(fraction))
}
