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
	full := m.opts.Sandbox == SandboxFull
	if full {
		b.openFull(g)
	}
	b.openLibrary(lua.BaseLibName, lua.OpenBase)
	b.openLibrary(lua.TabLibName, lua.OpenTable)
	b.openLibrary(lua.StringLibName, lua.OpenString)
	b.openLibrary(lua.MathLibName, lua.OpenMath)
	b.openLibrary(lua.CoroutineLibName, lua.OpenCoroutine)
	if !full {
		for _, name := range unsafeFunctions {
			g.RawSetString(name, lua.LNil)
		}
	}
	b.openLoad(g)
	b.openProtected(g)
	m.loader.open(g)
	g.RawSetString("print", m.Function("print", b.print))
	g.RawSetString("collectgarbage", m.Function("collectgarbage", collectGarbage))
	g.RawSetString("arg", b.arguments())
	b.openBase(g)
	(&tableLibrary{m, m.meter}).open(libraryTable(g, "table"))
	(&stringLibrary{m, m.meter}).open(libraryTable(g, "string"))
	(&coroutines{m: m}).open(libraryTable(g, "coroutine"))
	(&system{m, time.Now()}).open(g)
	b.openMath(libraryTable(g, "math"))
	b.openAbsent(g)
}

func (b baseLibrary) openLibrary(name string, open lua.LGFunction) {
	b.m.lua.Push(b.m.lua.NewFunction(open))
	b.m.lua.Push(lua.LString(name))
	b.m.lua.Call(1, 0)
}

func libraryTable(g *lua.LTable, name string) *lua.LTable { return g.RawGetString(name).(*lua.LTable) }

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
	lib.RawSetString("random", b.m.Function("math.random", b.randomNumber))
	lib.RawSetString("randomseed", b.m.Function("math.randomseed", func(l *lua.LState) int {
		b.m.random = newRandom(uint64(int64(l.CheckNumber(1))))
		return 0
	}))
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
