package device

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/luabind/engine"
)

// Watch returns a function that reports whether device memory, a stream or an event was released since. Memory that was
// allocated at the same address later is other memory.
func Watch(e *engine.Engine, v lua.LValue) (released func() bool) {
	switch o := v.(*lua.LUserData).Value.(type) {
	case *streamBox:
		return o.stream.Destroyed
	case *eventBox:
		return o.event.Destroyed
	case engine.DevicePtr:
		allocation := 0
		e.During(func() { allocation = e.Device().AllocationNumber(driver.Ptr(o)) })
		return func() (gone bool) {
			e.During(func() { gone = e.Device().AllocationNumber(driver.Ptr(o)) != allocation })
			return gone
		}
	}
	panic("device: neither memory, nor a stream, nor an event")
}
