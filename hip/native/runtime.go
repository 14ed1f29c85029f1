package native

import (
	"runtime"

	"roclua/hip/driver"
)

// Runtime has the devices of one case. Close frees what the case allocated and made.
type Runtime struct {
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
	pause  func(wait func()) // see driver.Threader; nil while there was one thread
}

// Open starts a runtime with the first devices: as many as the configuration requests, or all when it requests none.
func Open(a *API, cfg driver.Config) (*Runtime, error) {
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
	if cfg.Devices > count {
		return nil, driver.Faultf(driver.ErrorNoDevice, "%d devices were requested, there are %d", cfg.Devices, count)
	}
	rt := &Runtime{API: a, several: count > 1, captures: map[*Stream]bool{}, graphs: map[*Graph]bool{},
		execs: map[*GraphExec]bool{}, hosts: newHostCalls()}
	rt.thread = &thread{rt: rt}
	if cfg.Devices > 0 {
		count = cfg.Devices
	}
	for i := range count {
		d, err := newDevice(rt, i)
		if err != nil {
			return nil, err
		}
		rt.devices = append(rt.devices, d)
	}
	return rt, nil
}

// Devices returns the devices of the runtime.
func (rt *Runtime) Devices() []*Device { return rt.devices }

// Close waits for the devices and frees what is still open. It returns the first error, which is the fault of a kernel
// if one failed.
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

// withDevice runs calls that may wait for one device. Functions of streams run first, because the device waits for
// them.
func (d *Device) withDevice(do func() error) error {
	if len(d.rt.hosts.streams) > 0 {
		d.rt.runHostFuncs()
	}
	return d.onDevice(do)
}

// onDevice runs calls for one device. The vendor's runtime keeps the current device and the latest error per thread,
// so the goroutine stays on its thread during the calls. A thread may have the device of an earlier case, so it is set
// also when this case has one device.
func (d *Device) onDevice(do func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if !d.rt.several {
		return do()
	}
	if err := d.api.call(&d.api.setDevice, "SetDevice", uintptr(d.index)); err != nil {
		return err
	}
	return do()
}

// WithDevice runs calls of another library for the device, on a thread with the device as its current one.
func (d *Device) WithDevice(do func() error) error { return d.withDevice(do) }
