package workspace

import (
	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/status"
)

// vendor is what all parts of a handle of the vendor's library use.
type vendor struct {
	dev       *hip.Device
	profile   *Profile
	handle    driver.LibraryHandle
	destroyed bool
}

// begin checks that the handle was not destroyed and notifies the watcher of the next call.
func (v *vendor) begin(function string) error {
	if v.destroyed {
		return &Error{Status: status.InvalidHandle, Func: function, Reason: "the handle was destroyed"}
	}
	v.dev.NotifyCall(function)
	return nil
}

func (v *vendor) call(function string, call func() (int, error)) error {
	if err := v.begin(function); err != nil {
		return err
	}
	st, err := v.dev.InLibrary(call)
	return libraryError(function, st, err)
}

func (v *vendor) Destroyed() bool     { return v.destroyed }
func (v *vendor) Device() *hip.Device { return v.dev }
func (v *vendor) Profile() *Profile   { return v.profile }

// vendorModes are the modes of a handle of the vendor's library.
type vendorModes struct {
	*vendor
	onDevice bool // the library's pointer mode
}

func (m *vendorModes) setMode(name string, mode int64) error {
	return m.call("rocblas_set_"+name, func() (int, error) { return m.handle.SetMode(name, mode) })
}

func (m *vendorModes) mode(name string) (mode int64, err error) {
	err = m.call("rocblas_get_"+name, func() (st int, err error) {
		mode, st, err = m.handle.Mode(name)
		return st, err
	})
	return mode, err
}

func (m *vendorModes) SetPointerMode(mode int64) error {
	err := m.setMode("pointer_mode", mode)
	if err == nil {
		m.onDevice = mode == routine.PointerModeDevice
	}
	return err
}

func (m *vendorModes) PointerMode() (int64, error)     { return m.mode("pointer_mode") }
func (m *vendorModes) OnDevice() bool                  { return m.onDevice }
func (m *vendorModes) SetAtomicsMode(mode int64) error { return m.setMode("atomics_mode", mode) }
func (m *vendorModes) AtomicsMode() (int64, error)     { return m.mode("atomics_mode") }

func (m *vendorModes) SetMathMode(mode int64) error { return m.setMode("math_mode", mode) }
func (m *vendorModes) MathMode() (int64, error)     { return m.mode("math_mode") }

func (m *vendorModes) SetPerformanceMetric(metric int64) error {
	return m.setMode("performance_metric", metric)
}

func (m *vendorModes) PerformanceMetric() (int64, error) { return m.mode("performance_metric") }

func (m *vendorModes) SetAlgMode(function, mode int64) error {
	return m.call("rocsolver_set_alg_mode", func() (int, error) {
		_, st, err := m.dev.LibraryFunction("rocsolver_set_alg_mode", m.handle.Address(), uintptr(function),
			uintptr(mode))
		return st, err
	})
}

func (m *vendorModes) AlgMode(function int64) (mode int64, err error) {
	err = m.call("rocsolver_get_alg_mode", func() (int, error) {
		result, st, err := m.dev.LibraryFunction("rocsolver_get_alg_mode", m.handle.Address(), uintptr(function))
		mode = int64(int32(result))
		return st, err
	})
	return mode, err
}

// readPointerMode reads a device pointer mode again after a call of rocSOLVER: a potrf of small order leaves the handle
// in host pointer mode, and the library then reads alpha at a host address.
func (m *vendorModes) readPointerMode() {
	if !m.onDevice {
		return
	}
	if mode, st, err := m.handle.Mode("pointer_mode"); err == nil && st == 0 {
		m.onDevice = mode == routine.PointerModeDevice
	}
}

// modelOnly are functions for authors of routines. A handle of the vendor's library does not have them.
type modelOnly struct{}

// errModelOnly is the error of functions that the library has only in its C++ sources.
var errModelOnly = driver.Faultf(driver.ErrorNotSupported,
	"only modelled handles have it: in the library it is a C++ interface")

func (modelOnly) SetOptimalDeviceMemorySize(...uint64) (status.Status, error) {
	return status.NotImplemented, &Error{Status: status.NotImplemented, Func: "set_optimal_device_memory_size",
		Cause: errModelOnly}
}

func (modelOnly) DeviceMalloc(...uint64) (*Allocation, error) {
	return nil, &Error{Status: status.NotImplemented, Func: "device_malloc", Cause: errModelOnly}
}

func (modelOnly) Shortage(...uint64) error {
	return &Error{Status: status.NotImplemented, Func: "device_malloc", Cause: errModelOnly}
}
