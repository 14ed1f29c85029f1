package vm

import (
	"io"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/convert"
)

// baseLibrary has the base functions and math.random.
type baseLibrary struct{ m *Machine }

func baseOf(m *Machine) baseLibrary { return baseLibrary{m} }

// collectGarbage does nothing, because Go collects garbage by itself.
func collectGarbage(l *lua.LState) int {
	l.Push(lua.LNumber(0))
	return 1
}

func (b baseLibrary) arguments() *lua.LTable {
	t := b.m.lua.CreateTable(0, 0)
	for _, a := range b.m.opts.Args {
		t.Append(lua.LString(a))
	}
	return t
}

func (b baseLibrary) print(l *lua.LState) int {
	b.m.Print(l)
	return 0
}

// Print prints the arguments of the Go function that l runs, as Lua's print does.
func (m *Machine) Print(l *lua.LState) {
	var line strings.Builder
	for i := 1; i <= l.GetTop(); i++ {
		if i > 1 {
			line.WriteByte('\t')
		}
		if text := convert.String(l, l.Get(i)); line.Len()+len(text) < largeAllocation {
			line.WriteString(text)
		} else { // do not make copies of long texts
			m.write(l, line.String())
			m.write(l, text)
			line.Reset()
		}
	}
	m.write(l, line.String()+"\n")
}

// write prints text, up to the limit of output.
func (m *Machine) write(l *lua.LState, text string) {
	io.WriteString(m.opts.Output, m.meter.remainingOutput(text))
	m.meter.Charge(l, 0, text)
}

// randomFields returns math.random and math.randomseed. gopher-lua's use one generator for all states, without the
// seed.
func randomFields() []field {
	type function = method[baseLibrary]
	return methods("math", baseOf, function{"random", baseLibrary.randomNumber},
		function{"randomseed", func(b baseLibrary, l *lua.LState) int {
			b.m.random = newRandom(uint64(int64(l.CheckNumber(1))))
			return 0
		}})
}

func (b baseLibrary) randomNumber(l *lua.LState) int {
	bound := func(i int, name string, low, high int64) int64 {
		n, err := IntegerBetween(l.Get(i), low, high)
		if err != nil {
			b.m.Raisef(l, "math.random: %s: %w", name, err)
		}
		return n
	}
	low, high := int64(1), int64(0)
	switch l.GetTop() {
	case 0:
		l.Push(lua.LNumber(b.m.random.Float64()))
		return 1
	case 1:
		high = bound(1, "upper bound", 1, MaxExact)
	default:
		low = bound(1, "lower bound", -MaxExact, MaxExact)
		high = bound(2, "upper bound", low, math.MaxInt64)
	}
	l.Push(lua.LNumber(low + b.m.random.Int64N(high-low+1)))
	return 1
}
