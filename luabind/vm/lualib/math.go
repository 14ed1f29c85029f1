package lualib

import (
	"maps"
	"math"
	"math/rand/v2"
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

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// Random returns the generator behind math.random.
func (lib *Library) Random() *rand.Rand { return lib.random }

// randomFields returns math.random and math.randomseed. gopher-lua's use one generator for all states, without the
// seed.
func randomFields() []field {
	return methods("math", method{"random", (*Library).randomNumber},
		method{"randomseed", func(lib *Library, l *lua.LState) int {
			lib.random = newRandom(uint64(int64(l.CheckNumber(1))))
			return 0
		}})
}

// randomNumber is math.random([low,] [high]). Fractions of the bounds are cut off.
func (lib *Library) randomNumber(l *lua.LState) int {
	low, high, top := 1, 0, l.GetTop()
	switch top {
	case 0:
		return vm.Push(l, lua.LNumber(lib.random.Float64()))
	case 1:
		high = convert.IntegerArg(l, 1)
	case 2:
		low, high = convert.IntegerArg(l, 1), convert.IntegerArg(l, 2)
	default:
		l.RaiseError("wrong number of arguments")
	}
	switch {
	case low > high:
		l.ArgError(top, "interval is empty")
	case low < -vm.MaxExact || high > vm.MaxExact:
		l.ArgError(top, "interval is beyond 2^53")
	}
	return vm.Push(l, lua.LNumber(low+lib.random.IntN(high-low+1)))
}
