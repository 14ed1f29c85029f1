package hip

import (
	"errors"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Device is one GPU. A nil *Stream stands for the device's null stream wherever a stream is asked for.
type Device struct {
	rt     *Runtime
	index  int
	driver driver.Device
	null   *Stream
}

// Index returns the device's number.
func (d *Device) Index() int { return d.index }

// Properties answers hipGetDeviceProperties.
func (d *Device) Properties() driver.Properties {
	d.rt.call(&Call{Name: "hipGetDeviceProperties"}, func() error { return nil })
	return d.driver.Properties()
}

// Attribute answers hipDeviceGetAttribute.
func (d *Device) Attribute(a driver.Attribute) (value int, err error) {
	err = d.rt.call(&Call{Name: "hipDeviceGetAttribute"}, func() (err error) {
		value, err = d.driver.Attribute(a)
		return err
	})
	return value, err
}

// MemInfo answers hipMemGetInfo: the free and the total bytes of device memory.
func (d *Device) MemInfo() (free, total uint64, err error) {
	err = d.rt.call(&Call{Name: "hipMemGetInfo"}, func() (err error) {
		free, total, err = d.driver.MemInfo()
		return err
	})
	return free, total, err
}

// Synchronize answers hipDeviceSynchronize: it waits for every stream and reports the first fault that a kernel met.
func (d *Device) Synchronize() error {
	return d.rt.call(&Call{Name: "hipDeviceSynchronize", Synchronizing: true}, d.driver.Synchronize)
}

// SetCause records a cause for the calls made until restore is called: why a library, and not the script, makes them.
// It holds for the whole runtime, whose host thread is one.
func (d *Device) SetCause(cause string) (restore func()) { return d.rt.setCause(cause) }

// CanExecute reports whether the platform computes routines.
func (d *Device) CanExecute() bool {
	_, ok := d.driver.(driver.Executor)
	return ok
}

// ReportsHazards reports whether the platform watches every use of memory: Runtime.Hazards then tells two streams that
// use one memory without an order, and a wrong address is a fault that the program survives.
func (d *Device) ReportsHazards() bool {
	_, ok := d.driver.(driver.HazardReporter)
	return ok
}

// Needs asks the platform's libraries what workspace a call takes.
func (d *Device) Needs(a *routine.Args) (driver.Needs, error) {
	s, ok := d.driver.(driver.Sizer)
	if !ok {
		return driver.Needs{}, driver.Faultf(driver.ErrorNotSupported, "the libraries of platform %s cannot be asked what a call needs", d.rt.platform)
	}
	return s.Needs(a)
}

// Execute queues one call of a routine in stream order and returns when it is queued. It is counted as a kernel and is
// not a call of HIP.
func (d *Device) Execute(s *Stream, l *driver.Launch) error {
	e, ok := d.driver.(driver.Executor)
	if !ok {
		return driver.Faultf(driver.ErrorNotSupported, "platform %s does not compute routines", d.rt.platform)
	}
	if d.rt.closed {
		return errClosed
	}
	s, err := d.stream(s)
	if err != nil {
		return err
	}
	if s.device != d {
		return driver.Faultf(driver.ErrorInvalidHandle, "%s on device %d was given stream %d of device %d",
			l.Args.Routine.CName(), d.index, s.ID(), s.device.index)
	}
	d.rt.site = driver.Site{Call: l.Args.Routine.CName(), Origin: d.rt.origin()}
	if d.rt.watch != nil {
		d.rt.watch(d.rt.site)
	}
	kernel, ran := d.rt.newKernel(l.Args.Routine.CName(), s.ID())
	l.Ran = ran
	if err := e.Execute(s.driver, l); err != nil {
		return err
	}
	d.rt.record.launched(kernel)
	return nil
}

// stream resolves the stream of a call: nil is the null stream, a destroyed one is an error that says so. Handing a
// destroyed stream to a vendor's runtime would be undefined behaviour.
func (d *Device) stream(s *Stream) (*Stream, error) {
	if s == nil {
		return d.null, nil
	}
	return s, s.usable()
}

// withDetail adds a sentence to an error that has only its code.
func withDetail(err error, detail string) error {
	var f *driver.Fault
	if err == nil || errors.As(err, &f) {
		return err
	}
	return &driver.Fault{Code: driver.CodeOf(err), Detail: detail}
}

// HasLibrary reports whether handles of the device are the vendor's own.
func (d *Device) HasLibrary() bool {
	_, ok := d.driver.(driver.HandleMaker)
	return ok
}

// NewLibraryHandle makes a handle of the vendor's library.
func (d *Device) NewLibraryHandle(environment map[string]string) (driver.LibraryHandle, int, error) {
	m, ok := d.driver.(driver.HandleMaker)
	if !ok {
		return nil, 0, driver.Faultf(driver.ErrorNotSupported, "platform %s has no library of its own", d.rt.platform)
	}
	d.NotifyCall("rocblas_create_handle")
	return m.NewHandle(environment)
}

// NotifyCall tells a watcher of a call to a library that HIP knows nothing of.
func (d *Device) NotifyCall(call string) {
	if d.rt.watch != nil {
		d.rt.watch(driver.Site{Call: call, Origin: d.rt.origin()})
	}
}
