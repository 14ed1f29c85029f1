package vm

import (
	"context"
	"io"
	"maps"
	"math/rand/v2"

	"roclua/luabind/vm/bounds"

	lua "github.com/yuin/gopher-lua"
)

// Options configure a Machine. The zero value is a machine without limits and output, in the sandbox "project".
type Options struct {
	Limits       Limits
	Sandbox      string   // one of bounds.Sandboxes; "" is the default
	LibraryPaths []string // folders of Lua files, for require and dofile; the first is the script's own
	Output       io.Writer
	Args         []string          // elements of the global table arg
	Env          map[string]string // what os.getenv returns; the environment of the process is not visible
	Seed         uint64            // of math.random

	// HeldBytes returns the memory that the host holds for the script in addition to the values that are reachable
	// from Lua. It counts for the limit of the heap. It may be nil.
	HeldBytes func() uint64

	// Suggest returns the end of the error message about an unknown name, such as `, did you mean "hip"?`.
	// It may be nil.
	Suggest func(name string, known []string) string

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
	lua      *lua.LState
	current  *lua.LState // the thread that called the Go function that runs
	guarded  int         // protected calls that are active
	raising  bool        // an error is on its way to the protected call or the coroutine that catches it
	opts     Options
	env      map[string]string
	random   *rand.Rand
	types    map[string]*Type
	kept     []lua.LValue
	meter    *Meter
	loader   *loader
	standard standard
	raised   raised
	places   places

	profiler *profiler // nil if the run is not profiled

	ctx     context.Context
	cancel  context.CancelCauseFunc
	release []context.CancelFunc // of contexts that end with the machine
	stopped error                // why the run ended, if it did not end by ctx
}

const (
	callStackSize = 4096
	spareCalls    = 64                           // for handlers of errors, and for Go functions that call each other
	maxDepth      = callStackSize - 2*spareCalls // calls may be nested so deep, over the coroutines that run
	registrySize  = 510                          // registers of a new machine, 8 KiB; most scripts need fewer
	registryStep  = 1024 * 16                    // by how many their number grows
	registryMax   = 1024 * 1024
)

// New makes a machine whose scripts run until ctx ends or a limit is reached. Close releases it.
func New(ctx context.Context, o Options) *Machine {
	if o.Output == nil {
		o.Output = io.Discard
	}
	if o.Sandbox == "" {
		o.Sandbox = bounds.DefaultSandbox
	}
	if o.ErrorType == "" {
		o.ErrorType = "error"
	}
	m := &Machine{opts: o, env: map[string]string{}, random: newRandom(o.Seed), types: map[string]*Type{}}
	maps.Copy(m.env, o.Env)
	m.lua = lua.NewState(lua.Options{SkipOpenLibs: true, CallStackSize: callStackSize, MinimizeStackMemory: true,
		RegistrySize: registrySize, RegistryMaxSize: registryMax, RegistryGrowStep: registryStep})
	m.current = m.lua
	if o.Profile {
		m.profiler = newProfiler()
	}
	m.meter = newMeter(m, o.Limits)
	m.loader, m.raised = newLoader(m), raised{m}
	m.limitTime(ctx, o.Limits.Timeout)
	m.meter.heap.begin(m.meter)
	m.standard.open(m)
	return m
}

// Close frees what the machine holds. No script may run any more.
func (m *Machine) Close() {
	m.meter.heap.stop()
	m.loader.close()
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

// Env returns the environment of the run, which os.setenv changes.
func (m *Machine) Env() map[string]string { return m.env }

// Random returns the generator behind math.random.
func (m *Machine) Random() *rand.Rand { return m.random }

// Keep marks a value that the host holds on to, so that its memory counts.
func (m *Machine) Keep(v lua.LValue) { m.kept = append(m.kept, v) }

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }
