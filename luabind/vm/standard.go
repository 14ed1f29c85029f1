package vm

import (
	"io"
	"math"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// baseLibrary has the base functions and math.random, and opens the other libraries.
type baseLibrary struct{ m *Machine }

// open opens Lua's library as the sandbox allows it, and replaces the functions that belong to a run (print,
// require, random numbers, the environment) or that may take long or allocate much.
func (b baseLibrary) open() {
	m, g := b.m, b.m.lua.G.Global
	if m.opts.Sandbox == SandboxFull {
		b.openFull(g)
	}
	g.RawSetString("_G", g)
	g.RawSetString("_VERSION", lua.LString(lua.LuaVersion))
	g.RawSetString("arg", b.arguments())
	b.openBase(g)
	b.openLoad(g)
	b.openProtected(g)
	m.loader.open(g)
	(&tableLibrary{m, m.meter}).open(m.newLibrary("table", 12))
	(&stringLibrary{m, m.meter}).open(m.newLibrary("string", 16))
	(&coroutines{m: m}).open(m.newLibrary("coroutine", 6))
	(&system{m, time.Now()}).open()
	b.openMath(m.newLibrary("math", 32))
	b.openAbsent(g)
}

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
		if text := text(l, l.Get(i)); line.Len()+len(text) < largeAllocation {
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

// openRandom replaces math.random. gopher-lua's uses one generator for all states, without the seed.
func (b baseLibrary) openRandom(lib *lua.LTable) {
	b.m.addFunctions("math", lib, []function{{"random", b.randomNumber}, {"randomseed", func(l *lua.LState) int {
		b.m.random = newRandom(uint64(int64(l.CheckNumber(1))))
		return 0
	}}})
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
