// Package library has the modules rocblas and rocsolver of scripts: handles, the routines of both libraries, and the
// functions that take no handle.
package library

import (
	"errors"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/luabind/engine"
	"roclua/workspace"
)

// handleBox is a rocblas_handle in Lua.
type handleBox struct {
	handle    workspace.Handle
	made      string // line of the script that created it
	destroyed string // line of the script that destroyed it; "" before
	guard     *engine.Guard
}

// Guard implements engine.Guarded.
func (b *handleBox) Guard() *engine.Guard { return b.guard }

// Share returns a handle of another machine for scripts of this one; ok is false for other objects.
func Share(to *engine.Engine, v *lua.LUserData, g *engine.Guard) (shared lua.LValue, ok bool) {
	box, ok := v.Value.(*handleBox)
	if !ok {
		return nil, false
	}
	return to.VM.Object(handleType, &handleBox{handle: box.handle, made: box.made, destroyed: box.destroyed,
		guard: g}), true
}

// Describe implements vm.Describer.
func (*handleBox) Describe() string { return "a handle" }

// get returns the handle; the null handle for nil.
func (b *handleBox) get() workspace.Handle {
	if b == nil {
		return workspace.Null
	}
	return b.handle
}

const handleType = "roclua.handle"

// openHandles declares the type of handles.
func openHandles(e *engine.Engine) {
	meta := e.VM.NewType(handleType, map[string]lua.LGFunction{
		"__tostring": engine.Text(e.VM, func(b *handleBox) (text string) {
			e.During(func() { text = b.handle.String() })
			return text
		}),
	})
	methods := e.VM.Lazy("handle", func(name string) lua.LValue { return handleMethod(e, name) })
	meta.RawSetString("__index", methods)
}

// handleMethod returns a method of handles: a method of the class, or a function that takes a handle first.
func handleMethod(e *engine.Engine, name string) lua.LValue {
	if fn := e.Method("handle", name); fn != nil {
		return fn
	}
	if list := routine.Named(name); len(list) == 2 {
		return ofTwo(e, name, list)
	}
	for _, library := range []string{"rocblas", "rocsolver"} {
		m, _ := api.FindModule(library)
		if fn := e.Function(m, name, false); fn != nil {
			return fn
		}
	}
	return e.Member(e.VM.Current(), "handle", (*handleBox)(nil), name)
}

// ofTwo returns the method for a name that both libraries have. The arguments say which routine is meant: their names,
// or their number.
func ofTwo(e *engine.Engine, name string, list []*routine.Routine) lua.LValue {
	return e.VM.Function("handle:"+name, func(l *lua.LState) int {
		var r *routine.Routine
		if given, ok := l.Get(2).(*lua.LTable); ok {
			r = ofArguments(list, given)
		} else if i := slices.IndexFunc(list, func(r *routine.Routine) bool {
			return len(r.Params) == l.GetTop()-1
		}); i >= 0 {
			r = list[i]
		}
		if r == nil {
			e.VM.Raisef(l, "%s: call rocblas.%[2]s or rocsolver.%[2]s", routine.Ambiguous(name, list), name)
		}
		return e.ModuleFunction(r.Library.String(), r.Name).GFunction(l)
	})
}

// handleMethods are the methods that are not functions of the library, or are for scripts that define routines.
func handleMethods() engine.Bodies {
	return engine.Bodies{
		"query":                          engine.Takes3(handleQuery),
		"prepare":                        engine.Takes3(handlePrepare),
		"gemm_kernel":                    engine.Takes3(handleGemmKernel),
		"close":                          engine.Takes1(handleClose),
		"set_optimal_device_memory_size": engine.Takes2(handleSetOptimal),
		"device_malloc":                  engine.Takes2(handleDeviceMalloc),
	}
}

// handleQuery calls a function inside a size query, and stops the query even if the function fails. It returns nil and
// the reason if the need of a call is not known.
func handleQuery(c *engine.Call, h workspace.Handle, calls *lua.LFunction, unknown engine.Option[uint64]) error {
	if err := h.StartQuery(); err != nil {
		return err
	}
	if unknown.Given {
		h.BoundUnknown(unknown.Value)
	}
	var failed error
	c.Outside(func() { failed = c.VM.Protect(c.L, calls, 0, c.L.Get(1)) })
	bytes, err := h.StopQuery(false)
	if failed != nil {
		return failed
	}
	reason, err := need(c, bytes, err)
	if reason != "" {
		c.Out(lua.LString(reason))
	}
	return err
}

// need adds the result of a size query: the bytes, or nil if the need of a call is not known, for the reason returned.
func need(c *engine.Call, bytes uint64, err error) (reason string, _ error) {
	var unknown *workspace.Unknown
	if errors.As(err, &unknown) {
		c.Out(lua.LNil)
		return unknown.Error(), nil
	}
	c.Out(lua.LNumber(bytes))
	return "", err
}

// handleClose destroys the handle; a second close does nothing.
func handleClose(c *engine.Call, h anyHandle) error {
	if h.destroyed != "" {
		return nil
	}
	return h.destroy(c.Where(c.L))
}

func (box *handleBox) destroy(at string) error {
	if err := box.handle.Destroy(); err != nil {
		return err
	}
	box.destroyed = at
	return nil
}

func handleSetOptimal(c *engine.Call, h workspace.Handle, sizes []uint64) error {
	st, err := h.SetOptimalDeviceMemorySize(sizes...)
	c.Status = c.Statuses.Value(st)
	return err
}

func readAnyHandle(c *engine.Call, p *api.Param, v lua.LValue) anyHandle {
	return anyHandle{engine.Object[*handleBox](c, p, v)}
}

// anyHandle is a handle that may have been destroyed.
type anyHandle struct{ *handleBox }

func readHandle(c *engine.Call, p *api.Param, v lua.LValue) *handleBox {
	if v == lua.LNil && p.Nil != "" {
		return nil
	}
	box := engine.Object[*handleBox](c, p, v)
	if box.destroyed != "" {
		c.Bad(p.Name, "the handle was destroyed at %s", box.destroyed)
	}
	return box
}

func readModel(c *engine.Call, p *api.Param, v lua.LValue) workspace.Handle {
	return readHandle(c, p, v).get()
}

// SetStream sets the stream of a handle that OpenUnder returned.
func (ls *State) SetStream(handle lua.LValue, stream *hip.Stream) error {
	return handle.(*lua.LUserData).Value.(*handleBox).handle.SetStream(stream)
}

// Extension adds the modules rocblas and rocsolver to the engine, with their routines.
func Extension() engine.Extension {
	return engine.Extension{
		Functions: map[string]engine.Bodies{"rocblas.": rocblasFunctions(), "rocsolver.": rocsolverFunctions(),
			"hipblas.": hipblasFunctions(), "hipsolver.": hipsolverFunctions(),
			"handle:":     handleMethods(),
			"allocation:": {"release": engine.Does1((*allocationBox).Release)},
			"prepared:":   {"set": engine.Takes2(preparedSet)}},
		Readers: map[api.Kind][]any{
			api.Handle:     {readHandle, readModel, readAnyHandle},
			api.Allocation: {engine.Object[*allocationBox]},
			api.Prepared:   {engine.Object[*Prepared]},
			api.Rfinfo:     {readRfinfo},
			api.Jacobi:     {readJacobi},
			api.Params:     {readParams},
		},
		Types: map[string]func(*engine.Engine){handleType: openHandles, allocationType: openAllocations,
			preparedType: openPrepared,
			rfinfoType:   func(e *engine.Engine) { e.VM.NewType(rfinfoType, nil) },
			jacobiType:   func(e *engine.Engine) { e.VM.NewType(jacobiType, nil) },
			paramsType:   func(e *engine.Engine) { e.VM.NewType(paramsType, nil) }},
		Routine: bindRoutine,
	}
}
