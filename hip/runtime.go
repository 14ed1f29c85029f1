package hip

import (
	"context"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// Runtime is a platform as one case uses it: its devices, and the threads of the host that make calls.
type Runtime struct {
	*host
	driver  driver.Runtime
	devices []*Device
}

func newRuntime(platform string, d driver.Runtime) *Runtime {
	h := &host{platform: platform}
	h.record.Start(len(d.Devices()))
	h.main = newThread(h)
	h.Thread = h.main
	rt := &Runtime{host: h, driver: d}
	for i, dev := range d.Devices() {
		rt.devices = append(rt.devices, newDevice(h, i, dev))
	}
	h.current = rt.devices[0].gpu
	h.blocks.devices = make([]held, len(rt.devices))
	h.selector, _ = d.(driver.DeviceSelector)
	h.last.keeper, _ = d.(driver.ErrorKeeper)
	if h.threader, _ = d.(driver.Threader); h.threader != nil {
		h.driven = h.threader.Thread()
	}
	if l, ok := d.(driver.Locator); ok {
		l.SetLocator(func() driver.Site { return h.site })
	}
	return rt
}

func newThread(h *host) *Thread {
	return &Thread{host: h, cause: trace.CauseScript, origin: func() string { return "" }}
}

// Main returns the first thread of the runtime.
func (rt *Runtime) Main() *Thread { return rt.main }

// Share lets several threads make calls until Unshare is called: each between Enter and Leave, the first one as well.
func (rt *Runtime) Share() error {
	if rt.threader == nil {
		return driver.Faultf(driver.ErrorNotSupported, "platform %s has one thread of the host", rt.platform)
	}
	rt.several = true
	return nil
}

// Unshare lets the first thread make calls alone. All others are closed.
func (rt *Runtime) Unshare() {
	rt.several = false
	rt.main.use()
}

// NewThread makes a thread for the goroutine that calls it, while the runtime is shared. Device 0 is its current one.
// All that the first thread has waited for is done for the new one, too, and it has the same context.
func (rt *Runtime) NewThread() *Thread {
	h := rt.host
	h.mu.Lock()
	defer h.mu.Unlock()
	h.main.use()
	t := newThread(h)
	t.current, t.last.keeper, t.last.successClears = rt.devices[0].gpu, h.last.keeper, h.last.successClears
	t.driven = h.threader.NewThread(func(wait func()) { h.Thread.Outside(wait) })
	return t
}

// Imitate makes a thread of a recorded program. The goroutine of the first thread makes its calls, too, after Use. It
// has a current device, a last error and a mode of captures, and shares with the other threads what the host has waited
// for: a recording does not show how they wait for one another.
func (rt *Runtime) Imitate() *Thread {
	t := newThread(rt.host)
	t.current, t.last.successClears, t.origin = rt.devices[0].gpu, rt.main.last.successClears, rt.main.origin
	t.driven = rt.threader.NewThread(nil)
	return t
}

// Platform returns the name under which the platform is registered.
func (rt *Runtime) Platform() string { return rt.platform }

// DeviceCount implements hipGetDeviceCount.
func (rt *Runtime) DeviceCount() int {
	rt.current.call(&trace.Call{Name: "hipGetDeviceCount"}, func() error { return nil })
	return len(rt.devices)
}

// SetDevice implements hipSetDevice: it makes a device the current one.
func (rt *Runtime) SetDevice(i int) error {
	if err := rt.checkNumber(i); err != nil {
		return rt.current.call(&trace.Call{Name: "hipSetDevice"}, func() error {
			if rt.selector != nil {
				rt.selector.SetDevice(i)
			}
			return err
		})
	}
	return rt.devices[i].setCurrent()
}

// Numbered returns a device by its number, for a call that names it. If there is none, the call is recorded and fails.
func (rt *Runtime) Numbered(call string, i int) (*Device, error) {
	if err := rt.checkNumber(i); err != nil {
		return nil, rt.current.call(&trace.Call{Name: call}, func() error { return err })
	}
	return rt.devices[i], nil
}

// Devices returns all devices. It is not a call of HIP.
func (rt *Runtime) Devices() []*Device { return rt.devices }

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
		s.endCapture(nil)
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
