package hip

import (
	"context"
	"time"

	"roclua/hip/driver"
)

// Runtime is a platform as one case uses it: its devices, and a record of what was done with them.
type Runtime struct {
	platform string
	driver   driver.Runtime
	devices  []*Device
	closed   bool
	thread   // the host's only one

	opened time.Time
	watch  func(driver.Site)  // called before every call; may be nil
	refuse func(*Call) string // called before every allocation, returns why it is made to fail; may be nil
	record recorder
	blocks ledger
	open   openObjects

	captures []*captureRecord    // that have not ended
	reserved map[driver.Ptr]bool // memory that is allocated in graphs
}

// thread is what HIP and this package keep for each thread of the host that makes calls.
type thread struct {
	current  int         // the number of the current device
	site     driver.Site // the current call, for the platform's hazards and faults
	cause    string      // the cause of the current calls
	origin   func() string
	hostFunc *HostRun // the function of LaunchHostFunc that runs now; nil otherwise
	last     lastError
}

func newRuntime(platform string, d driver.Runtime) *Runtime {
	rt := &Runtime{platform: platform, driver: d, opened: time.Now(),
		thread: thread{cause: CauseScript, origin: func() string { return "" }}}
	for i, dev := range d.Devices() {
		rt.devices = append(rt.devices, newDevice(rt, i, dev))
	}
	rt.last.keeper, _ = d.(driver.ErrorKeeper)
	if l, ok := d.(driver.Locator); ok {
		l.SetLocator(func() driver.Site { return rt.site })
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
		rt.current = i
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
func (rt *Runtime) Device() *Device { return rt.devices[rt.current] }

// SetOrigin sets the function that returns the current line of the script, "solve.lua:12". It is called at every call.
func (rt *Runtime) SetOrigin(origin func() string) { rt.origin = origin }

// SetWatcher sets a function that is called before every call of HIP and of a routine.
func (rt *Runtime) SetWatcher(watch func(driver.Site)) { rt.watch = watch }

// SetContext bounds the time that the host waits for the devices, on platforms that can interrupt a wait. When the
// context ends during a wait, all further calls of the devices return ErrorLaunchTimeOut.
func (rt *Runtime) SetContext(ctx context.Context) {
	if i, ok := rt.driver.(driver.Interrupter); ok {
		i.SetContext(ctx)
	}
}

// HeldBytes returns the bytes of device memory that are allocated now.
func (rt *Runtime) HeldBytes() uint64 { return rt.blocks.bytes }

// StagedBytes returns the host memory that queued copies hold.
func (rt *Runtime) StagedBytes() uint64 {
	if s, ok := rt.driver.(driver.Stager); ok {
		return s.StagedBytes()
	}
	return 0
}

// OpenStreams returns the number of streams that are open now.
func (rt *Runtime) OpenStreams() int { return len(rt.open.streams) }

// Hazards returns the unordered uses of memory that the devices detected since it was last called, in the order in
// which the later use was queued. It returns none on a platform that does not detect them.
func (rt *Runtime) Hazards() []driver.Hazard {
	rt.collectHazards()
	all := rt.record.pending
	rt.record.pending = nil
	return all
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

// call makes one call of HIP by do, and records it with its cause, its place and its times.
func (rt *Runtime) call(c *Call, do func() error) error {
	c.Cause, c.Origin = rt.cause, rt.origin()
	rt.site = driver.Site{Call: c.Name, Origin: c.Origin}
	if rt.watch != nil {
		rt.watch(rt.site)
	}
	start := rt.clock()
	rt.last.stay()
	defer rt.last.leave()
	var err error
	if rt.closed || rt.hostFunc != nil {
		err = rt.permitted()
	} else {
		err = do()
	}
	c.Seconds, c.Duration = start.Seconds(), (rt.clock() - start).Seconds()
	c.Result = driver.CodeOf(err)
	rt.noteResult(c.Result)
	rt.record.add(*c)
	rt.collectHazards()
	return err
}

// permitted returns the error of every call after Close, and of those that a function of LaunchHostFunc makes.
func (rt *Runtime) permitted() error {
	switch {
	case rt.closed:
		return errClosed
	case rt.hostFunc != nil:
		return driver.Faultf(driver.ErrorNotPermitted, "the function that %s queued cannot make calls of HIP",
			rt.hostFunc.Queued)
	}
	return nil
}

// noteResult records the result of the current call as the last error. A function that a stream calls is not on the
// thread of the script.
func (rt *Runtime) noteResult(code driver.Error) {
	if rt.hostFunc == nil {
		rt.last.note(code, rt.site)
	}
	if code != driver.Success && len(rt.captures) > 0 {
		rt.noteCaptures(code)
	}
}

var errClosed error = driver.Faultf(driver.ErrorDeinitialized, "the runtime is closed")

// setCause sets the cause of calls until restore is called.
func (rt *Runtime) setCause(cause string) (restore func()) {
	before := rt.cause
	rt.cause = cause
	return func() { rt.cause = before }
}
