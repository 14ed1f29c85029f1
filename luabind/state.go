package luabind

import (
	"context"
	"io"
	"maps"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/routine"
	"roclua/luabind/vm"
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
	Limits       Limits            // without the timeout, which is the context's
	Over         func()            // called when the case ended early and teardown begins; may be nil
}

// Levels of the sandbox: see package vm.
const (
	SandboxStrict  = vm.SandboxStrict
	SandboxProject = vm.SandboxProject
	SandboxFull    = vm.SandboxFull
	DefaultSandbox = vm.DefaultSandbox
)

// Sandboxes lists the levels of the sandbox. The first allows least.
var Sandboxes = vm.Sandboxes

// IsIncomplete reports whether an error of Compile or CompileEntry is that the text ends too early.
func IsIncomplete(err error) bool { return vm.IsIncomplete(err) }

// State is one Lua machine over one runtime. It serves one case.
type State struct {
	vm          *vm.Machine
	opts        Options
	deviceLimit uint64             // bytes of device memory; 0 for none
	release     context.CancelFunc // ends the context of the runtime in teardown; nil before

	args        routine.Args // of the routine that is called
	statuses    []*lua.LUserData
	hipCodes    map[int]*lua.LUserData
	answers     map[answer]int // statuses by function
	handles     []*handleBox   // in the order of their creation
	allocations []*allocationBox
	opened      []*workspace.Opened
	described   bool // only the top level runs, without a device

	deferred string // where the deferred function that runs was named

	streamObjects map[*hip.Stream]*lua.LUserData
	modules       map[string]*module
	methods       map[*binding]*lua.LFunction // of objects, by binding
}

// newState makes a state with the modules.
func newState(ctx context.Context, seed uint64, o Options) *State {
	s := &State{
		opts: o, deviceLimit: o.Limits.DeviceMemory, hipCodes: map[int]*lua.LUserData{}, answers: map[answer]int{},
		modules: map[string]*module{}, methods: map[*binding]*lua.LFunction{},
	}
	s.vm = vm.New(ctx, vm.Options{
		Limits:  vm.Limits{Instructions: o.Limits.Instructions, Heap: o.Limits.Heap, Output: o.Limits.Output},
		Sandbox: o.Sandbox, LibraryPaths: o.LibraryPaths, Output: o.Output, Args: o.Args, Env: o.Env, Seed: seed,
		HeldBytes: s.heldBytes, ErrorType: errorType, ErrorField: s.errorField,
	})
	s.bindContext()
	s.openStatus()
	s.openPointers()
	s.openHandles()
	s.openStreams()
	s.openArrays()
	s.openTest()
	for _, name := range []string{"rocblas", "rocsolver", "hip"} {
		s.vm.Preload(name, func() lua.LValue { return s.module(name).table })
	}
	s.vm.Preload("array", func() lua.LValue { return s.arrayModule() })
	s.openOS()
	if o.Runtime != nil {
		o.Runtime.SetOrigin(func() string { return s.place(s.vm.Current()) })
	}
	return s
}

// bindContext makes the runtime stop when the script does.
func (s *State) bindContext() {
	if s.opts.Runtime != nil {
		s.opts.Runtime.SetContext(s.vm.Context())
	}
}

// place returns the line of the script that runs. A binding that is deferred itself runs on no line, but on that of
// t:defer.
func (s *State) place(l *lua.LState) string {
	if at := vm.Where(l); at != "" {
		return at
	}
	return s.deferred
}

// Approximate sizes in bytes of what a script holds outside of Lua.
const (
	handleBytes     = 1024
	allocationBytes = 256
	streamBytes     = 16 << 10 // with its queue and its goroutine
)

// heldBytes returns the host memory that the state holds for the script outside of Lua.
func (s *State) heldBytes() uint64 {
	bytes := uint64(len(s.handles))*handleBytes + uint64(len(s.allocations))*allocationBytes
	if rt := s.opts.Runtime; rt != nil {
		bytes += rt.StagedBytes() + uint64(rt.OpenStreams())*streamBytes
	}
	return bytes
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
		s.vm.Raisef(l, "a script that is only described uses no device")
	}
}

func (s *State) config() workspace.Config {
	return workspace.Config{Profile: s.opts.Profile, Environment: maps.Clone(s.vm.Env())}
}

func (s *State) close() {
	s.vm.Close()
	if s.release != nil {
		s.release()
	}
	if s.opts.Runtime != nil {
		s.opts.Runtime.SetContext(context.Background())
	}
}
