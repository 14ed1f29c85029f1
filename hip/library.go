package hip

import (
	"roclua/hip/driver"
	"roclua/hip/trace"
)

// HasLibrary reports whether handles of the device are the vendor's own.
func (d *Device) HasLibrary() bool { return d.host.can.Library }

// NewLibraryHandle makes a handle of the vendor's library. defaultBytes is its first memory, or 0 for the library's
// choice.
func (d *Device) NewLibraryHandle(environment map[string]string, defaultBytes uint64) (
	driver.LibraryHandle, int, error,
) {
	d.NotifyCall("rocblas_create_handle")
	return d.driver.NewHandle(environment, defaultBytes)
}

// LibraryFunction calls a function of the vendor's library that takes no handle first, or none at all: see
// driver.Device.
func (d *Device) LibraryFunction(name string, args ...uintptr) (result uint64, status int, err error) {
	d.NotifyCall(name)
	d.host.last.stay()
	defer d.host.last.leave()
	result, status, err = d.QuietFunction(name, args...)
	d.host.last.noteLibrary()
	return result, status, err
}

// QuietFunction is LibraryFunction for a part of another call: the watcher is not notified.
func (d *Device) QuietFunction(name string, args ...uintptr) (result uint64, status int, err error) {
	return d.driver.Function(name, args...)
}

// LibraryVersions returns the versions of rocBLAS and rocSOLVER; ok is false if handles are not the vendor's own.
func (d *Device) LibraryVersions() (rocblas, rocsolver string, ok bool) {
	rocblas, rocsolver = d.driver.LibraryVersions()
	return rocblas, rocsolver, d.HasLibrary()
}

// InLibrary makes a call of the vendor's library by do, and records the HIP calls that the library made where the
// runtime reports them.
func (d *Device) InLibrary(do func() (status int, err error)) (status int, err error) {
	d.host.last.stay()
	defer d.host.last.leave()
	d.driver.ReportedCalls() // drop the calls made before
	status, err = do()
	d.host.last.noteLibrary()
	for _, c := range d.driver.ReportedCalls() {
		d.host.record.Call(trace.Call{Name: c.Name, Device: c.Device, Bytes: c.Bytes, HasBytes: c.Bytes > 0,
			Result: c.Result, Seconds: d.host.record.Clock().Seconds(), Cause: trace.CauseLibrary,
			Origin: d.host.origin()})
	}
	return status, err
}

// SetCause sets the cause that is recorded for calls until restore is called: why a library, and not the script, makes
// them, and the number of the handle that they are for, or 0. It applies to all devices of the runtime.
func (d *Device) SetCause(cause string, handle int) (restore func()) {
	h := d.host
	causeBefore, handleBefore := h.cause, h.handle
	h.cause, h.handle = cause, handle
	return func() { h.cause, h.handle = causeBefore, handleBefore }
}

// NewHandleNumber returns the number of a new handle for its marks.
func (d *Device) NewHandleNumber() int {
	return d.host.record.NewHandle()
}

// Mark records an event in the life of a handle, with the current time and place.
func (d *Device) Mark(m trace.Mark) {
	m.Device, m.Seconds, m.Origin = d.index, d.host.record.Clock().Seconds(), d.host.origin()
	d.host.record.Mark(m)
}

// ReadLastError returns the last error and the call that left it, as a library reads it: the call is not recorded.
func (d *Device) ReadLastError() (driver.Error, driver.Site) {
	return d.host.last.code, d.host.last.site
}

// ResetLastError resets the last error, as a library does that returns it.
func (d *Device) ResetLastError() { d.host.last.reset() }
