package engine

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/luabind/api"
	"roclua/luabind/vm"
)

// DevicePtr is a device address in Lua. p + bytes is an address, p - q is a number of bytes, == compares.
type DevicePtr driver.Ptr

// Describe implements vm.Describer.
func (DevicePtr) Describe() string { return "a device pointer" }

// Share implements Shared.
func (p DevicePtr) Share(to *Engine) lua.LValue { return to.VM.Object(pointerType, p) }

const pointerType = "roclua.pointer"

// Pointer returns an address as a Lua value; null is nil.
func (e *Engine) Pointer(p driver.Ptr) lua.LValue {
	if p == 0 {
		return lua.LNil
	}
	return e.VM.Object(pointerType, DevicePtr(p))
}

// openPointers declares the type of device pointers.
func (e *Engine) openPointers() {
	e.VM.NewType(pointerType, map[string]lua.LGFunction{
		"__tostring": Text(e.VM, func(p DevicePtr) string { return fmt.Sprintf("device pointer 0x%x", uint64(p)) }),
		"__eq": func(l *lua.LState) int {
			q, _ := l.CheckUserData(2).Value.(DevicePtr)
			return vm.Push(l, lua.LBool(vm.Receiver[DevicePtr](e.VM, l) == q))
		},
		"__add": e.movePointer,
		"__sub": e.subtractPointer,
		"__index": func(l *lua.LState) int {
			if l.CheckString(2) != "offset" {
				e.VM.Raisef(l, "a device pointer has no field %q; p + bytes moves it", l.CheckString(2))
			}
			return vm.Push(l, e.VM.Function("offset", e.movePointer))
		},
	})
}

func (e *Engine) movePointer(l *lua.LState) int {
	base, offset := l.Get(1), l.Get(2)
	if base.Type() == lua.LTNumber {
		base, offset = offset, base
	}
	ud, _ := base.(*lua.LUserData)
	p, ok := DevicePtr(0), false
	if ud != nil {
		p, ok = ud.Value.(DevicePtr)
	}
	if !ok {
		e.VM.Raisef(l, "%s cannot be moved by %s; a device pointer can", vm.Describe(l.Get(1)),
			vm.Describe(l.Get(2)))
	}
	return vm.Push(l, e.Pointer(driver.Ptr(int64(p)+e.pointerOffset(l, offset))))
}

// The declaration of p + offset and p - offset.
var (
	pointerArithmetic = &api.Function{Owner: "pointer", Name: "offset"}
	offsetParam       = &api.Param{Name: "offset", Kind: api.Bytes}
)

// pointerOffset reads a number of bytes, which may be negative.
func (e *Engine) pointerOffset(l *lua.LState, v lua.LValue) int64 {
	return ReadWhole(&Call{Engine: e, L: l, Fn: pointerArithmetic}, offsetParam, v)
}

func (e *Engine) subtractPointer(l *lua.LState) int {
	p := vm.Receiver[DevicePtr](e.VM, l)
	if ud, ok := l.Get(2).(*lua.LUserData); ok {
		if q, ok := ud.Value.(DevicePtr); ok {
			return vm.Push(l, lua.LNumber(int64(p)-int64(q)))
		}
	}
	return vm.Push(l, e.Pointer(driver.Ptr(int64(p)-e.pointerOffset(l, l.Get(2)))))
}
