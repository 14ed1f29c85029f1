package vm

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/escape"
	"roclua/luabind/vm/bounds"
)

// A Meter counts the resources that a run uses in all its coroutines, and ends the run at a limit. Every count of
// instructions, memory and output is kept here.
//
// The interpreter asks its context before every instruction whether it is done. The meter is that context (see thread),
// so that counting costs an addition and a comparison, and gopher-lua need not change. While the run continues, Done
// returns nil, a channel that gopher-lua's select skips quickly; whatever ends the run sets due to 0.
type Meter struct {
	machine  *Machine
	limits   Limits
	ctx      context.Context
	done     <-chan struct{} // of ctx, which has ended when Done returns it
	executed uint64          // instructions
	output   uint64          // bytes
	due      atomic.Uint64   // number of instructions at the next check of the run; see expire
	heap     heapGauge
	budget   *Budget // that the limits bound; nil for the use of this run alone
	counted  uint64  // instructions that are in the budget
}

// A Budget counts the use of several machines together. The limits of each of them bound the sum.
type Budget struct{ instructions, output, heap atomic.Uint64 }

// Join makes the use of the machine count in a budget, from its start on.
func (m *Machine) Join(b *Budget) {
	mt := m.meter
	mt.budget, mt.counted, mt.heap.held = b, 0, 0
	b.output.Add(mt.output)
	mt.schedule()
}

// instructionsUsed returns the instructions that count for the limit.
func (mt *Meter) instructionsUsed() uint64 {
	if mt.budget == nil {
		return mt.executed
	}
	more := mt.executed - mt.counted
	mt.counted = mt.executed
	return mt.budget.instructions.Add(more)
}

// outputUsed adds output and returns the bytes that count for the limit.
func (mt *Meter) outputUsed(more uint64) uint64 {
	mt.output += more
	if mt.budget == nil {
		return mt.output
	}
	return mt.budget.output.Add(more)
}

// heapUsed returns the bytes that count for the limit if the run holds some.
func (mt *Meter) heapUsed(held uint64) uint64 {
	if mt.budget == nil {
		return held
	}
	before := mt.heap.held
	mt.heap.held = held
	return mt.budget.heap.Add(held - before)
}

// Usage has the resources that a run has used.
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

// Usage returns the resources that the run has used so far.
func (mt *Meter) Usage() Usage { return Usage{mt.executed, mt.output} }

// Check ends a host function that works for long if the run has ended. It raises the error and does not return then.
// A function that takes more than a few milliseconds calls it from time to time.
func (mt *Meter) Check(l *lua.LState) {
	mt.check(l)
	mt.machine.raiseEnd(l)
}

// Every returns a function to be called for each of many small steps. It calls Check once per number of steps.
func (mt *Meter) Every(l *lua.LState, steps int) func() {
	n := 0
	return func() {
		if n++; n >= steps {
			n = 0
			mt.Check(l)
		}
	}
}

// Charge counts the bytes of texts as reports have them, and bytes in addition, for the limit of output. It raises an
// error at the limit.
func (mt *Meter) Charge(l *lua.LState, bytes uint64, texts ...string) {
	limit := mt.limits.Output
	for _, text := range texts {
		if limit == 0 || uint64(len(text)) <= limit {
			text = escape.Text(text)
		}
		bytes += uint64(len(text))
	}
	if used := mt.outputUsed(bytes); limit > 0 && used > limit {
		mt.Exceed(l, bounds.Output, limit, used)
	}
}

// Exceed ends the run at a limit and raises the error. A host calls it for its own limits.
func (mt *Meter) Exceed(l *lua.LState, limit string, most, used uint64) {
	mt.exceed(l, limit, most, used)
	mt.machine.raiseEnd(l)
}

// exceed ends the run at a limit. The interpreter raises the error before its next instruction.
func (mt *Meter) exceed(l *lua.LState, limit string, most, used uint64) {
	mt.machine.Stop(&LimitError{bounds.LimitUse{Name: limit, Max: most, Used: used}, mt.machine.Where(l)})
}

// widen raises the limits to the used amounts plus extra. The limit of the heap grows by half.
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

// seenInterval is the number of instructions between two checks that call Options.Seen: a few milliseconds.
const seenInterval = 1 << 16

// cooperative says that goroutines are not preempted, as in a browser: a script then lets timers and the device's work
// run at each check.
const cooperative = runtime.GOOS == "js"

// schedule sets when to check the run next.
func (mt *Meter) schedule() {
	due := uint64(math.MaxUint64)
	if limit := mt.limits.Instructions; limit > 0 {
		due = limit + 1
		if mt.budget != nil {
			due = min(due, mt.executed+seenInterval)
		}
	}
	if mt.machine.opts.Seen != nil || cooperative {
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
	if cooperative {
		runtime.Gosched()
	}
	mt.see(l)
	mt.machine.profiler.add(l, "")
	if limit := mt.limits.Instructions; limit > 0 {
		if used := mt.instructionsUsed(); used > limit {
			mt.exceed(l, bounds.Instructions, limit, used)
		}
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
