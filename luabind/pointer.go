package luabind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/luabind/api"
	"roclua/luabind/vm"
)

// devicePtr is a device address in Lua. p + bytes is an address, p - q is a number of bytes, == compares.
type devicePtr driver.Ptr

// Describe implements vm.Describer.
func (devicePtr) Describe() string { return "a device pointer" }

const pointerType = "roclua.pointer"

// pointerClass makes device pointers.
type pointerClass struct{ s *state }

func (pc pointerClass) open() {
	pc.s.vm.NewType(pointerType, map[string]lua.LGFunction{
		"__tostring": func(l *lua.LState) int {
			l.Push(lua.LString(fmt.Sprintf("device pointer 0x%x", uint64(vm.Receiver[devicePtr](pc.s.vm, l)))))
			return 1
		},
		"__eq": func(l *lua.LState) int {
			q, _ := l.CheckUserData(2).Value.(devicePtr)
			l.Push(lua.LBool(vm.Receiver[devicePtr](pc.s.vm, l) == q))
			return 1
		},
		"__add": pc.add,
		"__sub": pc.subtract,
		"__index": func(l *lua.LState) int {
			if l.CheckString(2) != "offset" {
				pc.s.vm.Raisef(l, "a device pointer has no field %q; p + bytes moves it", l.CheckString(2))
			}
			l.Push(pc.s.vm.Function("offset", pc.add))
			return 1
		},
	})
}

// value wraps an address; null is nil.
func (pc pointerClass) value(p driver.Ptr) lua.LValue {
	if p == 0 {
		return lua.LNil
	}
	return pc.s.vm.Object(pointerType, devicePtr(p))
}

func (pc pointerClass) add(l *lua.LState) int {
	base, offset := l.Get(1), l.Get(2)
	if base.Type() == lua.LTNumber {
		base, offset = offset, base
	}
	ud, _ := base.(*lua.LUserData)
	p, ok := devicePtr(0), false
	if ud != nil {
		p, ok = ud.Value.(devicePtr)
	}
	if !ok {
		pc.s.vm.Raisef(l, "%s cannot be moved by %s; a device pointer can", vm.Describe(l.Get(1)),
			vm.Describe(l.Get(2)))
	}
	l.Push(pc.value(driver.Ptr(int64(p) + pc.offset(l, offset))))
	return 1
}

// The declaration of p + offset and p - offset.
var (
	pointerArithmetic = &api.Function{Owner: "pointer", Name: "offset"}
	pointerOffset     = &api.Param{Name: "offset", Kind: api.Bytes}
)

// offset reads a number of bytes, which may be negative.
func (pc pointerClass) offset(l *lua.LState, v lua.LValue) int64 {
	return readWhole(&call{s: pc.s, l: l, fn: pointerArithmetic}, pointerOffset, v)
}

func (pc pointerClass) subtract(l *lua.LState) int {
	p := vm.Receiver[devicePtr](pc.s.vm, l)
	if ud, ok := l.Get(2).(*lua.LUserData); ok {
		if q, ok := ud.Value.(devicePtr); ok {
			l.Push(lua.LNumber(int64(p) - int64(q)))
			return 1
		}
	}
	l.Push(pc.value(driver.Ptr(int64(p) - pc.offset(l, l.Get(2)))))
	return 1
}
