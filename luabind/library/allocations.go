package library

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/units"
	"roclua/luabind/api"
	"roclua/luabind/engine"
	"roclua/luabind/vm"
	"roclua/workspace"
)

// allocationBox is memory of the workspace that handle:device_malloc allocated.
type allocationBox struct {
	*workspace.Allocation
	made string // line of the script that allocated it
}

// Describe implements vm.Describer.
func (*allocationBox) Describe() string { return "an allocation" }

const allocationType = "roclua.allocation"

// openAllocations declares the type of allocations.
func openAllocations(e *engine.Engine) {
	e.VM.NewType(allocationType, map[string]lua.LGFunction{
		"__index": func(l *lua.LState) int { return indexAllocation(e, l) },
		"__len": func(l *lua.LState) int {
			return vm.Push(l, lua.LNumber(len(vm.Receiver[*allocationBox](e.VM, l).Spans())))
		},
		"__tostring": engine.Text(e.VM, func(a *allocationBox) string {
			buffers := units.Count(len(a.Spans()), "buffer")
			return fmt.Sprintf("allocation(%s, %s)", buffers, units.FormatBytes(a.Bytes()))
		}),
	})
}

// handleDeviceMalloc allocates buffers; it returns nil and the reason if the memory is too small.
func handleDeviceMalloc(c *engine.Call, h workspace.Handle, sizes []uint64) error {
	a, err := h.DeviceMalloc(sizes...)
	if err != nil {
		return err
	}
	if a == nil {
		return c.Return(nil, lua.LNil, c.VM.ErrorObject(c.L, h.Shortage(sizes...)))
	}
	box := &allocationBox{a, c.VM.Where(c.L)}
	of(c).allocations = append(of(c).allocations, box)
	return c.Return(nil, c.VM.Object(allocationType, box))
}

// allocationElement is the declaration of a[i].
var allocationElement = &api.Function{Owner: "allocation", Name: "[]"}

// indexAllocation returns a[i], the address of buffer i, and the fields and methods.
func indexAllocation(e *engine.Engine, l *lua.LState) int {
	a := vm.Receiver[*allocationBox](e.VM, l)
	if name, ok := l.Get(2).(lua.LString); ok {
		return vm.Push(l, allocationField(e, l, a, string(name)))
	}
	if a.Released() {
		e.VM.Raisef(l, "the allocation made at %s was released", a.made)
	}
	c := &engine.Call{Engine: e, L: l, Fn: allocationElement}
	return vm.Push(l, e.Pointer(a.Spans()[c.Index(l.Get(2), len(a.Spans()))].Ptr))
}

func allocationField(e *engine.Engine, l *lua.LState, a *allocationBox, name string) lua.LValue {
	if name == "bytes" {
		return lua.LNumber(a.Bytes())
	}
	return e.Member(l, "allocation", a, name)
}
