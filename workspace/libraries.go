package workspace

import (
	"fmt"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/status"
)

// Libraries are the functions of rocBLAS and rocSOLVER that belong to no handle, for one script: the vendor's functions
// or modelled ones. The log of rocSOLVER that a script began ends with Close.
type Libraries struct {
	dev     *hip.Device
	profile *Profile
	logging bool
}

// NewLibraries returns the libraries of a device.
func NewLibraries(dev *hip.Device, p *Profile) *Libraries { return &Libraries{dev: dev, profile: p} }

// call calls a function of the vendor's libraries, and returns its result.
func (l *Libraries) call(name string, args ...uintptr) (uint64, error) {
	result, st, err := l.dev.LibraryFunction(name, args...)
	if err := libraryError(name, st, err); err != nil {
		return 0, err
	}
	return result, nil
}

// Initialize implements rocblas_initialize, which loads kernels. The model has none.
func (l *Libraries) Initialize() error {
	if !l.dev.HasLibrary() {
		return nil
	}
	if _, _, err := l.dev.LibraryFunction("rocblas_initialize"); err != nil {
		return &Error{Status: statusOf(err), Func: "rocblas_initialize", Cause: err}
	}
	return nil
}

// LogBegin implements rocsolver_log_begin: one log at a time.
func (l *Libraries) LogBegin() error {
	const name = "rocsolver_log_begin"
	if l.dev.HasLibrary() {
		_, err := l.call(name)
		l.logging = l.logging || err == nil
		return err
	}
	if l.logging {
		return &Error{Status: status.InternalError, Func: name, Reason: "a log has begun and has not ended"}
	}
	l.logging = true
	return nil
}

// LogEnd implements rocsolver_log_end.
func (l *Libraries) LogEnd() error {
	err := l.Log("rocsolver_log_end")
	l.logging = l.logging && err != nil
	return err
}

// Log implements a function of rocSOLVER that changes or writes the log that has begun: its C name and its argument. A
// model writes no log.
func (l *Libraries) Log(name string, args ...int64) error {
	if l.dev.HasLibrary() {
		var words []uintptr
		for _, a := range args {
			words = append(words, uintptr(a))
		}
		_, err := l.call(name, words...)
		return err
	}
	if !l.logging {
		return &Error{Status: status.InternalError, Func: name, Reason: "no log has begun"}
	}
	return nil
}

// LogSetMaxLevels implements rocsolver_log_set_max_levels.
func (l *Libraries) LogSetMaxLevels(levels int64) error {
	const name = "rocsolver_log_set_max_levels"
	if err := l.Log(name, levels); err != nil || l.dev.HasLibrary() {
		return err
	}
	if levels < 1 {
		return &Error{Status: status.InvalidValue, Func: name,
			Reason: fmt.Sprintf("max_levels is %d, must be positive", levels)}
	}
	return nil
}

// Close ends the log that the script began.
func (l *Libraries) Close() error {
	if !l.logging {
		return nil
	}
	return l.LogEnd()
}

// PointerToMode implements rocblas_pointer_to_mode for a device pointer, which may be null.
func (l *Libraries) PointerToMode(p driver.Ptr) (int64, error) {
	if !l.dev.HasLibrary() {
		return routine.PointerModeDevice, nil
	}
	const name = "rocblas_pointer_to_mode"
	_, mode, err := l.dev.LibraryFunction(name, uintptr(p))
	if err != nil {
		return 0, &Error{Status: statusOf(err), Func: name, Cause: err}
	}
	return int64(mode), nil
}

// Rfinfo is a rocsolver_rfinfo, which only the vendor's library makes.
type Rfinfo struct {
	address uintptr // 0 after it was destroyed
}

// Address returns the object for a routine call; 0 for a null one.
func (r *Rfinfo) Address() uint64 {
	if r == nil {
		return 0
	}
	return uint64(r.address)
}

// CreateRfinfo implements rocsolver_create_rfinfo. Without rocSPARSE the library checks nothing and returns
// not_implemented. The model is without it.
func (l *Libraries) CreateRfinfo(h Handle) (*Rfinfo, error) {
	const name = "rocsolver_create_rfinfo"
	if !l.dev.HasLibrary() {
		return nil, &Error{Status: status.NotImplemented, Func: name,
			Reason: "the refactorization of sparse matrices needs rocSPARSE, which is not modelled"}
	}
	address := uintptr(0)
	if vendor, ok := h.(*library); ok {
		address = vendor.handle.Address()
	}
	result, err := l.call(name, address)
	if err != nil {
		return nil, err
	}
	return &Rfinfo{address: uintptr(result)}, nil
}

// DestroyRfinfo implements rocsolver_destroy_rfinfo.
func (l *Libraries) DestroyRfinfo(r *Rfinfo) error {
	_, err := l.ofRfinfo("rocsolver_destroy_rfinfo", r)
	if err == nil {
		r.address = 0
	}
	return err
}

// SetRfinfoMode implements rocsolver_set_rfinfo_mode.
func (l *Libraries) SetRfinfoMode(r *Rfinfo, mode int64) error {
	_, err := l.ofRfinfo("rocsolver_set_rfinfo_mode", r, uintptr(mode))
	return err
}

// RfinfoMode implements rocsolver_get_rfinfo_mode.
func (l *Libraries) RfinfoMode(r *Rfinfo) (int64, error) {
	mode, err := l.ofRfinfo("rocsolver_get_rfinfo_mode", r)
	return int64(int32(mode)), err
}

// ofRfinfo calls a function of an object. It does not pass an object that was destroyed to the library.
func (l *Libraries) ofRfinfo(name string, r *Rfinfo, args ...uintptr) (uint64, error) {
	if r.Address() == 0 {
		reason := "rfinfo is null"
		if r != nil {
			reason = "rfinfo was destroyed"
		}
		return 0, &Error{Status: status.InvalidPointer, Func: name, Reason: reason}
	}
	return l.call(name, append([]uintptr{r.address}, args...)...)
}
