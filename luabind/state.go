package luabind

import (
	"context"
	"io"
	"maps"
	"math/rand/v2"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/routine"
	"roclua/workspace"
)

// Options are what a script needs of its surroundings.
type Options struct {
	Runtime      *hip.Runtime
	Profile      *workspace.Profile
	Env          map[string]string // the environment that the case begins with
	LibraryPaths []string          // folders in which require looks, in order; the first is the script's own
	Output       io.Writer         // what print and io.write write to
	Args         []string          // the script's arguments, its table arg
	Sandbox      string            // one of Sandboxes; "" is the default
	Limits       Limits            // but for the timeout, which is the context's
	Over         func()            // called when the case ended early and teardown begins; may be nil
}

// State is one Lua state over one runtime. It serves one case.
type State struct {
	lua     *lua.LState
	current *lua.LState // the coroutine whose binding runs
	opts    Options
	env     map[string]string
	random  *rand.Rand
	seed    uint64

	ctx     context.Context
	cancel  context.CancelCauseFunc
	release []context.CancelFunc // end the contexts of teardown
	stopped error                // what ended the case: an abort, a defect, a limit

	limits     Limits // of what runs now; those of teardown are wider
	meter      *meter
	printed    uint64         // bytes of text that count against the limit of output
	nesting    int            // coroutines that stand in each other
	kept       []lua.LValue   // what Go holds for the script, for the measure of memory
	luaRequire lua.LGFunction // Lua's own
	folders    []*folder      // that files may be read from, opened when first needed

	args      routine.Args // of the routine that is called
	types     map[string]*lua.LTable
	statuses  []*lua.LUserData
	hipCodes  map[int]*lua.LUserData
	answers   map[answer]int // statuses by function
	handles   []*handleBox   // in the order of their making
	loans     []*loanBox
	loaded    map[string]lua.LValue
	required  []string // the files in which require looked
	opened    []*workspace.Opened
	described bool // only the top level runs, without a device

	deferred string // where the deferred function that runs was named

	streamObjects                    map[*hip.Stream]*lua.LUserData
	modRocblas, modRocsolver, modHip *module
}

const (
	callStackSize = 4096
	registrySize  = 1024 * 16
	registryMax   = 1024 * 1024
)

// newState makes a state with the safe part of the standard library and the modules.
func newState(ctx context.Context, seed uint64, o Options) *State {
	s := &State{opts: o, env: map[string]string{}, seed: seed, types: map[string]*lua.LTable{}, hipCodes: map[int]*lua.LUserData{}, answers: map[answer]int{}}
	for name, value := range o.Env {
		s.env[name] = value
	}
	s.random = newRandom(seed)
	s.lua = lua.NewState(lua.Options{SkipOpenLibs: true, CallStackSize: callStackSize, MinimizeStackMemory: true,
		RegistrySize: registrySize, RegistryMaxSize: registryMax, RegistryGrowStep: registrySize})
	s.current = s.lua
	s.limits = o.Limits
	s.meter = newMeter(s)
	s.setContext(ctx)
	s.meter.heap.begin(s.meter)
	s.openStandard()
	s.openFailure()
	s.openStatus()
	s.openPointers()
	s.openHandles()
	s.openStreams()
	s.openArrays()
	s.openTest()
	if o.Runtime != nil {
		o.Runtime.SetOrigin(func() string { return s.place(s.current) })
	}
	return s
}

// place is the line of the script that runs. A binding that is deferred itself runs on no line, but on that of t:defer.
func (s *State) place(l *lua.LState) string {
	if at := place(where(l)); at != "" {
		return at
	}
	return s.deferred
}

func (s *State) setContext(ctx context.Context) {
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.meter.ctx, s.meter.done = s.ctx, s.ctx.Done()
	s.lua.SetContext(&thread{s.meter, s.lua})
	if s.opts.Runtime != nil {
		s.opts.Runtime.SetContext(s.ctx)
	}
}

// ended returns what ended the case, nil while it goes on.
func (s *State) ended() error {
	if s.stopped != nil {
		return s.stopped
	}
	return s.contextCause()
}

// keep tells the measure of memory of a value that Go holds on to.
func (s *State) keep(v lua.LValue) { s.kept = append(s.kept, v) }

// stop ends the case for good: every further instruction of the script fails, whatever pcall stands around it.
func (s *State) stop(err error) {
	if s.stopped == nil {
		s.stopped = err
	}
	s.cancel(err)
}

// contextCause returns why the context ended, nil while it lives.
func (s *State) contextCause() error {
	if s.ctx.Err() == nil {
		return nil
	}
	return context.Cause(s.ctx)
}

func (s *State) getenv(name string) (string, bool) {
	value, set := s.env[name]
	return value, set
}

// device returns the runtime's current device. While a file is only described there is none: the first use ends the
// description, for the file then is a plain script.
func (s *State) device(l *lua.LState) *hip.Device {
	s.needRuntime(l)
	return s.opts.Runtime.Device()
}

func (s *State) needRuntime(l *lua.LState) {
	if s.opts.Runtime == nil {
		s.described = true
		s.usage(l, "a script that is only described uses no device")
	}
}

func (s *State) config() workspace.Config {
	return workspace.Config{Profile: s.opts.Profile, Environment: maps.Clone(s.env)}
}

// newType declares a userdata type by its metamethods.
func (s *State) newType(name string, methods map[string]lua.LGFunction) *lua.LTable {
	t := s.lua.NewTable()
	for method, fn := range methods {
		t.RawSetString(method, s.lua.NewFunction(s.guard(name, fn)))
	}
	t.RawSetString("__metatable", lua.LString(name))
	s.types[name] = t
	return t
}

func (s *State) metatable(name string) *lua.LTable { return s.types[name] }

// object wraps a Go value as userdata of a declared type.
func (s *State) object(typeName string, value any) *lua.LUserData {
	return &lua.LUserData{Value: value, Env: s.lua.Env, Metatable: s.types[typeName]}
}

// receiver returns the Go value that a method or metamethod was called on. loan.release(stream) calls one on something else.
func receiver[T any](s *State, l *lua.LState) T {
	var value T
	ud, ok := l.Get(1).(*lua.LUserData)
	if ok {
		value, ok = ud.Value.(T)
	}
	if !ok {
		s.usage(l, "a method was called on %s; write object:method(...), with a colon", describe(l.Get(1)))
	}
	return value
}

// function binds a Go function under a name for messages.
func (s *State) function(name string, fn func(l *lua.LState) int) *lua.LFunction {
	return s.lua.NewFunction(s.guard(name, fn))
}

func (s *State) close() {
	s.meter.heap.stop()
	s.closeFolders()
	s.cancel(nil)
	for _, release := range s.release {
		release()
	}
	if s.opts.Runtime != nil {
		s.opts.Runtime.SetContext(context.Background())
	}
	s.lua.Close()
}
