package device

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/luabind/engine"
)

func hipDeviceSynchronize(c *engine.Call) error { return c.Device().Synchronize() }

func hipGetDeviceCount(c *engine.Call) error {
	c.Out(lua.LNumber(c.NeedRuntime().DeviceCount()))
	return nil
}

func hipGetDevice(c *engine.Call) error {
	c.Out(lua.LNumber(c.Device().Index()))
	return nil
}

func hipSetDevice(c *engine.Call, device int64) error {
	return c.NeedRuntime().SetDevice(int(device))
}

// checkNumber returns an error if no device has the number. All devices have the properties and attributes of the
// current device.
func checkNumber(c *engine.Call, device engine.Option[int64]) error {
	rt := c.NeedRuntime()
	if !device.Given {
		return nil
	}
	return rt.CheckDevice(int(device.Value))
}

func hipDeviceGetAttribute(c *engine.Call, attribute int64, device engine.Option[int64]) error {
	if err := checkNumber(c, device); err != nil {
		return err
	}
	value, err := c.Device().Attribute(driver.Attribute(attribute))
	c.Out(lua.LNumber(value))
	return err
}

func hipGetDeviceProperties(c *engine.Call, device engine.Option[int64]) error {
	if err := checkNumber(c, device); err != nil {
		return err
	}
	p := c.Device().Properties()
	c.Out(c.NewRecord("properties", lua.LString(p.Name), lua.LString(p.Arch), lua.LNumber(p.MemoryBytes),
		lua.LNumber(p.WarpSize), lua.LNumber(p.Multiprocessors), lua.LNumber(p.MaxThreadsPerBlock),
		lua.LNumber(p.SharedMemPerBlock), lua.LNumber(p.ClockKHz)))
	return nil
}
func hipGetLastError(c *engine.Call) error {
	c.Status = c.Statuses.HIP(c.NeedRuntime().LastError())
	return nil
}

func hipPeekAtLastError(c *engine.Call) error {
	c.Status = c.Statuses.HIP(c.NeedRuntime().PeekAtLastError(c.Fn.C))
	return nil
}
