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
	t := c.NewRecord("properties")
	t.RawSetString("name", lua.LString(p.Name))
	t.RawSetString("gcn_arch_name", lua.LString(p.Arch))
	t.RawSetString("total_global_mem", lua.LNumber(p.MemoryBytes))
	t.RawSetString("warp_size", lua.LNumber(p.WarpSize))
	t.RawSetString("multi_processor_count", lua.LNumber(p.Multiprocessors))
	t.RawSetString("max_threads_per_block", lua.LNumber(p.MaxThreadsPerBlock))
	t.RawSetString("shared_mem_per_block", lua.LNumber(p.SharedMemPerBlock))
	t.RawSetString("clock_rate", lua.LNumber(p.ClockKHz))
	c.Out(t)
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
