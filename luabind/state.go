package luabind

import (
	"context"
	"io"
	"maps"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/luabind/record"
	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
	"roclua/luabind/vm/script"
	"roclua/workspace"
	"roclua/workspace/status"
)

// Options configure a case or a session.
type Options struct {
	Runtime      *hip.Runtime
	Profile      *workspace.Profile
	Env          map[string]string  // the environment of the script
	LibraryPaths []string           // folders in which require looks, in order; the first is the script's own
	Output       io.Writer          // of print and io.write
	Args         []string           // elements of the global table arg
	Sandbox      string             // one of bounds.Sandboxes; "" is the default
	Limits       record.Limits      // without the timeout: the context has that of a case, see WithTimeout
	Over         func()             // called if the case ended early and its teardown begins; may be nil
	Seen         func(where string) // called with the line that runs, from time to time; may be nil
	LuaProfile   bool               // measure where the script spends its time
}

// IsIncomplete reports whether an error of Compile or CompileEntry is that the text ends too early.
func IsIncomplete(err error) bool { return script.IsIncomplete(err) }

// state is a Lua machine with the modules, and the runtime they use. It serves one case or session.
type state struct {
	vm          *vm.Machine
	lib         *lualib.Library
	opts        Options
	deviceLimit uint64             // bytes of device memory; 0 for none
	release     context.CancelFunc // ends the context of the runtime in teardown; nil before

	modules  *modules
	statuses *statusClass
	pointers pointerClass
	streams  *streamClass
	arrays   arrayClass
	handles  *handleClass
	library  *workspace.Libraries // nil before a function of it is called

	recordTypes  map[string]*lua.LTable // metatables by class: see record
	hostFuncs    hostFuncs
	fills        map[uint64][]fill        // captured copies to arrays, by the number of the capture
	args         routine.Args             // of the current call of a routine
	namedValues  []lua.LValue             // of the named arguments of that call; reused
	calls        []*call                  // for reuse
	statusCounts map[string]*statusCounts // statuses that functions returned, by C name
	deviceUsed   bool                     // a script without a runtime tried to use a device
	defaultBytes uint64                   // first memory of the next handle, as the script set it; 0 for the default
	await        func()                   // waits for the runtime of a case; nil if none is to come
	deferredAt   string                   // where the deferred function that runs was passed to t:defer; "" for none
}

// newState makes a state with the modules.
func newState(ctx context.Context, seed uint64, o Options) *state {
	s := &state{opts: o, deviceLimit: o.Limits.DeviceMemory, statusCounts: map[string]*statusCounts{},
		recordTypes: map[string]*lua.LTable{}}
	s.hostFuncs.s, s.fills = s, map[uint64][]fill{}
	s.modules = &modules{s: s, opened: map[string]*module{}, methods: map[*binding]*lua.LFunction{}}
	s.statuses = &statusClass{s: s, rocblas: make([]*lua.LUserData, len(status.All())),
		hipCodes: map[driver.Error]*lua.LUserData{}}
	s.streams = &streamClass{s: s, objects: map[*hip.Stream]*lua.LUserData{}}
	s.pointers, s.arrays, s.handles = pointerClass{s}, arrayClass{s}, &handleClass{s: s}
	s.vm = vm.New(ctx, vm.Options{
		Limits: vm.Limits{Instructions: o.Limits.Instructions, Heap: o.Limits.Heap, Output: o.Limits.Output},
		Output: o.Output, Env: o.Env, HeldBytes: s.heldBytes, Seen: o.Seen, Profile: o.LuaProfile,
		ErrorType: errorType, ErrorField: s.errorField, OpenType: s.openType,
	})
	s.lib = lualib.Open(s.vm, lualib.Options{Sandbox: o.Sandbox, LibraryPaths: o.LibraryPaths, Args: o.Args, Seed: seed,
		Suggest: nearest.DidYouMean})
	s.bindRuntime()
	s.modules.open()
	if o.Runtime != nil {
		o.Runtime.SetOrigin(func() string { return s.where(s.vm.Current()) })
	}
	return s
}

// openType declares a type of host values, or several together. A case uses few of them.
func (s *state) openType(name string) {
	switch name {
	case statusType:
		s.statuses.open()
	case pointerType:
		s.pointers.open()
	case handleType:
		s.handles.open()
	case allocationType:
		s.handles.openAllocations()
	case rfinfoType:
		s.vm.NewType(rfinfoType, nil)
	case streamType, eventType:
		s.streams.open()
	case graphType, graphExecType:
		s.openGraphs()
	case arrayTypeName:
		s.arrays.open()
	case testType:
		openTest(s.vm)
	}
}

// bindRuntime makes the runtime stop when the script does, and return errors as the release does.
func (s *state) bindRuntime() {
	if s.opts.Runtime == nil {
		return
	}
	s.opts.Runtime.SetContext(s.vm.Context())
	if p := s.opts.Profile; p != nil {
		s.opts.Runtime.SetSuccessClearsError(p.Release.SuccessClearsError)
	}
}

// where returns the line of the script that runs. If t:defer was given a binding itself, no line runs, and where
// returns the line of t:defer.
func (s *state) where(l *lua.LState) string {
	if at := s.vm.Where(l); at != "" {
		return at
	}
	return s.deferredAt
}

// streamBytes is the approximate size of a stream in host memory, with its queue and its goroutine.
const streamBytes = 16 << 10

// heldBytes returns the host memory that the state holds for the script outside of Lua.
func (s *state) heldBytes() uint64 {
	bytes := s.handles.heldBytes()
	if rt := s.opts.Runtime; rt != nil {
		bytes += rt.StagedBytes() + uint64(rt.OpenStreams())*streamBytes
	}
	return bytes
}

// device returns the runtime's current device. It raises an error if there is no runtime: see needRuntime.
func (s *state) device(l *lua.LState) *hip.Device {
	s.needRuntime(l)
	return s.opts.Runtime.Device()
}

// needRuntime raises an error if there is no runtime, as while a file is described. The file is a plain script then,
// because its top level uses a device.
func (s *state) needRuntime(l *lua.LState) {
	if s.opts.Runtime == nil && s.await != nil {
		s.await()
	}
	if s.opts.Runtime == nil {
		s.deviceUsed = true
		s.vm.Raisef(l, "the script is described without a device")
	}
}

// config returns the configuration of new handles.
func (s *state) config() workspace.Config {
	return workspace.Config{Profile: s.opts.Profile, Environment: maps.Clone(s.vm.Env()), DefaultBytes: &s.defaultBytes}
}

func (s *state) close() {
	s.vm.Close()
	if s.library != nil {
		s.library.Close()
	}
	if s.release != nil {
		s.release()
	}
	if s.opts.Runtime != nil {
		s.opts.Runtime.SetContext(context.Background())
	}
}
