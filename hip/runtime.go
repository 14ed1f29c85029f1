package hip

import (
	"context"
	"time"

	"roclua/hip/driver"
)

// Runtime is a platform as one case uses it: its devices, and the one thread of the host that makes calls.
type Runtime struct {
	*thread
	driver  driver.Runtime
	devices []*Device
}

func newRuntime(platform string, d driver.Runtime) *Runtime {
	t := &thread{shared: &shared{platform: platform, opened: time.Now()}, cause: CauseScript,
		origin: func() string { return "" }}
	rt := &Runtime{thread: t, driver: d}
	for i, dev := range d.Devices() {
		rt.devices = append(rt.devices, newDevice(t, i, dev))
		t.current = rt.devices[0].gpu
	}
	t.last.keeper, _ = d.(driver.ErrorKeeper)
	if l, ok := d.(driver.Locator); ok {
		l.SetLocator(func() driver.Site { return t.site })
	}
	return rt
}

// Platform returns the name under which the platform is registered.
func (rt *Runtime) Platform() string { return rt.platform }

// DeviceCount implements hipGetDeviceCount.
func (rt *Runtime) DeviceCount() int {
	rt.call(&Call{Name: "hipGetDeviceCount"}, func() error { return nil })
	return len(rt.devices)
}

// SetDevice implements hipSetDevice: it makes a device the current one.
func (rt *Runtime) SetDevice(i int) error {
	return rt.call(&Call{Name: "hipSetDevice"}, func() error {
		if err := rt.CheckDevice(i); err != nil {
			return err
		}
		rt.current = rt.devices[i].gpu
		return nil
	})
}

// CheckDevice returns an error if there is no device with a number.
func (rt *Runtime) CheckDevice(i int) error {
	if i < 0 || i >= len(rt.devices) {
		return driver.Faultf(driver.ErrorInvalidDevice, "there is no device %d, the devices are 0 to %d", i,
			len(rt.devices)-1)
	}
	return nil
}

// Device returns the current device, device 0 at first.
func (rt *Runtime) Device() *Device { return rt.devices[rt.current.index] }

// SetContext bounds the time that the host waits for the devices, on platforms that can interrupt a wait. When the
// context ends during a wait, all further calls of the devices return ErrorLaunchTimeOut.
func (rt *Runtime) SetContext(ctx context.Context) {
	if i, ok := rt.driver.(driver.Interrupter); ok {
		i.SetContext(ctx)
	}
}

// StagedBytes returns the host memory that queued copies hold.
func (rt *Runtime) StagedBytes() uint64 {
	if s, ok := rt.driver.(driver.Stager); ok {
		return s.StagedBytes()
	}
	return 0
}

// UnwrittenReads returns the reads of device memory that nothing had written, since it was last called, device by
// device. It returns none on a platform that does not check memory.
func (rt *Runtime) UnwrittenReads() []driver.UnwrittenRead {
	var all []driver.UnwrittenRead
	for _, d := range rt.devices {
		if c, ok := d.driver.(driver.MemoryChecker); ok {
			all = append(all, c.UnwrittenReads()...)
		}
	}
	return all
}

// EndCaptures ends the captures that have not ended, without a call that is recorded, and returns the calls that began
// them. Their graphs are destroyed.
func (rt *Runtime) EndCaptures() []driver.Site {
	var open []driver.Site
	for _, o := range rt.open.sorted(streamKind) {
		s := o.(*Stream)
		if s.capture == nil || s.capture.ended != nil || rt.closed {
			continue
		}
		open = append(open, s.capture.begun)
		rt.site = driver.Site{Call: "the end of the case"}
		if c, err := s.device.capturer(); err == nil {
			if g, err := c.EndCapture(s.driver); err == nil {
				g.Destroy()
			}
		}
		s.explainEnd(nil)
	}
	return open
}

// Close waits for running kernels and frees everything that is still open. Calls after it fail with ErrorDeinitialized.
// A second Close does nothing.
func (rt *Runtime) Close() error {
	if rt.closed {
		return nil
	}
	rt.closed = true
	rt.last.stay()
	defer rt.last.leave()
	defer rt.last.reset() // the next case may use the thread
	return rt.driver.Close()
}
