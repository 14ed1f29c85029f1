package vm

import (
	"io"
	"math"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// openStandard opens Lua's library as the sandbox allows it, and replaces the functions that belong to a run (print,
// require, random numbers, the environment) or that may take long or allocate much.
func (m *Machine) openStandard() {
	g := m.lua.G.Global
	full := m.opts.Sandbox == SandboxFull
	if full {
		m.openFull(g)
	}
	m.openLibrary(lua.BaseLibName, lua.OpenBase)
	m.openLibrary(lua.TabLibName, lua.OpenTable)
	m.openLibrary(lua.StringLibName, lua.OpenString)
	m.openLibrary(lua.MathLibName, lua.OpenMath)
	m.openLibrary(lua.CoroutineLibName, lua.OpenCoroutine)
	if !full {
		for _, name := range unsafeFunctions {
			g.RawSetString(name, lua.LNil)
		}
		m.openLoad(g)
	}
	m.openProtected(g)
	m.loader.open(g)
	g.RawSetString("print", m.Function("print", m.print))
	g.RawSetString("collectgarbage", m.Function("collectgarbage", collectGarbage))
	g.RawSetString("arg", m.arguments())
	tables := &tableLibrary{m, m.meter}
	tables.openRawset(g)
	tables.open(libraryTable(g, "table"))
	(&stringLibrary{m, m.meter}).open(libraryTable(g, "string"))
	(&coroutines{m: m}).open(libraryTable(g, "coroutine"))
	(&system{m, time.Now()}).open(g)
	m.openRandom(libraryTable(g, "math"))
}

func (m *Machine) openLibrary(name string, open lua.LGFunction) {
	m.lua.Push(m.lua.NewFunction(open))
	m.lua.Push(lua.LString(name))
	m.lua.Call(1, 0)
}

func libraryTable(g *lua.LTable, name string) *lua.LTable { return g.RawGetString(name).(*lua.LTable) }

// collectGarbage does nothing, because Go collects garbage by itself.
func collectGarbage(l *lua.LState) int {
	l.Push(lua.LNumber(0))
	return 1
}

func (m *Machine) arguments() *lua.LTable {
	t := m.lua.NewTable()
	for _, a := range m.opts.Args {
		t.Append(lua.LString(a))
	}
	return t
}

func (m *Machine) print(l *lua.LState) int {
	m.Print(l)
	return 0
}

// Print prints the arguments of the Go function that l runs, as Lua's print does.
func (m *Machine) Print(l *lua.LState) {
	parts := make([]string, l.GetTop())
	for i := range parts {
		parts[i] = l.ToStringMeta(l.Get(i + 1)).String()
	}
	m.write(l, strings.Join(parts, "\t")+"\n")
}

// write prints text, up to the limit of output.
func (m *Machine) write(l *lua.LState, text string) {
	io.WriteString(m.opts.Output, m.meter.remainingOutput(text))
	m.meter.Charge(l, 0, text)
}

// openRandom replaces math.random. gopher-lua's uses one generator for all states, without the seed.
func (m *Machine) openRandom(lib *lua.LTable) {
	lib.RawSetString("random", m.Function("math.random", m.randomNumber))
	lib.RawSetString("randomseed", m.Function("math.randomseed", func(l *lua.LState) int {
		m.random = newRandom(uint64(int64(l.CheckNumber(1))))
		return 0
	}))
}

func (m *Machine) randomNumber(l *lua.LState) int {
	bound := func(i int, name string, low, high int64) int64 {
		n, err := IntegerBetween(l.Get(i), low, high)
		if err != nil {
			m.Raisef(l, "math.random: %s: %w", name, err)
		}
		return n
	}
	low, high := int64(1), int64(0)
	switch l.GetTop() {
	case 0:
		l.Push(lua.LNumber(m.random.Float64()))
		return 1
	case 1:
		high = bound(1, "upper bound", 1, MaxExact)
	default:
		low = bound(1, "lower bound", -MaxExact, MaxExact)
		high = bound(2, "upper bound", low, math.MaxInt64)
	}
	l.Push(lua.LNumber(low + m.random.Int64N(high-low+1)))
	return 1
}
