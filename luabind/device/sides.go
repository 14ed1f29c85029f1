package device

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/luabind/api"
	"roclua/luabind/array"
	"roclua/luabind/engine"
)

// HostOrDevice is the source or the destination of a copy: a host array, or an address on the device.
type HostOrDevice struct {
	Array *array.Array
	Ptr   driver.Ptr
}

// String describes the memory in messages.
func (m HostOrDevice) String() string {
	if m.Array != nil {
		return "a host array"
	}
	return "device memory"
}

func readMemory(c *engine.Call, p *api.Param, v lua.LValue) HostOrDevice {
	if ud, ok := v.(*lua.LUserData); ok {
		if a, ok := ud.Value.(*array.Array); ok && a.Managed() != 0 {
			return HostOrDevice{Ptr: a.Managed()}
		} else if ok {
			if p.Filled {
				a.CheckWritable(c, p.Name)
			} else {
				a.BeforeUse(c.Fn.Title())
			}
			return HostOrDevice{Array: a}
		}
	}
	return HostOrDevice{Ptr: engine.ReadPointer(c, p, v)}
}

// checkFits raises an error if a copy is larger than an array.
func checkFits(c *engine.Call, param string, m HostOrDevice, size uint64) {
	if m.Array != nil && size > uint64(len(m.Array.Raw)) {
		c.Bad(param, "the array has %d bytes, fewer than the size %d", len(m.Array.Raw), size)
	}
}

// CheckElements returns an error if device memory holds elements of another type than the array to which they are
// copied. An array of i8 accepts any bytes. The array is nil for a copy on the device.
func CheckElements(c *engine.Call, dst *array.Array, src driver.Ptr, r driver.Rows) error {
	if dst == nil || dst.Kind == "i8" || src == 0 {
		return nil
	}
	return c.Device().CheckElement(src, r, driver.ElementNamed(dst.Kind), c.Fn.Title())
}

// SetElements sets the type of the elements of device memory after a copy from an array, which is nil for a copy on the
// device.
func SetElements(c *engine.Call, dst driver.Ptr, src *array.Array, r driver.Rows) {
	if src != nil && dst != 0 {
		c.Device().SetElement(dst, r, driver.ElementNamed(src.Kind))
	}
}
