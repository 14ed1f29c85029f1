package vm

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
	"roclua/luabind/vm/internal/original"
	"roclua/luabind/vm/script"
)

// maxResumed is the maximum depth of coroutines that resume each other. Each takes Go stack.
const maxResumed = 190

// Registers of a new coroutine, and the growth of their number.
const (
	coroutineRegisters = 256
	coroutineGrowth    = 4096
)

// coroutines counts the coroutines of a machine and bounds the depth of resumes. Resume and yield raise errors where
// gopher-lua's state would become corrupt.
type coroutines struct {
	resumed  int // coroutines that have resumed one another
	bodyCode *lua.FunctionProto
	start    *lua.LFunction // the first function that a coroutine calls; nil before there is one
}

// CreateCoroutine makes a coroutine of the first argument of the function that l runs, and pushes it.
func (m *Machine) CreateCoroutine(l *lua.LState) int {
	fn := l.CheckFunction(1)
	if fn.IsG {
		m.Raisef(l, "coroutine.create: got a function of the host, want one of the script")
	}
	// A thread inherits the options and the context. As a child of our context it would never be canceled.
	options, context := l.Options, l.RemoveContext()
	l.Options.RegistrySize, l.Options.RegistryGrowStep = coroutineRegisters, coroutineGrowth
	l.Insert(m.coroutineBody(l, fn), 1)
	original.Functions()["coroutine"]["create"](l)
	l.Options = options
	l.SetContext(context)
	thread := l.Get(-1).(*lua.LState)
	m.adopt(thread)
	thread.Push(l.Get(1)) // where measure finds it
	return 1
}

// coroutineBody returns the function that a coroutine runs: one that calls fn. gopher-lua cannot yield in a tail call
// that the function of a coroutine makes. The compiler makes the call in the body a tail call; its instruction is
// replaced.
func (m *Machine) coroutineBody(l *lua.LState, fn *lua.LFunction) *lua.LFunction {
	c := &m.coroutines
	if c.bodyCode == nil {
		// Tracebacks name the function of the coroutine like the variable.
		const source = "local start, coroutine return function(...) start() return coroutine(...) end"
		body, err := script.Compile(internalSource, []byte(source))
		if err != nil {
			panic(err)
		}
		c.bodyCode = body.Proto.FunctionPrototypes[0]
		layout.ReplaceOpcode(c.bodyCode, lua.OP_TAILCALL, lua.OP_CALL)
		c.start = m.lua.NewFunction(func(l *lua.LState) int {
			l.Panic = m.onPanic
			return 0
		})
	}
	body := l.NewFunctionFromProto(c.bodyCode)
	body.Upvalues = l.NewClosure(nil, c.start, fn).Upvalues
	return body
}

// ResumeCoroutine continues a coroutine, which is the first argument of the function that l runs. It pushes true and
// the values that the coroutine yields or returns, or false and an error. It returns the number of pushed values.
func (m *Machine) ResumeCoroutine(l, thread *lua.LState) int {
	if status := CoroutineStatus(l, thread); status != "suspended" {
		return Push(l, lua.LFalse, lua.LString("cannot resume "+status+" coroutine"))
	}
	c := &m.coroutines
	if c.resumed >= maxResumed {
		m.Raisef(l, "coroutine: more than %d coroutines resume one another", maxResumed)
	}
	c.resumed++
	defer func() { c.resumed-- }()
	counterOf(thread).below = m.depth(l)
	results := original.Functions()["coroutine"]["resume"](l)
	m.caught() // gopher-lua recovers errors of the coroutine
	return results
}

// YieldCoroutine makes the coroutine l yield its arguments, as coroutine.yield does.
func (m *Machine) YieldCoroutine(l *lua.LState) int {
	switch {
	case l.Parent == nil:
		l.RaiseError("attempt to yield from outside a coroutine")
	case !layout.Yieldable(l):
		l.RaiseError("attempt to yield across a metamethod or a function of the host")
	}
	return original.Functions()["coroutine"]["yield"](l)
}

// CoroutineStatus returns the status of a coroutine as Lua code that l runs sees it.
func CoroutineStatus(l, thread *lua.LState) string {
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
