package device

import (
	"roclua/hip/driver"
	"roclua/luabind/array"
	"roclua/luabind/engine"
)

func hipUpload(c *engine.Call, a *array.Array) error {
	dev := c.Device()
	p, err := dev.Malloc(uint64(len(a.Raw)))
	if err == nil {
		err = dev.Write(p, a.Raw)
	}
	if err == nil {
		SetElements(c, p, a, driver.Rows{Width: uint64(len(a.Raw)), Count: 1})
	}
	c.Out(c.Pointer(p))
	return err
}

func hipDownload(c *engine.Call, a *array.Array, p driver.Ptr) error {
	c.Out(c.L.Get(1))
	if err := CheckElements(c, a, p, driver.Rows{Width: uint64(len(a.Raw)), Count: 1}); err != nil {
		return err
	}
	a.BeforeFilling(c.Fn.Title(), nil)
	return c.Device().Read(a.Raw, p)
}

// hipReinterpret declares the type of what device memory holds.
func hipReinterpret(c *engine.Call, p driver.Ptr, size uint64, kind array.ElementKind) error {
	c.Device().SetElement(p, size, driver.ElementNamed(kind.Name))
	return nil
}
