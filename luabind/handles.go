package luabind

import (
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/vm"
	"roclua/workspace"
)

// handleBox is a rocblas_handle in Lua.
type handleBox struct {
	handle    workspace.Handle
	made      string // where the script created it
	destroyed string // where the script destroyed it; "" before
}

// Describe implements vm.Describer.
func (*handleBox) Describe() string { return "a handle" }

// get returns the handle; a null one for nil.
func (b *handleBox) get() workspace.Handle {
	if b == nil {
		return workspace.Null
	}
	return b.handle
}

// allocationBox is workspace that handle:device_malloc allocated.
type allocationBox struct {
	*workspace.Allocation
	made string // where the script allocated it
}

// Describe implements vm.Describer.
func (*allocationBox) Describe() string { return "an allocation" }

const (
	handleType     = "roclua.handle"
	allocationType = "roclua.allocation"
)

// handleClass makes handles and allocations, and keeps those that the case must close.
type handleClass struct {
	s           *state
	created     []*handleBox // by the script, in order
	allocations []*allocationBox
	opened      []*workspace.Opened // under a scheme; the case closes them
}

func (hc *handleClass) open() {
	hc.s.vm.NewType(handleType, map[string]lua.LGFunction{
		"__tostring": func(l *lua.LState) int {
			l.Push(lua.LString(vm.Receiver[*handleBox](hc.s.vm, l).handle.String()))
			return 1
		},
	}).SetFields(func() *lua.LTable { return hc.s.vm.Lazy("handle", hc.method) })
}

func (hc *handleClass) openAllocations() {
	hc.s.vm.NewType(allocationType, map[string]lua.LGFunction{
		"__index": hc.allocationIndex,
		"__len": func(l *lua.LState) int {
			l.Push(lua.LNumber(len(vm.Receiver[*allocationBox](hc.s.vm, l).Spans())))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			a := vm.Receiver[*allocationBox](hc.s.vm, l)
			text := fmt.Sprintf("allocation(%d buffers, %s)", len(a.Spans()), workspace.FormatBytes(a.Bytes()))
			l.Push(lua.LString(text))
			return 1
		},
	})
}

// method returns a method of handles: a method of the class, or a function that takes a handle first.
func (hc *handleClass) method(name string) lua.LValue {
	if fn := hc.s.modules.method(methodsByClass()["handle"], name); fn != nil {
		return fn
	}
	for _, library := range []string{"rocblas", "rocsolver"} {
		m, _ := api.FindModule(library)
		if fn := hc.s.function(m, name, false); fn != nil {
			return fn
		}
	}
	c, _ := api.FindClass("handle")
	hc.s.vm.Raisef(hc.s.vm.Current(), "a handle has no method %q%s", name, nearest.DidYouMean(name, c.MethodNames()))
	return nil
}

// openUnder creates a handle under a scheme. The case closes it.
func (hc *handleClass) openUnder(l *lua.LState, scheme string, bytes uint64) lua.LValue {
	s := hc.s
	opened, err := workspace.Open(s.device(l), s.config(), scheme, bytes)
	if err != nil {
		s.raise(l, err)
	}
	hc.opened = append(hc.opened, opened)
	s.checkDevice(l)
	return s.vm.Object(handleType, &handleBox{handle: opened.Handle, made: s.vm.Where(l)})
}

// handleMethods are the methods that are not functions of the library, or only for those who write routines.
var handleMethods = bodies{
	"query":                          takes3(handleQuery),
	"close":                          takes1(handleClose),
	"set_optimal_device_memory_size": takes2(handleSetOptimal),
	"device_malloc":                  takes2(handleDeviceMalloc),
}

// handleQuery calls a function inside a size query, which is stopped also when the function fails. It returns nil and
// the reason when the need of a call is not known.
func handleQuery(c *call, h workspace.Handle, calls *lua.LFunction, unknown option[uint64]) error {
	if err := h.StartQuery(); err != nil {
		return err
	}
	if unknown.given {
		h.BoundUnknown(unknown.value)
	}
	failed := c.s.vm.Protect(c.l, calls, 0, c.l.Get(1))
	bytes, err := h.StopQuery(false)
	if failed != nil {
		return failed
	}
	reason, err := c.need(bytes, err)
	if reason != "" {
		c.out(lua.LString(reason))
	}
	return err
}

// need adds the result of a size query: the bytes, or nil with a reason when the need of a call is not known.
func (c *call) need(bytes uint64, err error) (reason string, _ error) {
	var unknown *workspace.Unknown
	if errors.As(err, &unknown) {
		c.out(lua.LNil)
		return unknown.Error(), nil
	}
	c.out(lua.LNumber(bytes))
	return "", err
}

// handleClose destroys the handle; a second close does nothing.
func handleClose(c *call, h anyHandle) error {
	if h.destroyed != "" {
		return nil
	}
	return h.destroy(c.s.where(c.l))
}

func (box *handleBox) destroy(at string) error {
	if err := box.handle.Destroy(); err != nil {
		return err
	}
	box.destroyed = at
	return nil
}

func handleSetOptimal(c *call, h workspace.Handle, sizes []uint64) error {
	st, err := h.SetOptimalDeviceMemorySize(sizes...)
	c.status = c.s.statuses.value(st)
	return err
}

// handleDeviceMalloc allocates buffers; it returns nil and the reason when the memory is too small.
func handleDeviceMalloc(c *call, h workspace.Handle, sizes []uint64) error {
	a, err := h.DeviceMalloc(sizes...)
	if err != nil {
		return err
	}
	if a == nil {
		c.out(lua.LNil)
		c.out(c.s.vm.ErrorObject(c.l, h.Shortage(sizes...)))
		return nil
	}
	box := &allocationBox{a, c.s.vm.Where(c.l)}
	c.s.handles.allocations = append(c.s.handles.allocations, box)
	c.out(c.s.vm.Object(allocationType, box))
	return nil
}

// allocationMethods are the methods of what device_malloc returns.
var allocationMethods = bodies{"release": takes1(allocationRelease)}

func allocationRelease(_ *call, a *allocationBox) error { return a.Release() }

// allocationElement is the declaration of a[i].
var allocationElement = &api.Function{Owner: "allocation", Name: "[]"}

// allocationIndex returns a[i], the address of buffer i, and the fields and methods.
func (hc *handleClass) allocationIndex(l *lua.LState) int {
	a := vm.Receiver[*allocationBox](hc.s.vm, l)
	if name, ok := l.Get(2).(lua.LString); ok {
		l.Push(hc.allocationField(l, a, string(name)))
		return 1
	}
	if a.Released() {
		hc.s.vm.Raisef(l, "the allocation made at %s was released", a.made)
	}
	c := &call{s: hc.s, l: l, fn: allocationElement}
	l.Push(hc.s.pointers.value(a.Spans()[c.index(l.Get(2), len(a.Spans()))].Ptr))
	return 1
}

func (hc *handleClass) allocationField(l *lua.LState, a *allocationBox, name string) lua.LValue {
	if name == "bytes" {
		return lua.LNumber(a.Bytes())
	}
	if method := hc.s.modules.method(methodsByClass()["allocation"], name); method != nil {
		return method
	}
	hc.s.vm.Raisef(l, "an allocation has no field %q (allocation[i], allocation.bytes, allocation:release())", name)
	return nil
}
