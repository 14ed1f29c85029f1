package lualib

import (
	"math"
	"math/rand/v2"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
)

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// Random returns the generator behind math.random.
func (lib *Library) Random() *rand.Rand { return lib.random }

func libraryOf(lib *Library) *Library { return lib }

// randomFields returns math.random and math.randomseed. gopher-lua's use one generator for all states, without the
// seed.
func randomFields() []field {
	type function = method[*Library]
	return methods("math", libraryOf, function{"random", (*Library).randomNumber},
		function{"randomseed", func(lib *Library, l *lua.LState) int {
			lib.random = newRandom(uint64(int64(l.CheckNumber(1))))
			return 0
		}})
}

func (lib *Library) randomNumber(l *lua.LState) int {
	bound := func(i int, name string, low, high int64) int64 {
		n, err := vm.IntegerBetween(l.Get(i), low, high)
		if err != nil {
			lib.m.Raisef(l, "math.random: %s: %w", name, err)
		}
		return n
	}
	low, high := int64(1), int64(0)
	switch l.GetTop() {
	case 0:
		return vm.Push(l, lua.LNumber(lib.random.Float64()))
	case 1:
		high = bound(1, "upper bound", 1, vm.MaxExact)
	default:
		low = bound(1, "lower bound", -vm.MaxExact, vm.MaxExact)
		high = bound(2, "upper bound", low, math.MaxInt64)
	}
	return vm.Push(l, lua.LNumber(low+lib.random.Int64N(high-low+1)))
}
