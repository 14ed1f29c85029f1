// Package vm runs Lua scripts within limits. It is gopher-lua (Lua 5.1) made safe for scripts that the program does not
// trust:
//
//   - Limits on time, instructions, memory and output. A script that reaches a limit ends with a [LimitError], which no
//     pcall can catch. See [Limits].
//   - Errors that keep their Go cause through pcall, with file, line and traceback. See [script.Error]. A Go panic in a
//     function of the host ends the run as an [InternalError].
//   - Messages of Lua 5.1, which name the variable that has a wrong value.
//
// Package lualib has Lua's standard library for machines, with a sandbox: scripts reach no files except Lua files in
// the folders that they are given, no processes, no debug library and no bytecode.
//
// # Use
//
// [script.Compile] compiles a file. [New] makes a [Machine], which runs one script, or several that share their
// globals.
//
//	file, err := script.Compile("hello.lua", source)
//	...
//	m := vm.New(ctx, vm.Options{Limits: vm.Limits{Timeout: time.Second, Heap: 64 << 20}, Output: os.Stdout})
//	defer m.Close()
//	lualib.Open(m, lualib.Options{})
//	_, err = m.Run(file, 0)
//
// A machine and its values belong to one goroutine at a time. Different machines are independent, so that a program
// can run many at once. While machines with a limit of the heap exist and the heap of the process is small, the package
// raises the percentage at which Go collects garbage, unless the environment variable GOGC is set.
//
// # Host values
//
// The host gives scripts functions with [Machine.Function], and Go values with [Machine.NewType] and [Machine.Object].
// A host value is printed and compared by the metamethods of its type (__tostring and __eq). It may implement
// [memory.Sizer], so that the memory it holds counts, and [Describer], so that error messages can name it.
//
// A host function that runs for long calls [Meter.Check], or the function that [Meter.Every] returns, from time to
// time. A function that allocates much calls [Meter.Reserve] first.
//
// # Structure
//
// Every call that catches errors, whether it comes from pcall, xpcall or the host, goes through one function (see
// [Machine.Protect]). [Meter] counts everything that is limited.
package vm

import (
	"context"
	"io"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
)

// Options configure a Machine. The zero value is a machine without limits and output.
type Options struct {
	Limits Limits
	Output io.Writer

	// HeldBytes returns the memory that the host holds for the script in addition to the values that are reachable
	// from Lua. It counts for the limit of the heap. It may be nil.
	HeldBytes func() uint64

	// Seen is called with the line that runs, from time to time and before a large allocation. A program that watches
	// the process from outside can then name the place. It may be nil.
	Seen func(where string)

	// Profile measures where scripts spend their time: see Machine.Profile.
	Profile bool

	// OpenType declares a type of host values with NewType. It is called with the name of a type before its first value
	// is made, if there is no type of that name. It may be nil if all types are declared before.
	OpenType func(name string)

	// ErrorType is the name of the type of error objects, which getmetatable returns. "" is "error".
	ErrorType string

	// ErrorField returns a field of the error object that represents err, or nil if it has no such field. Every error
	// object has the fields message, source and line. ErrorField may be nil.
	ErrorField func(err error, name string) lua.LValue
}

// A Machine runs scripts in one Lua state.
type Machine struct {
	lua     *lua.LState
	current *lua.LState       // the thread that called the Go function that runs
	guarded int               // protected calls that are active
	onPanic func(*lua.LState) // raise, as a value that is made once
	raising bool              // an error is on its way to the protected call or the coroutine that catches it
	opts    Options
	types   map[string]*lua.LTable // metatables of host values
	kept    []lua.LValue
	meter   *Meter
	places  places
	missing func(path, message string) string // see ExplainMissing

	coroutines coroutines

	profiler *profiler // nil if the run is not profiled

	ctx     context.Context
	cancel  context.CancelCauseFunc
	release []func() // called by Close
	stopped error    // why the run ended, if it did not end by ctx
}

const (
	callStackSize = 4096
	spareCalls    = 64                           // for handlers of errors, and for Go functions that call each other
	maxDepth      = callStackSize - 2*spareCalls // depth of nested calls, over the coroutines that run
	registrySize  = 510                          // registers of a new machine, 8 KiB; most scripts need fewer
	registryStep  = 1024 * 16                    // growth of their number
	registryMax   = 1024 * 1024
)

// MaxResults is the number of results that a function may return at once.
const MaxResults = registryMax / 2

// New makes a machine whose scripts run until ctx ends or a limit is reached. It has no libraries before
// [roclua/luabind/vm/lualib.Open] opens them. Close releases it.
func New(ctx context.Context, o Options) *Machine {
	if o.Output == nil {
		o.Output = io.Discard
	}
	if o.ErrorType == "" {
		o.ErrorType = "error"
	}
	m := &Machine{opts: o, types: map[string]*lua.LTable{}}
	m.lua = lua.NewState(lua.Options{SkipOpenLibs: true, CallStackSize: callStackSize, MinimizeStackMemory: true,
		RegistrySize: registrySize, RegistryMaxSize: registryMax, RegistryGrowStep: registryStep})
	m.current, m.onPanic = m.lua, m.raise
	if o.Profile {
		m.profiler = newProfiler()
	}
	m.meter = newMeter(m, o.Limits)
	m.limitTime(ctx, o.Limits.Timeout)
	m.meter.heap.begin(m.meter)
	return m
}

// Close releases the machine. No script may run after that.
func (m *Machine) Close() {
	m.meter.heap.stop()
	m.cancel(nil)
	for _, release := range m.release {
		release()
	}
	m.lua.Close()
}

// State returns the main thread of the Lua state, for functions of gopher-lua that this package does not wrap.
func (m *Machine) State() *lua.LState { return m.lua }

// Current returns the thread that called the host function that runs, or the main thread.
func (m *Machine) Current() *lua.LState { return m.current }

// Meter returns the counters of the run.
func (m *Machine) Meter() *Meter { return m.meter }

// OnClose makes Close call a function.
func (m *Machine) OnClose(f func()) { m.release = append(m.release, f) }

// Keep marks a value that the host holds on to, so that its memory counts.
func (m *Machine) Keep(v lua.LValue) { m.kept = append(m.kept, v) }

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
