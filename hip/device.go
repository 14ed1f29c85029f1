package hip

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Device is one GPU. For every parameter that is a stream, a nil *Stream means the device's null stream.
type Device struct {
	rt     *Runtime
	index  int
	driver driver.Device
	null   *Stream

	executor driver.Executor       // nil on a platform that does not compute
	hazards  driver.HazardReporter // nil on a platform that does not detect hazards
}

// Index returns the device's number.
func (d *Device) Index() int { return d.index }

// Properties implements hipGetDeviceProperties.
func (d *Device) Properties() driver.Properties {
	d.rt.call(&Call{Name: "hipGetDeviceProperties"}, func() error { return nil })
	return d.driver.Properties()
}

// Attribute implements hipDeviceGetAttribute.
func (d *Device) Attribute(a driver.Attribute) (value int, err error) {
	err = d.rt.call(&Call{Name: "hipDeviceGetAttribute"}, func() (err error) {
		value, err = d.driver.Attribute(a)
		return err
	})
	return value, err
}

// MemInfo implements hipMemGetInfo: the free and the total bytes of device memory.
func (d *Device) MemInfo() (free, total uint64, err error) {
	err = d.rt.call(&Call{Name: "hipMemGetInfo"}, func() (err error) {
		free, total, err = d.driver.MemInfo()
		return err
	})
	return free, total, err
}

// FreeBytes returns the free bytes of device memory, or 0 if they are not known. It makes no call of HIP that is
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
	return d.rt.call(&Call{Name: "hipDeviceSynchronize", Synchronizing: true}, d.driver.Synchronize)
}

// SetCause sets the cause that is recorded for calls until restore is called: why a library, and not the script, makes
// them. It applies to all devices of the runtime.
func (d *Device) SetCause(cause string) (restore func()) { return d.rt.setCause(cause) }

// CanExecute reports whether the platform computes routines.
func (d *Device) CanExecute() bool { return d.executor != nil }

// ReportsHazards reports whether the platform watches every use of memory. Runtime.Hazards then returns unordered uses
// of the same memory by two streams, and a wrong address is an error instead of a crash.
func (d *Device) ReportsHazards() bool { return d.hazards != nil }

// Needs returns the workspace that a call needs, as the platform's libraries report it.
func (d *Device) Needs(a *routine.Args) (driver.Needs, error) {
	s, ok := d.driver.(driver.Sizer)
	if !ok {
		return driver.Needs{}, driver.Faultf(driver.ErrorNotSupported,
			"the libraries of platform %s do not report what a call needs", d.rt.platform)
	}
	return s.Needs(a)
}

// Execute queues one call of a routine in stream order and returns when it is queued. It counts as a kernel and not as
// a call of HIP.
func (d *Device) Execute(s *Stream, l *driver.Launch) error {
	e := d.executor
	if e == nil {
		return driver.Faultf(driver.ErrorNotSupported, "platform %s does not compute routines", d.rt.platform)
	}
	if err := d.rt.permitted(); err != nil {
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
	d.rt.site = driver.Site{Call: l.Args.Routine.CName(), Origin: d.rt.origin()}
	if d.rt.watch != nil {
		d.rt.watch(d.rt.site)
	}
	if s.IsCaptured() {
		err = e.Execute(s.driver, l)
		d.rt.noteResult(driver.CodeOf(err))
		return err
	}
	l.Timer = d.rt.newKernel(d.rt.site.Call, s.ID())
	err = e.Execute(s.driver, l)
	d.rt.collectHazards()
	d.rt.noteResult(driver.CodeOf(err))
	if err != nil {
		d.rt.record.notLaunched()
		return err
	}
	d.rt.record.queued++
	return nil
}

// stream resolves the stream of a call: nil is the null stream, and a destroyed stream is an error. Passing a destroyed
// stream to a vendor's runtime would be undefined behavior.
func (d *Device) stream(s *Stream) (*Stream, error) {
	if s == nil {
		return d.null, nil
	}
	return s, s.usable()
}

// HasLibrary reports whether handles of the device are the vendor's own.
func (d *Device) HasLibrary() bool {
	_, ok := d.driver.(driver.HandleMaker)
	return ok
}

// NewLibraryHandle makes a handle of the vendor's library. defaultBytes is its first memory, or 0 for the library's
// choice.
func (d *Device) NewLibraryHandle(environment map[string]string, defaultBytes uint64) (
	driver.LibraryHandle, int, error,
) {
	m, ok := d.driver.(driver.HandleMaker)
	if !ok {
		return nil, 0, driver.Faultf(driver.ErrorNotSupported, "platform %s does not have the vendor's library",
			d.rt.platform)
	}
	d.NotifyCall("rocblas_create_handle")
	return m.NewHandle(environment, defaultBytes)
}

// LibraryFunction calls a function of the vendor's library that takes no handle first, or none at all: see
// driver.HandleMaker.
func (d *Device) LibraryFunction(name string, at int, args ...uintptr) (result uint64, status int, err error) {
	m, ok := d.driver.(driver.HandleMaker)
	if !ok {
		return 0, 0, driver.Faultf(driver.ErrorNotSupported, "platform %s does not have the vendor's library",
			d.rt.platform)
	}
	d.NotifyCall(name)
	d.rt.last.stay()
	defer d.rt.last.leave()
	result, status, err = m.Function(name, at, args...)
	d.rt.last.noteLibrary()
	return result, status, err
}

// LibraryVersions returns the versions of rocBLAS and rocSOLVER; ok is false if handles are not the vendor's own.
func (d *Device) LibraryVersions() (rocblas, rocsolver string, ok bool) {
	m, ok := d.driver.(driver.HandleMaker)
	if !ok {
		return "", "", false
	}
	rocblas, rocsolver = m.LibraryVersions()
	return rocblas, rocsolver, true
}

// CauseLibrary is the cause of calls that the runtime reports and that the vendor's library made.
const CauseLibrary = "library"

// InLibrary makes a call of the vendor's library by do, and records the calls of HIP that the library made where the
// runtime reports them.
func (d *Device) InLibrary(do func() (status int, err error)) (status int, err error) {
	d.rt.last.stay()
	defer d.rt.last.leave()
	r, ok := d.driver.(driver.CallReporter)
	if !ok {
		status, err = do()
		d.rt.last.noteLibrary()
		return status, err
	}
	r.ReportedCalls() // those before the call
	status, err = do()
	d.rt.last.noteLibrary()
	for _, c := range r.ReportedCalls() {
		d.rt.record.add(Call{Name: c.Name, Bytes: c.Bytes, HasBytes: c.Bytes > 0, Result: c.Result,
			Seconds: d.rt.clock().Seconds(), Cause: CauseLibrary, Origin: d.rt.origin()})
	}
	return status, err
}

// NotifyCall notifies the watcher of a call to a library, which is not a call of HIP.
func (d *Device) NotifyCall(call string) {
	if d.rt.watch != nil {
		d.rt.watch(driver.Site{Call: call, Origin: d.rt.origin()})
	}
}
