package luabind

import (
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/nearest"
)

// openStandard opens the part of Lua's library that touches nothing outside the case, and puts its own in place of
// what must follow the case: print, require, random numbers, the environment. The level full opens the rest as well.
func (s *State) openStandard() {
	full := s.sandbox() == SandboxFull
	g := s.lua.G.Global
	if full {
		s.openFull(g)
	}
	s.openLibrary(lua.BaseLibName, lua.OpenBase)
	s.openLibrary(lua.TabLibName, lua.OpenTable)
	s.openLibrary(lua.StringLibName, lua.OpenString)
	s.openLibrary(lua.MathLibName, lua.OpenMath)
	s.openLibrary(lua.CoroutineLibName, lua.OpenCoroutine)
	s.luaRequire = libraryFunction(g, "require")
	s.openBase(g, full)
	s.openStrings(g.RawGetString("string").(*lua.LTable))
	s.openTables(g.RawGetString("table").(*lua.LTable))
	s.openCoroutines(g.RawGetString("coroutine").(*lua.LTable))
	s.openRandom(g.RawGetString("math").(*lua.LTable))
	s.loaded = map[string]lua.LValue{}
}

func (s *State) openLibrary(name string, open lua.LGFunction) {
	s.lua.Push(s.lua.NewFunction(open))
	s.lua.Push(lua.LString(name))
	s.lua.Call(1, 0)
}

// unsafeFunctions are the base functions that no sandbox has: they reach files, other functions' variables, or the machine itself.
var unsafeFunctions = []string{"dofile", "loadfile", "module", "newproxy", "_printregs", "_GOPHER_LUA_VERSION", "getfenv", "setfenv"}

// openBase puts our own functions among the base functions.
func (s *State) openBase(g *lua.LTable, full bool) {
	if !full {
		for _, name := range unsafeFunctions {
			g.RawSetString(name, lua.LNil)
		}
		s.openLoad(g)
	}
	if s.sandbox() == SandboxProject {
		s.openFiles(g)
	}
	rawset := libraryFunction(g, "rawset")
	for name, fn := range map[string]lua.LGFunction{"print": s.print, "require": s.require, "collectgarbage": noGarbage,
		"rawset": func(l *lua.LState) int {
			s.grow(l, l.CheckTable(1), l.Get(2))
			return rawset(l)
		}} {
		g.RawSetString(name, s.function(name, fn))
	}
	s.merge(g, "os", s.openOS())
	s.merge(g, "io", s.openIO())
	g.RawSetString("arg", s.arguments())
}

// noGarbage is collectgarbage: Go collects by itself.
func noGarbage(l *lua.LState) int {
	l.Push(lua.LNumber(0))
	return 1
}

func (s *State) arguments() *lua.LTable {
	t := s.lua.NewTable()
	for _, a := range s.opts.Args {
		t.Append(lua.LString(a))
	}
	return t
}

func (s *State) print(l *lua.LState) int {
	parts := make([]string, l.GetTop())
	for i := range parts {
		parts[i] = l.ToStringMeta(l.Get(i + 1)).String()
	}
	s.write(l, strings.Join(parts, "\t")+"\n")
	return 0
}

// write prints a text, up to the limit of output.
func (s *State) write(l *lua.LState, text string) {
	if limit := s.limits.Output; limit > 0 && s.printed+uint64(len(text)) > limit {
		io.WriteString(s.opts.Output, text[:limit-min(s.printed, limit)])
	} else {
		io.WriteString(s.opts.Output, text)
	}
	s.charge(l, 0, text)
}

func (s *State) openIO() *lua.LTable {
	t := s.lua.NewTable()
	t.RawSetString("write", s.function("io.write", func(l *lua.LState) int {
		for i := 1; i <= l.GetTop(); i++ {
			s.write(l, l.ToStringMeta(l.Get(i)).String())
		}
		return 0
	}))
	return t
}

// openOS gives time, and the case's own environment: setenv sets a variable for this case alone, and handles created
// after it see it; a nil value takes it away.
func (s *State) openOS() *lua.LTable {
	t, start := s.lua.NewTable(), time.Now()
	functions := map[string]func(*lua.LState) int{
		"time":  func(l *lua.LState) int { l.Push(lua.LNumber(time.Now().Unix())); return 1 },
		"clock": func(l *lua.LState) int { l.Push(lua.LNumber(time.Since(start).Seconds())); return 1 },
		"getenv": func(l *lua.LState) int {
			if value, set := s.getenv(l.CheckString(1)); set {
				l.Push(lua.LString(value))
			} else {
				l.Push(lua.LNil)
			}
			return 1
		},
		"setenv": func(l *lua.LState) int {
			name := l.CheckString(1)
			switch v := l.Get(2).(type) {
			case *lua.LNilType:
				delete(s.env, name)
			case lua.LString, lua.LNumber:
				s.env[name] = v.String()
			default:
				s.usage(l, "os.setenv: value: got %s, want a string, a number or nil", describe(v))
			}
			return 0
		},
	}
	for name, fn := range functions {
		t.RawSetString(name, s.function("os."+name, fn))
	}
	return t
}

// openRandom makes math.random follow the case's seed; gopher-lua's own shares one generator that seeding does not reach.
func (s *State) openRandom(math *lua.LTable) {
	math.RawSetString("random", s.function("math.random", s.randomNumber))
	math.RawSetString("randomseed", s.function("math.randomseed", func(l *lua.LState) int {
		s.random = newRandom(uint64(int64(l.CheckNumber(1))))
		return 0
	}))
}

func (s *State) randomNumber(l *lua.LState) int {
	low, high := int64(1), int64(0)
	c := &call{s: s, l: l, fn: &binding{module: "math", name: "random"}, next: 1}
	switch l.GetTop() {
	case 0:
		l.Push(lua.LNumber(s.random.Float64()))
		return 1
	case 1:
		high = c.integer("upper bound", 1, maxExact)
	default:
		low = c.integer("lower bound", -maxExact, maxExact)
		high = c.integer("upper bound", low, math.MaxInt64)
	}
	l.Push(lua.LNumber(low + s.random.Int64N(high-low+1)))
	return 1
}

// require gives the built-in modules, and files name.lua of the library folders, each loaded once.
func (s *State) require(l *lua.LState) int {
	name := l.CheckString(1)
	if v, ok := s.loaded[name]; ok {
		l.Push(v)
		return 1
	}
	v := s.builtin(name)
	if v == nil {
		v = s.requireFile(l, name)
	}
	s.loaded[name] = v
	l.Push(v)
	return 1
}

var builtins = []string{"array", "hip", "rocblas", "rocsolver"}

func (s *State) builtin(name string) lua.LValue {
	switch name {
	case "rocblas":
		return s.rocblas().table
	case "rocsolver":
		return s.rocsolver().table
	case "hip":
		return s.hip().table
	case "array":
		return s.array()
	}
	return nil
}

// requireFile loads a module's file. Only plain names lead into the library folders: no dots that climb, no slashes.
func (s *State) requireFile(l *lua.LState, name string) lua.LValue {
	if name == "" || strings.ContainsAny(name, `/\`) || slices.Contains(strings.Split(name, "."), "") {
		s.usage(l, "require: %q is no module name; use names such as \"lib.solve\"", name)
	}
	file := strings.ReplaceAll(name, ".", string(filepath.Separator)) + ".lua"
	script, err := s.find(file)
	var broken *Error
	switch {
	case errors.As(err, &broken):
		s.raise(l, err)
	case err != nil:
		s.usage(l, "require: module %q: %s", name, err)
	case script == nil && s.sandbox() == SandboxFull:
		s.luaRequire(l)
		return l.Get(-1)
	case script == nil:
		s.usage(l, "require: no module %q%s; looked for %s in %s", name, nearest.DidYouMean(name, builtins), file, folders(s.libraryFolders()))
	}
	l.Push(l.NewFunctionFromProto(script.proto))
	l.Call(0, 1)
	v := l.Get(-1)
	l.Pop(1)
	if v.Type() == lua.LTNil {
		v = lua.LTrue
	}
	return v
}
