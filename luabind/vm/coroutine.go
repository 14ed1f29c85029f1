package vm

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
	"roclua/luabind/vm/script"
)

// maxResumed is how many coroutines may have resumed one another at a time. Each takes Go stack.
const maxResumed = 190

// Registers of a new coroutine, and by how many their number grows.
const (
	coroutineRegisters = 256
	coroutineGrowth    = 4096
)

// coroutines makes the coroutine library safe: coroutines are counted by the meter, the depth of resumes is bounded,
// and resume and yield raise errors where gopher-lua's state would become corrupt.
type coroutines struct {
	m        *Machine
	resumed  int // coroutines that have resumed one another
	bodyCode *lua.FunctionProto
	start    *lua.LFunction // the first that a coroutine calls; nil before there is one
}

func coroutineFields() []field {
	type function = method[*coroutines]
	guarded := methods("coroutine", func(m *Machine) *coroutines { return &m.standard.coroutines },
		function{"create", (*coroutines).create}, function{"wrap", (*coroutines).wrap},
		function{"status", (*coroutines).status}, function{"running", static[*coroutines](running)})
	return append(guarded, field{"resume", func(m *Machine) lua.LValue {
		c := &m.standard.coroutines
		return m.lua.NewFunction(func(l *lua.LState) int { return c.resume(l, l.CheckThread(1)) })
	}}, field{"yield", func(m *Machine) lua.LValue { return m.lua.NewFunction(m.standard.coroutines.yield) }})
}

// yield is coroutine.yield(...).
func (c *coroutines) yield(l *lua.LState) int {
	switch {
	case l.Parent == nil:
		c.m.Raisef(l, "coroutine.yield: no coroutine runs")
	case !layout.Yieldable(l):
		c.m.Raisef(l, "coroutine.yield: cannot yield across a Go function or a metamethod")
	}
	return original()["coroutine"]["yield"](l)
}

// create makes a coroutine of its argument and pushes it.
func (c *coroutines) create(l *lua.LState) int {
	fn := l.CheckFunction(1)
	if fn.IsG {
		c.m.Raisef(l, "coroutine.create: got a function of the host, want one of the script")
	}
	// A thread inherits the options and the context. As a child of our context it would never be canceled.
	options, context := l.Options, l.RemoveContext()
	l.Options.RegistrySize, l.Options.RegistryGrowStep = coroutineRegisters, coroutineGrowth
	l.Insert(c.body(l, fn), 1)
	original()["coroutine"]["create"](l)
	l.Options = options
	l.SetContext(context)
	thread := l.Get(-1).(*lua.LState)
	c.m.adopt(thread)
	thread.Push(l.Get(1)) // where measure finds it
	return 1
}

// internalSource is the name of the code that is part of every coroutine. Messages and tracebacks leave it out.
const internalSource = "(coroutine)"

// body returns the function that a coroutine runs: one that calls fn. gopher-lua cannot yield in a tail call that the
// function of a coroutine makes. The compiler makes the call in the body a tail call; its instruction is replaced.
func (c *coroutines) body(l *lua.LState, fn *lua.LFunction) *lua.LFunction {
	if c.bodyCode == nil {
		// Tracebacks name the function of the coroutine like the variable.
		const source = "local start, coroutine return function(...) start() return coroutine(...) end"
		body, err := script.Compile(internalSource, []byte(source))
		if err != nil {
			panic(err)
		}
		c.bodyCode = body.Proto.FunctionPrototypes[0]
		layout.ReplaceOpcode(c.bodyCode, lua.OP_TAILCALL, lua.OP_CALL)
		c.start = c.m.lua.NewFunction(func(l *lua.LState) int {
			l.Panic = c.m.raise
			return 0
		})
	}
	body := l.NewFunctionFromProto(c.bodyCode)
	body.Upvalues = l.NewClosure(nil, c.start, fn).Upvalues
	return body
}

// adopt makes the meter count a thread.
func (m *Machine) adopt(l *lua.LState) { l.SetContext(&thread{m.meter, l, 0}) }

// wrap makes a coroutine and pushes a function that resumes it. An error of the coroutine is raised again as it was. If
// it cannot be resumed, the error has the position of the caller.
// gopher-lua's function leaves its state behind as if the coroutine still ran.
func (c *coroutines) wrap(l *lua.LState) int {
	c.create(l)
	thread := l.Get(-1).(*lua.LState)
	l.Push(l.NewClosure(c.m.guard("coroutine.wrap", func(l *lua.LState) int {
		if status := c.statusOf(l, thread); status != "suspended" {
			l.Error(lua.LString(position(l, 1)+cannotResume(status)), 0)
		}
		l.Insert(thread, 1)
		n := c.resume(l, thread)
		if l.Get(-n) != lua.LTrue {
			l.Error(l.Get(-1), 0)
		}
		return n - 1
	}), thread))
	return 1
}

// resume continues a coroutine, which is the first argument of the function that l runs. It pushes true and what the
// coroutine yields or returns, or false and an error, and returns how many values these are.
func (c *coroutines) resume(l, thread *lua.LState) int {
	if status := c.statusOf(l, thread); status != "suspended" {
		l.Push(lua.LFalse)
		l.Push(lua.LString(cannotResume(status)))
		return 2
	}
	if c.resumed >= maxResumed {
		c.m.Raisef(l, "coroutine: more than %d coroutines resume one another", maxResumed)
	}
	c.resumed++
	defer func() { c.resumed-- }()
	counterOf(thread).below = c.m.depth(l)
	results := original()["coroutine"]["resume"](l)
	c.m.caught() // gopher-lua recovers errors of the coroutine
	return results
}

func cannotResume(status string) string { return "cannot resume " + status + " coroutine" }

// depth returns how many calls are active in a thread and those that resumed it, without the current call.
func (m *Machine) depth(l *lua.LState) int { return counterOf(l).below + layout.Depth(l) }

// counterOf returns what counts a thread.
func counterOf(l *lua.LState) *thread { return l.Context().(*thread) }

func (c *coroutines) status(l *lua.LState) int {
	l.Push(lua.LString(c.statusOf(l, l.CheckThread(1))))
	return 1
}

// statusOf returns the status of a coroutine as Lua code that l runs sees it.
func (c *coroutines) statusOf(l, thread *lua.LState) string {
	switch {
	case thread == l:
		return "running"
	case thread.Dead:
		return "dead"
	}
	for l = l.Parent; l != nil; l = l.Parent {
		if l == thread {
			return "normal"
		}
	}
	return "suspended"
}

// running pushes the coroutine that runs, or nil for the main program.
func running(l *lua.LState) int {
	if l.Parent == nil {
		l.Push(lua.LNil)
	} else {
		l.Push(l)
	}
	return 1
}
