package vm

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/internal/convert"
	"roclua/luabind/vm/internal/layout"
)

// A Meter counts what a run uses, over all its coroutines, and ends the run at a limit. Every count of instructions,
// memory and output is kept here.
//
// The interpreter asks its context before every instruction whether it is done. The meter is that context (see thread),
// so that counting costs an addition and a comparison, and gopher-lua stays as it is. While the run continues, Done
// returns nil, a channel that gopher-lua's select skips quickly; whatever ends the run sets due to 0.
type Meter struct {
	machine  *Machine
	limits   Limits
	ctx      context.Context
	done     <-chan struct{} // of ctx, which has ended when Done returns it
	executed uint64          // instructions
	output   uint64          // bytes
	due      atomic.Uint64   // check the run when so many instructions are executed; see expire
	heap     heapGauge
}

// Usage is what a run has used.
type Usage struct {
	Instructions uint64
	Output       uint64 // bytes
}

func newMeter(m *Machine, limits Limits) *Meter {
	mt := &Meter{machine: m, limits: limits}
	mt.heap.limit = limits.Heap
	mt.schedule()
	return mt
}

// Usage returns what the run has used so far.
func (mt *Meter) Usage() Usage { return Usage{mt.executed, mt.output} }

// Check ends a host function that works for long if the run has ended. It raises the error and does not return then.
// A function that takes more than a few milliseconds calls it from time to time.
func (mt *Meter) Check(l *lua.LState) {
	mt.check(l)
	mt.machine.raiseEnd(l)
}

// Every returns a function to be called for each of many small steps. It calls Check after so many steps.
func (mt *Meter) Every(l *lua.LState, steps int) func() {
	n := 0
	return func() {
		if n++; n >= steps {
			n = 0
			mt.Check(l)
		}
	}
}

// Charge counts texts, and bytes in addition, for the limit of output. It raises an error at the limit.
func (mt *Meter) Charge(l *lua.LState, bytes uint64, texts ...string) {
	mt.output += bytes
	for _, text := range texts {
		mt.output += uint64(len(text))
	}
	if limit := mt.limits.Output; limit > 0 && mt.output > limit {
		mt.Exceed(l, bounds.Output, limit, mt.output)
	}
}

// Exceed ends the run at a limit and raises the error. A host calls it for its own limits.
func (mt *Meter) Exceed(l *lua.LState, limit string, most, used uint64) {
	mt.exceed(l, limit, most, used)
	mt.machine.raiseEnd(l)
}

// exceed ends the run at a limit. The interpreter raises the error before its next instruction.
func (mt *Meter) exceed(l *lua.LState, limit string, most, used uint64) {
	mt.machine.Stop(&LimitError{bounds.LimitUse{Name: limit, Max: most, Used: used}, Where(l)})
}

// widen raises the limits to what was used plus extra. That of the heap grows by half.
func (mt *Meter) widen(extra Limits) {
	if l := &mt.limits; l.Instructions > 0 {
		l.Instructions = max(l.Instructions, mt.executed) + extra.Instructions
		mt.schedule()
	}
	mt.heap.widen()
	if l := &mt.limits; l.Output > 0 {
		l.Output = max(l.Output, mt.output) + extra.Output
	}
}

// remainingOutput returns the beginning of text that the limit of output allows to print.
func (mt *Meter) remainingOutput(text string) string {
	if limit := mt.limits.Output; limit > 0 {
		return text[:min(uint64(len(text)), limit-min(mt.output, limit))]
	}
	return text
}

// seenInterval is how many instructions are executed between two calls of Options.Seen: a few milliseconds.
const seenInterval = 1 << 16

// schedule sets when to check the run next.
func (mt *Meter) schedule() {
	due := uint64(math.MaxUint64)
	if limit := mt.limits.Instructions; limit > 0 {
		due = limit + 1
	}
	if mt.machine.opts.Seen != nil {
		due = min(due, mt.executed+seenInterval)
	}
	if mt.machine.profiler != nil {
		due = min(due, mt.executed+profileInstructions)
	}
	mt.due.Store(due)
}

// expire makes the meter check the run before the next instruction. It may be called from any goroutine.
func (mt *Meter) expire() { mt.due.Store(0) }

// see reports the line that runs.
func (mt *Meter) see(l *lua.LState) {
	if seen := mt.machine.opts.Seen; seen != nil {
		seen(mt.machine.Where(l))
	}
}

// check ends the run if it is over a limit, and reports whether the run has ended. l is the thread that runs.
func (mt *Meter) check(l *lua.LState) (ended bool) {
	if mt.machine.Ended() != nil {
		return true
	}
	mt.see(l)
	mt.machine.profiler.add(l, "")
	if limit := mt.limits.Instructions; limit > 0 && mt.executed > limit {
		mt.exceed(l, bounds.Instructions, limit, mt.executed)
	}
	mt.schedule()
	if mt.heap.alarm.Swap(false) {
		mt.fit(l, 0)
	}
	if mt.machine.Ended() != nil { // now, or before schedule
		mt.expire()
		return true
	}
	return false
}

// thread is the meter as the context of one Lua thread.
type thread struct {
	*Meter
	l     *lua.LState
	below int // calls of the threads that resumed this one
}

// watched has the instructions that can allocate much at once, or whose operands must be converted first.
var watched = [layout.Opcodes]bool{lua.OP_CONCAT: true, lua.OP_SETTABLE: true, lua.OP_FORPREP: true,
	lua.OP_GETTABLE: true}

// Done is called before every instruction. It raises an error if calls are nested too deep, before gopher-lua panics.
// Memory for what the instruction allocates is reserved first, if that can be much.
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

// prepare reserves the memory of a concatenation, or of an assignment that makes the array of a table grow. It converts
// the strings that a for loop counts with to numbers.
func (mt *Meter) prepare(l *lua.LState, instruction layout.Instruction, f layout.Frame) {
	registers := f.Registers(l)
	bytes := uint64(0)
	switch instruction.Opcode() {
	case lua.OP_CONCAT:
		bytes = concatenated(registers[instruction.B() : instruction.C()+1])
	case lua.OP_FORPREP:
		for i := range 3 {
			bound := &registers[instruction.A()+i]
			if n, ok := convert.Number(*bound); ok {
				*bound = n
			}
		}
	case lua.OP_GETTABLE:
		if key, ok := f.Value(registers, instruction.C()).(lua.LString); ok && len(key) >= largeAllocation {
			bytes = keyInMessage(registers[instruction.B()], key)
		}
	case lua.OP_SETTABLE:
		table, _ := registers[instruction.A()].(*lua.LTable)
		bytes = growth(table, f.Value(registers, instruction.B()))
		if key, ok := f.Value(registers, instruction.B()).(lua.LString); ok && len(key) >= largeAllocation {
			bytes = keyInMessage(registers[instruction.A()], key)
		}
	}
	mt.Reserve(l, bytes)
}

// keyInMessage returns the memory for the message that a value cannot be indexed, which contains the key.
func keyInMessage(indexed lua.LValue, key lua.LString) uint64 {
	if indexed.Type() == lua.LTTable {
		return 0
	}
	return 4 * uint64(len(key))
}

// concatenated returns the size of a concatenation. Numbers are replaced by their text, unless a metamethod may get it:
// gopher-lua would show more digits than Lua 5.1.
func concatenated(values []lua.LValue) (bytes uint64) {
	number, other := false, false
	for _, v := range values {
		switch v := v.(type) {
		case lua.LString:
			bytes += uint64(len(v))
		case lua.LNumber:
			number = true
		default:
			other = true
		}
	}
	if !number || other {
		return bytes
	}
	for i, v := range values {
		if n, ok := v.(lua.LNumber); ok {
			values[i] = lua.LString(convert.Format(n))
		}
	}
	return bytes
}

// growth returns the bytes by which the array of a table grows if a key is set.
func growth(table *lua.LTable, key lua.LValue) uint64 {
	n, ok := key.(lua.LNumber)
	if table == nil || !ok || n < 1 || n >= lua.LNumber(lua.MaxArrayIndex) {
		return 0
	}
	return uint64(max(int(n)-len(layout.Array(table)), 0)) * valueBytes
}
