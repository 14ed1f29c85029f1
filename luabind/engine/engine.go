package engine

import (
	"context"
	"errors"
	"io"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
	"roclua/workspace"
)

// Engine calls Go functions for the scripts of one Lua machine.
type Engine struct {
	VM          *vm.Machine
	Lib         *lualib.Library // Lua's own
	Runtime     *hip.Runtime    // nil while a file is described, see NeedRuntime
	Profile     *workspace.Profile
	Output      io.Writer // of messages of the libraries
	DeviceLimit uint64    // bytes of device memory that may be allocated; 0 for no limit
	DeviceUsed  bool      // a script without a runtime tried to use a device
	Await       func()    // waits for the runtime of a case; nil if none is to come
	DeferredAt  string    // Where the deferred function that runs was passed to t:defer; "" for none

	HostFuncs    HostFuncs
	Statuses     *Statuses
	StatusCounts statusCounts

	set         *FunctionSet
	parts       []any                       // see part
	opened      map[string]*module          // by name
	methods     map[*Binding]*lua.LFunction // of objects
	recordTypes map[string]*lua.LTable      // metatables by class, see newRecord
	calls       []*Call                     // for reuse
}

// New makes an engine with a new machine and the modules. It sets the options for errors and types of objects.
func New(ctx context.Context, set *FunctionSet, o vm.Options, l lualib.Options) *Engine {
	e := &Engine{set: set, Output: o.Output, StatusCounts: statusCounts{}, opened: map[string]*module{},
		methods: map[*Binding]*lua.LFunction{}, recordTypes: map[string]*lua.LTable{}}
	e.HostFuncs.e = e
	o.ErrorType, o.ErrorField, o.OpenType = errorType, e.ErrorField, e.openType
	e.VM = vm.New(ctx, o)
	e.Lib = lualib.Open(e.VM, l)
	e.Statuses = newStatuses(e.VM)
	e.openModules()
	return e
}

// AddParts adds what packages keep for the scripts of the engine.
func (e *Engine) AddParts(parts ...any) { e.parts = append(e.parts, parts...) }

// Part returns the part of an engine that is a T.
func Part[T any](e *Engine) T {
	for _, p := range e.parts {
		if found, ok := p.(T); ok {
			return found
		}
	}
	panic("the engine does not have the part")
}

// openType declares a type of objects. A case uses few of them.
func (e *Engine) openType(name string) {
	switch name {
	case statusType:
		e.Statuses.open()
	case pointerType:
		e.openPointers()
	default:
		if open := e.set.types[name]; open != nil {
			open(e)
		}
	}
}

// SetRuntime makes the runtime stop when the script does, and return errors as the release does. Its calls have the
// lines of the script as their origin.
func (e *Engine) SetRuntime(rt *hip.Runtime, p *workspace.Profile) {
	e.Runtime, e.Profile, e.Await = rt, p, nil
	if rt == nil {
		return
	}
	rt.SetOrigin(func() string { return e.Where(e.VM.Current()) })
	e.BindRuntime()
}

// BindRuntime makes the runtime stop when the script does, and return errors as the release does.
func (e *Engine) BindRuntime() {
	if e.Runtime == nil {
		return
	}
	e.Runtime.SetContext(e.VM.Context())
	if e.Profile != nil {
		e.Runtime.SetSuccessClearsError(e.Profile.Release.SuccessClearsError)
	}
}

// Where returns the line of the script that runs. If t:defer was given a binding itself, no line runs, and where
// returns the line of t:defer.
func (e *Engine) Where(l *lua.LState) string {
	if at := e.VM.Where(l); at != "" {
		return at
	}
	return e.DeferredAt
}

// Device returns the runtime's current device. It raises an error if there is no runtime: see NeedRuntime.
func (e *Engine) Device() *hip.Device { return e.NeedRuntime().Device() }

// NeedRuntime returns the runtime. It raises an error if there is none, as while a file is described. The file is a
// plain script then, because its top level uses a device.
func (e *Engine) NeedRuntime() *hip.Runtime {
	if e.Runtime == nil && e.Await != nil {
		e.Await()
	}
	if e.Runtime == nil {
		e.DeviceUsed = true
		e.VM.Raisef(e.VM.Current(), "the script is described without a device")
	}
	return e.Runtime
}

// limitDeviceMemory is the name of the limit of device memory in a LimitError. The others are those of package vm.
const limitDeviceMemory = "device_memory"

// CheckDevice ends the case if more device memory is allocated than its limit allows.
func (e *Engine) CheckDevice(l *lua.LState) {
	if e.DeviceLimit == 0 || e.Runtime == nil {
		return
	}
	if held := e.Runtime.HeldBytes(); held > e.DeviceLimit && e.VM.Ended() == nil {
		e.VM.Meter().Exceed(l, limitDeviceMemory, e.DeviceLimit, held)
	}
}

// Raise raises the error of a library call. An abort ends the case. It does not return.
func (e *Engine) Raise(l *lua.LState, err error) {
	var abort *workspace.Abort
	if errors.As(err, &abort) {
		e.VM.Stop(&Abort{vm.Where(l), abort})
	}
	e.VM.Raise(l, err)
}
