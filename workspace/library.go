package workspace

import (
	"fmt"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/status"
)

// library is a handle of the vendor's library, whose results are returned unchanged. It keeps what the library does not
// report.
type library struct {
	dev       *hip.Device
	profile   *Profile
	handle    driver.LibraryHandle
	stream    *hip.Stream
	number    int    // for marks in the runtime's history
	size      uint64 // at the last mark
	onDevice  bool   // the library's pointer mode
	querying  bool
	destroyed bool
}

func createInLibrary(dev *hip.Device, c Config) (*library, error) {
	var handle driver.LibraryHandle
	st, err := dev.InLibrary(func() (st int, err error) {
		handle, st, err = dev.NewLibraryHandle(c.Environment, c.takeDefault())
		return st, err
	})
	h := &library{dev: dev, profile: c.Profile, handle: handle, stream: dev.NullStream()}
	if err := h.errorOf("rocblas_create_handle", st, err); err != nil {
		return nil, err
	}
	h.number = dev.NewHandleNumber()
	h.recordHeld(nil)
	return h, nil
}

// recordHeld records in the runtime's history that the memory changed, or that a call failed. It calls the library
// without notifying the watcher, which keeps the script's call as the last one.
func (h *library) recordHeld(refused error) {
	size, st, err := h.handle.MemorySize()
	if err != nil || st != 0 || size == h.size && refused == nil {
		return
	}
	m := hip.Mark{Handle: h.number, Bytes: size}
	if refused != nil {
		m.Text = refused.Error()
	}
	h.size = size
	h.dev.Mark(m)
}

// errorOf returns the error of a call to the library, from its status or its error; nil for a call that succeeded.
func (h *library) errorOf(function string, st int, err error) error {
	switch {
	case err != nil:
		return &Error{Status: statusOf(err), Func: function, Cause: err}
	case !status.Status(st).OK():
		return &Error{Status: status.Status(st), Func: function, Reason: status.Status(st).Meaning()}
	}
	return nil
}

// begin checks that the handle was not destroyed and notifies the watcher of the next call.
func (h *library) begin(function string) error {
	if h.destroyed {
		return &Error{Status: status.InvalidHandle, Func: function, Reason: "the handle was destroyed"}
	}
	h.dev.NotifyCall(function)
	return nil
}

func (h *library) call(function string, call func() (int, error)) error {
	if err := h.begin(function); err != nil {
		return err
	}
	st, err := h.dev.InLibrary(call)
	return h.errorOf(function, st, err)
}

func (h *library) Destroy() error {
	err := h.call("rocblas_destroy_handle", h.handle.Destroy)
	if err == nil {
		h.dev.Mark(hip.Mark{Handle: h.number})
	}
	h.destroyed = h.destroyed || err == nil
	return err
}

func (h *library) Destroyed() bool     { return h.destroyed }
func (h *library) Device() *hip.Device { return h.dev }
func (h *library) Profile() *Profile   { return h.profile }

func (h *library) String() string {
	if h.destroyed {
		return "rocblas_handle(destroyed)"
	}
	bytes, err := h.DeviceMemorySize()
	if err != nil {
		return "rocblas_handle(the library's)"
	}
	return fmt.Sprintf("rocblas_handle(the library's, %s)", FormatBytes(bytes))
}

func (h *library) SetStream(s *hip.Stream) error {
	if s == nil {
		s = h.dev.NullStream()
	}
	err := h.call("rocblas_set_stream", func() (int, error) { return h.handle.SetStream(s.Driver()) })
	if err == nil {
		h.stream = s
	}
	return err
}

func (h *library) Stream() (*hip.Stream, error) { return h.stream, h.begin("rocblas_get_stream") }

func (h *library) setMode(name string, mode int64) error {
	return h.call("rocblas_set_"+name, func() (int, error) { return h.handle.SetMode(name, mode) })
}

func (h *library) mode(name string) (mode int64, err error) {
	err = h.call("rocblas_get_"+name, func() (st int, err error) {
		mode, st, err = h.handle.Mode(name)
		return st, err
	})
	return mode, err
}

func (h *library) SetPointerMode(mode int64) error {
	err := h.setMode("pointer_mode", mode)
	if err == nil {
		h.onDevice = mode == routine.PointerModeDevice
	}
	return err
}

func (h *library) PointerMode() (int64, error)     { return h.mode("pointer_mode") }
func (h *library) OnDevice() bool                  { return h.onDevice }
func (h *library) SetAtomicsMode(mode int64) error { return h.setMode("atomics_mode", mode) }
func (h *library) AtomicsMode() (int64, error)     { return h.mode("atomics_mode") }

func (h *library) SetMathMode(mode int64) error { return h.setMode("math_mode", mode) }
func (h *library) MathMode() (int64, error)     { return h.mode("math_mode") }

func (h *library) SetPerformanceMetric(metric int64) error {
	return h.setMode("performance_metric", metric)
}

func (h *library) PerformanceMetric() (int64, error) { return h.mode("performance_metric") }

func (h *library) SetAlgMode(function, mode int64) error {
	return h.call("rocsolver_set_alg_mode", func() (int, error) {
		_, st, err := h.dev.LibraryFunction("rocsolver_set_alg_mode", -1, h.handle.Address(), uintptr(function),
			uintptr(mode))
		return st, err
	})
}

func (h *library) AlgMode(function int64) (mode int64, err error) {
	err = h.call("rocsolver_get_alg_mode", func() (int, error) {
		result, st, err := h.dev.LibraryFunction("rocsolver_get_alg_mode", 2, h.handle.Address(), uintptr(function))
		mode = int64(int32(result))
		return st, err
	})
	return mode, err
}

func (h *library) StartQuery() error {
	err := h.call("rocblas_start_device_memory_size_query", h.handle.StartQuery)
	h.querying = h.querying || err == nil
	return err
}

// BoundUnknown has no effect: the library knows what every call needs.
func (h *library) BoundUnknown(uint64) {}

func (h *library) StopQuery(nullResult bool) (bytes uint64, err error) {
	err = h.call("rocblas_stop_device_memory_size_query", func() (st int, err error) {
		bytes, st, err = h.handle.StopQuery(nullResult)
		return st, err
	})
	h.querying = h.querying && err != nil
	return bytes, err
}

func (h *library) DeviceMemorySize() (bytes uint64, err error) {
	err = h.call("rocblas_get_device_memory_size", func() (st int, err error) {
		bytes, st, err = h.handle.MemorySize()
		return st, err
	})
	return bytes, err
}

func (h *library) SetDeviceMemorySize(bytes uint64) error {
	defer h.recordHeld(nil)
	return h.call("rocblas_set_device_memory_size", func() (int, error) { return h.handle.SetMemorySize(bytes) })
}

func (h *library) SetWorkspace(p driver.Ptr, bytes uint64) error {
	defer h.recordHeld(nil)
	return h.call("rocblas_set_workspace", func() (int, error) { return h.handle.SetWorkspace(p, bytes) })
}

func (h *library) IsManaging() bool {
	managing, err := h.handle.IsManaging()
	return !h.destroyed && err == nil && managing
}

func (h *library) IsUserManaging() bool {
	managing, err := h.handle.IsUserManaging()
	return !h.destroyed && err == nil && managing
}

// Call calls the library. When there was too little memory, it queries the library for the size that the call needs.
func (h *library) Call(a *routine.Args) (Outcome, error) {
	function := a.Routine.CName()
	if err := h.begin(function); err != nil {
		return Outcome{Status: status.InvalidHandle}, err
	}
	var results []byte
	st, err := h.dev.InLibrary(func() (st int, err error) {
		results, st, err = h.handle.Call(a, h.onDevice)
		return st, err
	})
	out := Outcome{Status: status.Status(st), Results: results}
	if h.querying {
		out.Results = nil
	}
	err = h.errorOf(function, st, err)
	if refused, ok := err.(*Error); ok && refused.Status == status.MemoryError && !h.querying {
		refused.Required, refused.Sized = h.need(a)
		refused.Available, _ = h.DeviceMemorySize()
		refused.Scheme = h.scheme()
		refused.Reason = ""
	}
	if a.Routine.Library == routine.RocSOLVER {
		h.readPointerMode()
	}
	if !h.querying {
		h.recordHeld(err)
	}
	return out, err
}

// readPointerMode reads a device pointer mode again after a call of rocSOLVER: a potrf of small order leaves the handle
// in host pointer mode, and the library then reads alpha at a host address.
func (h *library) readPointerMode() {
	if !h.onDevice {
		return
	}
	if mode, st, err := h.handle.Mode("pointer_mode"); err == nil && st == 0 {
		h.onDevice = mode == routine.PointerModeDevice
	}
}

// need returns the bytes of a call, from a separate size query.
func (h *library) need(a *routine.Args) (bytes uint64, known bool) {
	if st, err := h.handle.StartQuery(); err != nil || st != 0 {
		return 0, false
	}
	h.handle.Call(a, h.onDevice)
	bytes, st, err := h.handle.StopQuery(false)
	return bytes, err == nil && st == 0
}

func (h *library) scheme() string {
	switch {
	case h.IsManaging():
		return Managed.String()
	case h.IsUserManaging():
		return UserManaged.String()
	}
	return UserOwned.String()
}

// errModelOnly is the error of functions that the library has only in its C++ sources.
var errModelOnly = driver.Faultf(driver.ErrorNotSupported,
	"only modelled handles have it: in the library it is a C++ interface")

func (h *library) IsQuery() bool { return h.querying }

func (h *library) SetOptimalDeviceMemorySize(...uint64) (status.Status, error) {
	return status.NotImplemented, &Error{Status: status.NotImplemented, Func: "set_optimal_device_memory_size",
		Cause: errModelOnly}
}

func (h *library) DeviceMalloc(...uint64) (*Allocation, error) {
	return nil, &Error{Status: status.NotImplemented, Func: "device_malloc", Cause: errModelOnly}
}

func (h *library) Shortage(...uint64) error {
	return &Error{Status: status.NotImplemented, Func: "device_malloc", Cause: errModelOnly}
}
