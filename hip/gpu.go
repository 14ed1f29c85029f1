package hip

import (
	"roclua/hip/driver"
	"roclua/hip/trace"
)

// gpu is what the roles of a Device share, and its properties.
type gpu struct {
	host   *host
	index  int
	driver driver.Device
	null   *Stream
	legacy *Stream // by the name of StreamLegacy; nil before it is used

	executor driver.Executor       // nil on a platform that does not compute
	hazards  driver.HazardReporter // nil on a platform that does not detect hazards
}

// Index returns the device's number.
func (d *gpu) Index() int { return d.index }

// call makes a call for the device: see host.call. A call that names a stream is for the device of the stream.
func (d *gpu) call(c *trace.Call, do func() error) error {
	c.Device = d.index
	return d.host.call(c, do)
}

// setCurrent implements hipSetDevice.
func (d *gpu) setCurrent() error {
	return d.call(&trace.Call{Name: "hipSetDevice"}, func() error {
		d.host.current = d
		if d.host.selector != nil {
			return d.host.selector.SetDevice(d.index)
		}
		return nil
	})
}

// Current returns the current device of the thread that makes calls, which may be another one.
func (d *gpu) Current() *Device { return d.host.current.null.device }

// MakeCurrent makes the device the current one until restore is called, as a library does that needs its handle's
// device: it calls HIP only if another device is the current one.
func (d *gpu) MakeCurrent() (restore func()) {
	before := d.host.current
	if before == d {
		return func() {}
	}
	d.setCurrent()
	return func() { before.setCurrent() }
}

// Properties implements hipGetDeviceProperties.
func (d *gpu) Properties() driver.Properties {
	d.call(&trace.Call{Name: "hipGetDeviceProperties"}, func() error { return nil })
	return d.driver.Properties()
}

// Arch returns the name of the device's architecture. It makes no call of HIP that is recorded.
func (d *gpu) Arch() string { return d.driver.Properties().Arch }

// Attribute implements hipDeviceGetAttribute.
func (d *gpu) Attribute(a driver.Attribute) (value int, err error) {
	err = d.call(&trace.Call{Name: "hipDeviceGetAttribute"}, func() (err error) {
		value, err = d.driver.Attribute(a)
		return err
	})
	return value, err
}

// MemInfo implements hipMemGetInfo: the free and the total bytes of device memory.
func (d *gpu) MemInfo() (free, total uint64, err error) {
	err = d.call(&trace.Call{Name: "hipMemGetInfo"}, func() (err error) {
		free, total, err = d.driver.MemInfo()
		return err
	})
	return free, total, err
}

// FreeBytes returns the free bytes of device memory, or 0 if they are not known. It makes no call of HIP that is
// recorded.
func (d *gpu) FreeBytes() uint64 {
	free, _, err := d.driver.MemInfo()
	if err != nil {
		return 0
	}
	return free
}

// Synchronize implements hipDeviceSynchronize: it waits for every stream and returns the first fault of a kernel.
func (d *gpu) Synchronize() error {
	return d.call(&trace.Call{Name: "hipDeviceSynchronize", Synchronizing: true}, d.driver.Synchronize)
}

// NotifyCall notifies the watcher of a call to a library, which is not a call of HIP.
func (d *gpu) NotifyCall(call string) {
	if d.host.watch != nil {
		d.host.watch(driver.Site{Call: call, Origin: d.host.origin()})
	}
}

// capturer returns the device as a platform that captures streams.
func (d *gpu) capturer() (driver.Capturer, error) {
	if c, ok := d.driver.(driver.Capturer); ok {
		return c, nil
	}
	return nil, driver.Faultf(driver.ErrorNotSupported, "platform %s does not capture streams", d.host.platform)
}

// Capturing reports whether a capture has begun and not ended. While there is none, streams are not asked.
func (d *gpu) Capturing() bool { return len(d.host.captures.open) > 0 }
