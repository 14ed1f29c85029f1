package hip

import (
	goruntime "runtime"

	"roclua/hip/driver"
)

// lastError is the last error of the host's thread, which hipGetLastError returns and resets. HIP has one for each
// thread, and a case makes its calls in one.
//
// Before HIP 7.0 it is the result of the latest call, which may be a success. Since then it is the error of the latest
// call that failed, until hipGetLastError is called: by the script or by a library, which returns it for its own call.
//
// AMD's runtime also has the result of the latest call, for hipExtGetLastError, which no function of the module
// returns. After a fault of a device it returns the fault from every call, although it was reset.
type lastError struct {
	code          driver.Error
	site          driver.Site // the call that left it
	successClears bool        // as before HIP 7.0

	// On a platform whose runtime keeps the last error too, its libraries read and change it there.
	keeper driver.ErrorKeeper // nil on other platforms
	kept   driver.Error       // what the runtime kept after the latest call
	pinned bool               // the host stays on its thread, because the runtime keeps an error of it
}

// note records the result of a call.
func (e *lastError) note(code driver.Error, site *driver.Site) {
	failed := code != driver.Success && code != driver.ErrorNotReady
	if failed || e.successClears {
		e.code, e.site = code, *site
	}
	if e.keeper != nil && (failed || e.pinned) {
		e.keep(e.keeper.LastError(false))
	}
}

// noteLibrary records what a call of the vendor's library left. An error that only this package detected, such as the
// use of a destroyed stream, is not known to the vendor's runtime and stays.
func (e *lastError) noteLibrary() {
	if e.keeper == nil {
		return
	}
	before := e.kept
	e.keep(e.keeper.LastError(false))
	if e.kept != before || e.successClears {
		e.code, e.site = e.kept, driver.Site{}
	}
}

// keep records what the vendor's runtime keeps. While that is an error of its thread, the host stays on the thread.
func (e *lastError) keep(code driver.Error) {
	e.kept = code
	switch failed := code != driver.Success; {
	case failed && !e.pinned:
		goruntime.LockOSThread()
	case !failed && e.pinned:
		goruntime.UnlockOSThread()
	}
	e.pinned = code != driver.Success
}

// reset returns the last error and resets it, also in the vendor's runtime.
func (e *lastError) reset() driver.Error {
	code := e.code
	e.code, e.site = driver.Success, driver.Site{}
	if e.keeper != nil {
		e.keeper.LastError(true)
		e.keep(driver.Success)
	}
	return code
}

// stay keeps the host on its thread until leave is called, so that the last error is read from the thread that made a
// call.
func (e *lastError) stay() {
	if e.keeper != nil {
		goruntime.LockOSThread()
	}
}

func (e *lastError) leave() {
	if e.keeper != nil {
		goruntime.UnlockOSThread()
	}
}
