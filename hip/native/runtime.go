package native

import (
	"cmp"
	"runtime"
	"slices"

	"roclua/hip/driver"
)

// Runtime has the devices of one case. Close frees the memory and the objects of the case.
type Runtime struct {
	driver.Unsupported
	wrapped []driver.Device

	API     *API
	devices []*Device
	several bool // the machine has several devices
	streams int  // number of streams made so far
	closed  bool

	captures map[*Stream]bool // streams whose capture has not ended
	captured [][]byte         // host memory that captured copies use
	graphs   map[*Graph]bool
	execs    map[*GraphExec]bool
	hosts    hostCalls

	thread *thread           // of the host that makes calls now
	pause  func(wait func()) // see driver.Runtime; nil while there was one thread
}

// Open starts a runtime with the devices that the configuration names or the first ones: as many as it requests, or all
// when it requests none.
//
// A platform wraps each device in its own one, which Devices returns.
func Open(a *API, cfg driver.Config, wrap func(*Device) driver.Device) (*Runtime, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer a.ClearError() // no call of the case left it
	count, err := a.DeviceCount()
	if err != nil {
		return nil, err
	}
	if count == 0 {
		return nil, driver.Faultf(driver.ErrorNoDevice, "%s finds no device", a.Library.Path)
	}
	ids, err := chosen(cfg, count)
	if err != nil {
		return nil, err
	}
	rt := &Runtime{Unsupported: a.Platform, API: a, several: count > 1, captures: map[*Stream]bool{},
		graphs: map[*Graph]bool{}, execs: map[*GraphExec]bool{}, hosts: newHostCalls()}
	rt.thread = &thread{rt: rt}
	for number, id := range ids {
		d, err := newDevice(rt, number, id)
		if err != nil {
			return nil, err
		}
		rt.devices, rt.wrapped = append(rt.devices, d), append(rt.wrapped, wrap(d))
	}
	return rt, nil
}

// chosen returns the numbers of the machine's devices that a configuration requests.
func chosen(cfg driver.Config, count int) ([]int, error) {
	if cfg.Devices > count {
		return nil, driver.Faultf(driver.ErrorNoDevice, "%d devices were requested, there are %d", cfg.Devices, count)
	}
	for _, id := range cfg.IDs {
		if id < 0 || id >= count {
			return nil, driver.Faultf(driver.ErrorNoDevice, "device %d was requested, the devices are 0 to %d", id,
				count-1)
		}
	}
	if cfg.IDs != nil {
		return cfg.IDs, nil
	}
	list := make([]int, cmp.Or(cfg.Devices, count))
	for i := range list {
		list[i] = i
	}
	return list, nil
}

// Devices returns the devices of the runtime.
func (rt *Runtime) Devices() []driver.Device { return rt.wrapped }

// Capabilities returns the capabilities of the platform's API.
func (rt *Runtime) Capabilities() driver.Capabilities { return rt.API.Can }

// LastError returns the last error of the calling thread, and resets it if reset is set.
func (rt *Runtime) LastError(reset bool) driver.Error { return rt.API.LastError(reset) }

// Close waits for the devices and frees open objects. It returns the first error, which is the fault of a kernel if one
// failed.
func (rt *Runtime) Close() error {
	if rt.closed {
		return nil
	}
	rt.closed = true
	rt.closeHosts()
	rt.closeCaptures()
	var first error
	for _, d := range rt.devices {
		if err := d.close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// WithDevice runs calls of the runtime, or of another library, that may wait for the device. Functions of streams run
// first, because the device waits for them.
func (d *Device) WithDevice(do func() error) error {
	defer d.End()
	if err := d.Begin(); err != nil {
		return err
	}
	return do()
}

// Begin begins calls of another library for the device, on a thread with the device as its current one. End follows,
// also after an error.
func (d *Device) Begin() error {
	if len(d.rt.hosts.streams) > 0 {
		d.rt.runHostFuncs()
	}
	return d.enter()
}

// OnDevice is WithDevice for calls that do not wait. The vendor's runtime keeps the current device and the latest error
// per thread, so the goroutine stays on its thread during the calls. A thread may have the device of an earlier case,
// so it is set also when this case has one device.
func (d *Device) OnDevice(do func() error) error {
	defer d.End()
	if err := d.enter(); err != nil {
		return err
	}
	return do()
}

func (d *Device) enter() error {
	runtime.LockOSThread()
	if !d.rt.several {
		return nil
	}
	return d.api.makeCurrent(d.id)
}

// End ends the work of Begin.
func (d *Device) End() { runtime.UnlockOSThread() }

func (rt *Runtime) SetDevice(number int) error {
	id := noDevice
	if number >= 0 && number < len(rt.devices) {
		rt.thread.current, id = number, rt.devices[number].id
	}
	return rt.API.setCurrent(id)
}

// Current returns the current device of the thread that makes calls.
func (d *Device) Current() *Device { return d.rt.devices[d.rt.thread.current] }

// NumberOf returns the number of the device that the machine gives another number; 0 if the runtime does not have it.
func (d *Device) NumberOf(id int) int {
	return max(0, slices.IndexFunc(d.rt.devices, func(other *Device) bool { return other.id == id }))
}

// thread is a thread of the host. The vendor's runtime keeps a state for each thread of the operating system, so the
// goroutine that makes a thread stays on its own until Close.
type thread struct {
	rt          *Runtime
	current     int  // number of its current device
	modeChanged bool // it has another capture mode than at first
}

func (rt *Runtime) Thread() driver.Thread { return rt.thread }

// NewThread implements driver.Runtime. The goroutine that calls it stays on its thread of the operating system.
func (rt *Runtime) NewThread(pause func(wait func())) driver.Thread {
	runtime.LockOSThread()
	rt.pause = pause
	return &thread{rt: rt}
}

func (t *thread) Enter() { t.rt.thread = t }

// RunHostFuncs implements driver.Thread. Only the first thread can queue functions.
func (t *thread) RunHostFuncs() error { return nil }

// Moment implements driver.Thread: waits for real devices are not followed.
func (t *thread) Moment() driver.Moment { return driver.Moment{} }

func (t *thread) Follows(driver.Moment) bool { return true }

func (t *thread) Close() {
	if t.modeChanged {
		t.rt.devices[0].ExchangeCaptureMode(driver.CaptureGlobal)
	}
	runtime.UnlockOSThread()
}

// call makes a call of the runtime that may wait for the device.
//
//go:uintptrescapes
func (d *Device) call(name string, args ...uintptr) error {
	return d.WithDevice(func() error { return d.api.Call(name, args...) })
}

// queued makes a call that only queues work.
//
//go:uintptrescapes
func (d *Device) queued(name string, args ...uintptr) error {
	return d.queue(func() error { return d.api.Call(name, args...) })
}

// ask makes a call that neither waits nor queues work.
//
//go:uintptrescapes
func (d *Device) ask(name string, args ...uintptr) error {
	return d.OnDevice(func() error { return d.api.Call(name, args...) })
}

// wait makes a call that only waits, for the device or for the object of a handle.
func (d *Device) wait(name string, handle ...uintptr) error {
	return d.WithDevice(func() error { return d.rt.whileOthers(name, handle...) })
}

// whileOthers makes a call that only waits. Other threads make calls meanwhile.
func (rt *Runtime) whileOthers(name string, handle ...uintptr) (err error) {
	if rt.pause == nil {
		return rt.API.Call(name, handle...)
	}
	rt.pause(func() { err = rt.API.Call(name, handle...) })
	return err
}
