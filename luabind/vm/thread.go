package vm

import (
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
)

// thread is the meter as the context of one Lua thread.
type thread struct {
	*Meter
	l     *lua.LState
	below int // calls of the threads that resumed this one
}

// Done is called before every instruction. It raises an error if calls are nested too deep, before gopher-lua panics.
// Memory that the instruction allocates is reserved first, if it can be much.
func (t *thread) Done() <-chan struct{} {
	t.executed++
	if t.executed >= t.due.Load() && t.check(t.l) {
		return t.done
	}
	opcode, depth := layout.Fetched(t.l)
	if t.below+depth >= maxDepth {
		t.l.RaiseError("stack overflow")
	}
	if watched[opcode] {
		instruction, frame := layout.Next(t.l)
		t.prepare(t.l, instruction, frame)
	}
	return nil
}

// Err returns the error that the interpreter raises.
func (t *thread) Err() error { return t.machine.Ended() }

// Deadline and Value complete the interface of a context.
func (t *thread) Deadline() (time.Time, bool) { return t.ctx.Deadline() }
func (t *thread) Value(key any) any           { return t.ctx.Value(key) }

// adopt makes the meter count a thread.
func (m *Machine) adopt(l *lua.LState) { l.SetContext(&thread{m.meter, l, 0}) }

// depth returns the number of active calls in a thread and in the threads that resumed it, without the current call.
func (m *Machine) depth(l *lua.LState) int { return counterOf(l).below + layout.Depth(l) }

// counterOf returns the counter of a thread.
func counterOf(l *lua.LState) *thread { return l.Context().(*thread) }
