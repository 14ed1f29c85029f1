// Package engine calls Go functions from Lua by their declarations in luabind/api.
//
// An [Extension] has a Go function for each declared function of a module or method of a class. To add a function,
// declare it in luabind/api and add its Go function to the table of its module. The Go function has a parameter for
// each declared parameter, of a type that fits its kind:
//
//	{Name: "malloc_async", Params: []Param{bytes("size", "size in bytes"), stream()}, ...}
//
//	"malloc_async": engine.Takes2(hipMallocAsync),
//
//	func hipMallocAsync(c *engine.Call, size uint64, stream *hip.Stream) error
//
// [NewFunctionSet] checks the tables: a declared function without a Go function, or with one whose parameters do not
// fit, is a panic. Arguments are read, counted and checked by the declaration, so that all messages have the same form:
//
//	hip.malloc: size: got the string "x", want a number of bytes
//
// The Go function returns an error. A status is raised in the script, or returned by the try form, in one place for
// all functions.
//
// Routines are not in these tables. Their declarations come from package hip/routine, and package library reads the
// arguments of all of them with one function, in C order or by name.
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
	"roclua/workspace/tuning"
)

// Engine calls Go functions for the scripts of one Lua machine.
type Engine struct {
	VM          *vm.Machine
	Lib         *lualib.Library // Lua's standard library
	Runtime     *hip.Runtime    // nil while a file is described: see NeedRuntime
	Thread      *hip.Thread     // that makes the calls of scripts; nil without a runtime
	Profile     *workspace.Profile
	Tuning      tuning.Libraries  // none without tuning files
	Output      io.Writer         // receives the output of scripts and messages of the libraries
	Env         map[string]string // the environment of the run; scripts do not see the environment of the process
	DeviceLimit uint64            // bytes of device memory that may be allocated; 0 for no limit
	DeviceUsed  bool              // a script without a runtime tried to use a device
	Await       func()            // waits for the runtime of the case; nil if there will be none
	Unrecorded  bool              // statuses are not counted at present
	DeferredAt  string            // the line of the t:defer whose function runs; "" if none runs

	DeviceState  any // of package device
	LibraryState any // of package library
	HostFuncs    *HostFuncs
	Statuses     *Statuses
	StatusCounts StatusCounts
	Residuals    Residuals // that the script has computed

	set         *FunctionSet
	opened      map[string]*Module          // by name
	methods     map[*Binding]*lua.LFunction // of objects
	recordTypes map[string]*recordType      // by class: see NewRecord
	calls       []*Call                     // for reuse
	succeeded   lua.LValue                  // the status rocblas_status_success; nil before it is used
	repeatsAt   string                      // the line of a repeated call; "" if there is none
}

// New makes a machine with Lua's library and the modules. It sets the options of the machine for errors and types.
func New(ctx context.Context, set *FunctionSet, o vm.Options, l lualib.Options) *Engine {
	e := &Engine{set: set, Output: o.Output, Env: map[string]string{}, StatusCounts: StatusCounts{},
		opened: map[string]*Module{}, methods: map[*Binding]*lua.LFunction{}, recordTypes: map[string]*recordType{}}
	e.HostFuncs = NewHostFuncs(e)
	o.ErrorType, o.ErrorField, o.OpenType = errorType, e.ErrorField, e.openType
	e.VM = vm.New(ctx, o)
	l.Extend = e.addFunctions
	e.Lib = lualib.Open(e.VM, l)
	e.Statuses = newStatuses(e.VM)
	e.openModules()
	return e
}

// openType declares a type of objects, when its first object is made. A case uses few types.
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

// SetRuntime sets the runtime, which may be nil, the profile, and the tuning files, if there are. The calls of the
// runtime get the lines of the script as their origin: see also BindRuntime.
func (e *Engine) SetRuntime(rt *hip.Runtime, p *workspace.Profile, files tuning.Libraries) {
	e.Runtime, e.Profile, e.Tuning, e.Await = rt, p, files, nil
	if rt == nil {
		return
	}
	e.Thread = rt.Thread
	rt.SetOrigin(func() string {
		if e.repeatsAt != "" {
			return e.repeatsAt
		}
		return e.Where(e.VM.Current())
	})
	e.BindRuntime()
}

// BindRuntime makes the runtime end its waits when the script ends, and keep its last error as the release does.
func (e *Engine) BindRuntime() {
	if e.Runtime == nil {
		return
	}
	e.Runtime.SetContext(e.VM.Context())
	if e.Profile != nil {
		e.Runtime.SetSuccessClearsError(e.Profile.Release.SuccessClearsError)
	}
}

// Where returns the line of the script that runs. No line runs if a function of the host was passed to t:defer; Where
// then returns the line of t:defer.
func (e *Engine) Where(l *lua.LState) string {
	if at := e.VM.Where(l); at != "" {
		return at
	}
	return e.DeferredAt
}

// Device returns the current device. It raises an error if there is no runtime: see NeedRuntime.
func (e *Engine) Device() *hip.Device { return e.NeedRuntime().Device() }

// NeedRuntime returns the runtime. It raises an error if there is none, as while a file is described. Such a file is a
// plain script, because its top level uses a device.
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

// limitDeviceMemory is the name of the limit of device memory in a LimitError. Package vm has the other limits.
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

// Raise raises the error of a call. An abort ends the case. Raise does not return.
func (e *Engine) Raise(l *lua.LState, err error) {
	var abort *workspace.Abort
	if errors.As(err, &abort) {
		e.VM.Stop(&Abort{e.VM.Where(l), abort})
	}
	e.VM.Raise(l, err)
}
