package luabind

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// meter counts the instructions of a case, over all its coroutines, and looks at its limits.
//
// The machine asks its context whether it is done before every instruction. A meter is that context, so that counting costs an
// addition and a comparison, and nothing of the machine is changed.
type meter struct {
	state    *State
	ctx      context.Context
	done     <-chan struct{} // of ctx
	executed uint64
	limit    uint64        // of executed; 0 for none
	due      atomic.Uint64 // look when this many are executed; the watch over the heap sets it to 0
	heap     heapGauge
}

func newMeter(s *State) *meter {
	m := &meter{state: s, limit: s.limits.Instructions}
	m.heap.limit = s.limits.Heap
	m.schedule()
	return m
}

// schedule sets when to look next.
func (m *meter) schedule() {
	if m.limit == 0 {
		m.due.Store(math.MaxUint64)
	} else {
		m.due.Store(m.limit + 1)
	}
}

// look ends the case when it is over a limit. l is what runs.
func (m *meter) look(l *lua.LState) {
	if m.state.ended() != nil {
		return
	}
	if m.limit > 0 && m.executed > m.limit {
		m.state.exceed(l, limitInstructions, m.limit, m.executed)
	}
	m.schedule()
	if m.heap.alarm.Swap(false) {
		m.state.room(l, 0)
	}
}

// thread is the meter as the context of one coroutine.
type thread struct {
	*meter
	l *lua.LState
}

// Done is called before every instruction. What the instruction would allocate is asked for first, where that can be much.
func (t *thread) Done() <-chan struct{} {
	t.executed++
	if t.executed >= t.due.Load() {
		t.look(t.l)
	}
	if instruction, frame := nextInstruction(t.l); heavy[instruction>>opcodeShift] {
		t.weigh(t.l, instruction, frame)
	}
	return t.done
}

// Err is what pcall sees of the end of a case.
func (t *thread) Err() error { return t.state.ended() }

func (t *thread) Deadline() (time.Time, bool) { return t.ctx.Deadline() }
func (t *thread) Value(key any) any           { return t.ctx.Value(key) }

// weigh asks for the memory of one instruction: a concatenation, or a number as key that makes a table's array grow.
func (m *meter) weigh(l *lua.LState, instruction uint32, f frame) {
	registers := registersOf(l)[f.base:]
	bytes := uint64(0)
	switch int(instruction >> opcodeShift) {
	case lua.OP_CONCAT:
		for _, v := range registers[argB(instruction) : argC(instruction)+1] {
			if text, ok := v.(lua.LString); ok {
				bytes += uint64(len(text))
			}
		}
	case lua.OP_SETTABLE:
		table, _ := registers[argA(instruction)].(*lua.LTable)
		bytes = growth(table, f.value(registers, argB(instruction)))
	}
	if bytes >= largeAllocation {
		m.state.room(l, bytes)
	}
}

// growth returns the bytes by which the array of a table grows when a key is set.
func growth(table *lua.LTable, key lua.LValue) uint64 {
	n, ok := key.(lua.LNumber)
	if table == nil || !ok || n < 1 || n >= lua.LNumber(lua.MaxArrayIndex) {
		return 0
	}
	have := len(*arrayOfTable(table))
	if int(n) <= have {
		return 0
	}
	return uint64(int(n)-have) * valueBytes
}

// openCoroutines makes coroutines run under the meter, and bounds how deep they may stand in each other: each level is Go stack.
func (s *State) openCoroutines(lib *lua.LTable) {
	create, resume, wrap := libraryFunction(lib, "create"), libraryFunction(lib, "resume"), libraryFunction(lib, "wrap")
	lib.RawSetString("create", s.function("coroutine.create", func(l *lua.LState) int {
		n := s.withoutContext(l, create)
		s.adopt(l.Get(-1).(*lua.LState), l.CheckFunction(1))
		return n
	}))
	lib.RawSetString("wrap", s.function("coroutine.wrap", func(l *lua.LState) int {
		fn := l.CheckFunction(1)
		n := s.withoutContext(l, wrap)
		wrapped := l.Get(-1).(*lua.LFunction)
		s.adopt(wrapped.Upvalues[0].Value().(*lua.LState), fn)
		wrapped.GFunction = s.nested(wrapped.GFunction)
		return n
	}))
	lib.RawSetString("resume", s.lua.NewFunction(s.nested(resume)))
	yield := libraryFunction(lib, "yield")
	lib.RawSetString("yield", s.lua.NewFunction(func(l *lua.LState) int {
		if !yieldable(l) {
			s.usage(l, "coroutine.yield: a Go function or a metamethod stands between here and the coroutine's beginning, and cannot be left")
		}
		return yield(l)
	}))
}

func libraryFunction(lib *lua.LTable, name string) lua.LGFunction {
	return lib.RawGetString(name).(*lua.LFunction).GFunction
}

// withoutContext makes a coroutine that inherits no context, which would be a child of ours that nobody ends.
func (s *State) withoutContext(l *lua.LState, make lua.LGFunction) int {
	before := l.RemoveContext()
	defer l.SetContext(before)
	return make(l)
}

// adopt puts a new coroutine under the meter. Its function lies in its registers from now on, where it is found when memory
// is measured.
func (s *State) adopt(l *lua.LState, fn *lua.LFunction) {
	l.SetContext(&thread{s.meter, l})
	l.Push(fn)
}

const maxNesting = 190 // coroutines that stand in each other

func (s *State) nested(resume lua.LGFunction) lua.LGFunction {
	return func(l *lua.LState) int {
		if s.nesting >= maxNesting {
			s.usage(l, "coroutine: %d coroutines stand in each other, and no more may", maxNesting)
		}
		s.nesting++
		defer func() { s.nesting-- }()
		return resume(l)
	}
}
