package vm

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
)

// maxResumed is how many coroutines may have resumed one another at a time. Each takes Go stack.
const maxResumed = 190

// coroutines makes the coroutine library safe: coroutines are counted by the meter, the depth of resumes is bounded,
// and yield raises an error where gopher-lua cannot yield.
type coroutines struct {
	m       *Machine
	resumed int // coroutines that have resumed one another
}

func (c *coroutines) open(lib *lua.LTable) {
	create, wrap := libraryFunction(lib, "create"), libraryFunction(lib, "wrap")
	resume, yield := libraryFunction(lib, "resume"), libraryFunction(lib, "yield")
	lib.RawSetString("create", c.m.Function("coroutine.create", func(l *lua.LState) int {
		n := c.withoutContext(l, create)
		c.adopt(l.Get(-1).(*lua.LState), l.CheckFunction(1))
		return n
	}))
	lib.RawSetString("wrap", c.m.Function("coroutine.wrap", func(l *lua.LState) int {
		fn := l.CheckFunction(1)
		n := c.withoutContext(l, wrap)
		wrapped := l.Get(-1).(*lua.LFunction)
		c.adopt(wrapped.Upvalues[0].Value().(*lua.LState), fn)
		wrapped.GFunction = c.bounded(wrapped.GFunction)
		return n
	}))
	lib.RawSetString("resume", c.m.lua.NewFunction(c.bounded(resume)))
	lib.RawSetString("yield", c.m.lua.NewFunction(func(l *lua.LState) int {
		if !layout.Yieldable(l) {
			c.m.Raisef(l, "coroutine.yield: cannot yield across a Go function or a metamethod")
		}
		return yield(l)
	}))
}

// withoutContext makes a coroutine that inherits no context. It would be a child of ours that is never canceled.
func (c *coroutines) withoutContext(l *lua.LState, create lua.LGFunction) int {
	before := l.RemoveContext()
	defer l.SetContext(before)
	return create(l)
}

// adopt makes the meter count a new coroutine. Its function is put in its registers, where measure finds it.
func (c *coroutines) adopt(l *lua.LState, fn *lua.LFunction) {
	l.SetContext(&thread{c.m.meter, l})
	l.Push(fn)
}

func (c *coroutines) bounded(resume lua.LGFunction) lua.LGFunction {
	return func(l *lua.LState) int {
		if c.resumed >= maxResumed {
			c.m.Raisef(l, "coroutine: more than %d coroutines resume one another", maxResumed)
		}
		c.resumed++
		defer func() { c.resumed-- }()
		return resume(l)
	}
}

func libraryFunction(lib *lua.LTable, name string) lua.LGFunction {
	return lib.RawGetString(name).(*lua.LFunction).GFunction
}
