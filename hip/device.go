package hip

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/trace"
)

// Device is one GPU. For every parameter that is a stream, a nil *Stream means the device's null stream.
type Device struct {
	host   *host
	index  int
	driver driver.Device
	null   *Stream
	legacy *Stream // by the name of StreamLegacy; nil before it is used
}

func newDevice(host *host, index int, driven driver.Device) *Device {
	d := &Device{host: host, index: index, driver: driven}
	d.null = &Stream{device: d, driver: driven.NullStream()}
	return d
}

// Capabilities returns the features of the platform.
func (d *Device) Capabilities() driver.Capabilities { return d.host.can }

// Needs returns the workspace that a call needs, as the platform's libraries report it.
func (d *Device) Needs(a *routine.Args) (driver.Needs, error) { return d.driver.Needs(a) }

// SearchNumbers queues a search of one array of a call for unusual numbers: see driver.Device. It counts
// neither as a kernel nor as a HIP call.
func (d *Device) SearchNumbers(s *Stream, a *routine.Args, array *routine.Param, found driver.Ptr) error {
	s, err := d.stream(s)
	if err != nil {
		return err
	}
	d.host.site = driver.Site{Call: a.Routine.CName(), Origin: d.host.origin()}
	err = d.driver.SearchNumbers(s.driver, a, array, found)
	d.host.collectHazards()
	d.host.noteResult(driver.CodeOf(err))
	return err
}

// Execute queues one routine call in stream order and returns when it is queued. It counts as a kernel and not as
// a HIP call.
func (d *Device) Execute(s *Stream, l *driver.Launch) error {
	if err := d.host.permitted(); err != nil {
		return err
	}
	s, err := d.stream(s)
	if err != nil {
		return err
	}
	if s.device != d {
		return driver.Faultf(driver.ErrorInvalidHandle, "%s on device %d was given stream %d of device %d",
			l.Args.Routine.CName(), d.index, s.ID(), s.device.index)
	}
	site := driver.Site{Call: l.Args.Routine.CName(), Origin: d.host.origin(), Handle: l.Handle}
	d.host.site = site
	if d.host.watch != nil {
		d.host.watch(site)
	}
	if s.CaptureStatus() != driver.CaptureNone {
		err = d.driver.Execute(s.driver, l)
		d.host.noteResult(driver.CodeOf(err))
		return err
	}
	l.Timer, l.Repeated = s.newKernel(site), d.host.repeats
	err = d.driver.Execute(s.driver, l)
	d.host.collectHazards()
	d.host.noteResult(driver.CodeOf(err))
	if err != nil {
		d.host.record.NotLaunched(d.index)
	}
	return err
}

// Index returns the device's number.
func (d *Device) Index() int { return d.index }

// call makes a call for the device: see host.call. A call that names a stream is for the device of the stream.
func (d *Device) call(c *trace.Call, do func() error) error {
	c.Device = d.index
	return d.host.call(c, do)
}

// setCurrent implements hipSetDevice.
func (d *Device) setCurrent() error {
	return d.call(&trace.Call{Name: "hipSetDevice"}, func() error {
		d.host.current = d
		return d.host.driver.SetDevice(d.index)
	})
}

// Current returns the current device of the thread that makes calls, which may be another one.
func (d *Device) Current() *Device { return d.host.current }

// MakeCurrent makes the device the current one until restore is called, as a library does that needs its handle's
// device: it calls HIP only if another device is the current one.
func (d *Device) MakeCurrent() (restore func()) {
	before := d.host.current
	if before == d {
		return func() {}
	}
	d.setCurrent()
	return func() { before.setCurrent() }
}

// Properties implements hipGetDeviceProperties.
func (d *Device) Properties() driver.Properties {
	d.call(&trace.Call{Name: "hipGetDeviceProperties"}, func() error { return nil })
	return d.driver.Properties()
}

// Arch returns the name of the device's architecture. It makes no HIP call that is recorded.
func (d *Device) Arch() string { return d.driver.Properties().Arch }

// Attribute implements hipDeviceGetAttribute.
func (d *Device) Attribute(a driver.Attribute) (int, error) {
	return ask(d, "hipDeviceGetAttribute", func() (int, error) { return d.driver.Attribute(a) })
}

// ask makes a call for the device that returns a value.
func ask[T any](d *Device, name string, do func() (T, error)) (value T, err error) {
	err = d.call(&trace.Call{Name: name}, func() (err error) {
		value, err = do()
		return err
	})
	return value, err
}

// MemInfo implements hipMemGetInfo: the free and the total bytes of device memory.
func (d *Device) MemInfo() (free, total uint64, err error) {
	err = d.call(&trace.Call{Name: "hipMemGetInfo"}, func() (err error) {
		free, total, err = d.driver.MemInfo()
		return err
	})
	return free, total, err
}

// FreeBytes returns the free bytes of device memory, or 0 if they are not known. It makes no HIP call that is
// recorded.
func (d *Device) FreeBytes() uint64 {
	free, _, err := d.driver.MemInfo()
	if err != nil {
		return 0
	}
	return free
}

// Synchronize implements hipDeviceSynchronize: it waits for every stream and returns the first fault of a kernel.
func (d *Device) Synchronize() error {
	return d.call(&trace.Call{Name: "hipDeviceSynchronize", Synchronizing: true}, d.driver.Synchronize)
}

// NotifyCall notifies the watcher of a call to a library, which is not a HIP call.
func (d *Device) NotifyCall(call string) {
	if d.host.watch != nil {
		d.host.watch(driver.Site{Call: call, Origin: d.host.origin()})
	}
}

// Capturing reports whether a capture has begun and not ended. While there is none, streams are not asked.
func (d *Device) Capturing() bool { return len(d.host.captures.open) > 0 }

// CanAccessPeer implements hipDeviceCanAccessPeer: whether kernels of the device could use memory of another.
func (d *Device) CanAccessPeer(peer int) (can bool, err error) {
	err = d.callPeer("hipDeviceCanAccessPeer", peer, func(peer int) (err error) {
		can, err = d.driver.CanAccessPeer(peer)
		return err
	})
	return can, err
}

// EnablePeerAccess implements hipDeviceEnablePeerAccess: kernels of the device can use memory that hipMalloc allocated
// on another device.
func (d *Device) EnablePeerAccess(peer int) error {
	return d.callPeer("hipDeviceEnablePeerAccess", peer, d.driver.EnablePeerAccess)
}

// DisablePeerAccess implements hipDeviceDisablePeerAccess.
func (d *Device) DisablePeerAccess(peer int) error {
	return d.callPeer("hipDeviceDisablePeerAccess", peer, d.driver.DisablePeerAccess)
}

func (d *Device) callPeer(name string, peer int, do func(peer int) error) error {
	return d.call(&trace.Call{Name: name}, func() error {
		if err := d.host.checkNumber(peer); err != nil {
			return err
		}
		return do(peer)
	})
}

// SetElement declares the type of the elements that device memory holds, on platforms that check it.
func (d *Device) SetElement(p driver.Ptr, r driver.Rows, e driver.Element) {
	if !d.host.closed {
		d.driver.SetElement(p, r, e)
	}
}

// CheckElement returns a *driver.MismatchError if device memory that a call is about to read holds elements of another
// type, on platforms that check it.
func (d *Device) CheckElement(p driver.Ptr, r driver.Rows, e driver.Element, call string) error {
	if d.host.closed {
		return nil
	}
	d.host.site = driver.Site{Call: call, Origin: d.host.origin()}
	return d.driver.CheckElement(p, r, e)
}
