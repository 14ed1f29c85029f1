package device

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/engine"
)

func hipDeviceSynchronize(c *engine.Call) error { return c.Device().Synchronize() }

func hipGetDeviceCount(c *engine.Call) error {
	return c.Return(nil, lua.LNumber(c.NeedRuntime().DeviceCount()))
}

func hipGetDevice(c *engine.Call) error { return c.Return(nil, lua.LNumber(c.Device().Index())) }

func hipSetDevice(c *engine.Call, device int64) error {
	return c.NeedRuntime().SetDevice(int(device))
}

// numbered returns a device by its number, or the current device if none is given.
func numbered(c *engine.Call, device engine.Option[int64]) (*hip.Device, error) {
	if !device.Given {
		return c.Device(), nil
	}
	return c.NeedRuntime().Numbered(c.Fn.C, int(device.Value))
}

func hipDeviceGetAttribute(c *engine.Call, attribute int64, device engine.Option[int64]) error {
	d, err := numbered(c, device)
	if err != nil {
		return err
	}
	value, err := d.Attribute(driver.Attribute(attribute))
	return c.Return(err, lua.LNumber(value))
}

func hipGetDeviceProperties(c *engine.Call, device engine.Option[int64]) error {
	d, err := numbered(c, device)
	if err != nil {
		return err
	}
	p := d.Properties()
	c.Out(c.NewRecord("properties", lua.LString(p.Name), lua.LString(p.Arch), lua.LNumber(p.MemoryBytes),
		lua.LNumber(p.WarpSize), lua.LNumber(p.Multiprocessors), lua.LNumber(p.MaxThreadsPerBlock),
		lua.LNumber(p.SharedMemPerBlock), lua.LNumber(p.ClockKHz)))
	return nil
}

func hipDeviceCanAccessPeer(c *engine.Call, device, peer int64) error {
	d, err := c.NeedRuntime().Numbered(c.Fn.C, int(device))
	if err != nil {
		return err
	}
	can, err := d.CanAccessPeer(int(peer))
	return c.Return(err, lua.LBool(can))
}

func hipDeviceEnablePeerAccess(c *engine.Call, peer, _ int64) error {
	return c.Device().EnablePeerAccess(int(peer))
}

func hipDeviceDisablePeerAccess(c *engine.Call, peer int64) error {
	return c.Device().DisablePeerAccess(int(peer))
}

func hipGetLastError(c *engine.Call) error {
	c.Status = c.Statuses.Value(c.NeedRuntime().LastError())
	return nil
}

func hipPeekAtLastError(c *engine.Call) error {
	c.Status = c.Statuses.Value(c.NeedRuntime().PeekAtLastError(c.Fn.C))
	return nil
}
