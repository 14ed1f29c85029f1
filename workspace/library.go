package workspace

import (
	"fmt"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/trace"
	"roclua/internal/units"
	"roclua/workspace/status"
)

// library is a handle of the vendor's library, whose results are returned unchanged. It keeps the state that the
// library does not report.
type library struct {
	dev       *hip.Device
	profile   *Profile
	handle    driver.LibraryHandle
	destroyed bool
	onDevice  bool // the pointer mode

	stream   *hip.Stream
	holds    hip.Holder
	number   int    // for marks in the runtime's history
	size     uint64 // at the last mark
	querying bool
	checks   bool // numbers: some routines do so in size queries too, and allocate memory for it
	ordered  bool // it allocates managed memory in stream order
	defects  examiner
}

func createInLibrary(dev *hip.Device, c Config) (*library, error) {
	var handle driver.LibraryHandle
	st, err := dev.InLibrary(func() (st int, err error) {
		handle, st, err = dev.NewLibraryHandle(c.Environment, c.takeDefault())
		return st, err
	})
	h := &library{dev: dev, profile: c.Profile, handle: handle, stream: dev.NullStream(),
		checks: numericsMode(c.getenv) != 0, defects: newExaminer(c)}
	order, _ := c.getenv(EnvStreamOrderAlloc)
	h.ordered = c.Profile.Release.ManagedStreamOrdered || StreamOrdered(order)
	if err := libraryError("rocblas_create_handle", st, err); err != nil {
		return nil, err
	}
	h.number = dev.NewHandleNumber()
	h.holds.Handle = h.number
	h.recordHeld(nil)
	return h, nil
}

// recordHeld records in the runtime's history that the memory changed, or that a call failed. It calls the library
// without notifying the watcher, which keeps the script's call as the last one.
func (h *library) recordHeld(refused error) {
	size, st, err := h.function("rocblas_get_device_memory_size")
	if err != nil || st != 0 || size == h.size && refused == nil {
		return
	}
	m := trace.Mark{Handle: h.number, Bytes: size}
	if refused != nil {
		m.Text = refused.Error()
	}
	h.size = size
	h.dev.Mark(m)
}

func (h *library) Destroy() error {
	_, err := h.call("rocblas_destroy_handle")
	if err == nil {
		h.dev.Mark(trace.Mark{Handle: h.number})
		h.ReleaseStream()
	}
	h.destroyed = h.destroyed || err == nil
	return err
}

func (h *library) String() string {
	if h.destroyed {
		return "rocblas_handle(destroyed)"
	}
	bytes, err := h.DeviceMemorySize()
	if err != nil {
		return "rocblas_handle(the library's)"
	}
	return fmt.Sprintf("rocblas_handle(the library's, %s)", units.FormatBytes(bytes))
}

func (h *library) SetStream(s *hip.Stream) error {
	if s == nil {
		s = h.dev.NullStream()
	}
	_, err := h.make("rocblas_set_stream", func() (result uint64, st int, err error) {
		st, err = h.handle.SetStream(s.Driver())
		return 0, st, err
	})
	if err == nil {
		h.stream = s
		h.holds.Hold(s)
	}
	return err
}

func (h *library) ReleaseStream()               { h.holds.Hold(nil) }
func (h *library) Stream() (*hip.Stream, error) { return h.stream, h.begin("rocblas_get_stream") }

func (h *library) StartQuery() error {
	_, err := h.call("rocblas_start_device_memory_size_query")
	h.querying = h.querying || err == nil
	return err
}

// BoundUnknown has no effect: the library knows every size.
func (h *library) BoundUnknown(uint64) {}

func (h *library) StopQuery(nullResult bool) (bytes uint64, err error) {
	var result []uintptr
	if nullResult {
		result = []uintptr{0}
	}
	bytes, err = h.call("rocblas_stop_device_memory_size_query", result...)
	h.querying = h.querying && err != nil
	return bytes, err
}

func (h *library) DeviceMemorySize() (uint64, error) { return h.call("rocblas_get_device_memory_size") }

func (h *library) SetDeviceMemorySize(bytes uint64) error {
	defer h.recordHeld(nil)
	_, err := h.call("rocblas_set_device_memory_size", uintptr(bytes))
	return err
}

func (h *library) SetWorkspace(p driver.Ptr, bytes uint64) error {
	defer h.recordHeld(nil)
	_, err := h.call("rocblas_set_workspace", uintptr(p), uintptr(bytes))
	return err
}

func (h *library) IsManaging() bool { return h.is("rocblas_is_managing_device_memory") }

func (h *library) IsUserManaging() bool { return h.is("rocblas_is_user_managing_device_memory") }

// is calls a function that returns a boolean; false after the handle was destroyed.
func (h *library) is(name string) bool {
	if h.destroyed {
		return false
	}
	yes, _, err := h.function(name)
	return err == nil && yes != 0
}

// Call calls the library. When there was too little memory, it queries the library for the size that the call needs,
// unless the query could change the handle's memory.
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
	err = libraryError(function, st, err)
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
		if err == nil {
			h.defects.examine(a, h.dev.Properties().Arch, h)
		}
	}
	return out, err
}

// CallLayer calls a function of a library above rocBLAS, and returns its status and its result. ok is false if the
// handle is modelled.
func CallLayer(h Handle, a *routine.Args) (st int, results []byte, ok bool, err error) {
	l, ok := h.(*library)
	if !ok {
		return 0, nil, false, nil
	}
	if err := l.begin(a.Routine.CName()); err != nil {
		return 0, nil, true, err
	}
	st, err = l.dev.InLibrary(func() (st int, err error) {
		results, st, err = l.handle.Call(a, l.onDevice)
		return st, err
	})
	l.recordHeld(nil)
	return st, results, true, err
}

// CallLayerFunction calls a function of a library above rocBLAS that is not a routine, by its C name, with the handle
// and other arguments, and returns its status. ok is false if the handle is modelled.
func CallLayerFunction(h Handle, name string, args ...uintptr) (st int, ok bool, err error) {
	l, ok := h.(*library)
	if !ok {
		return 0, false, nil
	}
	if err := l.begin(name); err != nil {
		return 0, true, err
	}
	st, err = l.dev.InLibrary(func() (st int, err error) {
		_, st, err = l.function(name, args...)
		return st, err
	})
	l.recordHeld(nil)
	return st, true, libraryError(name, 0, err)
}

// HandleAddress returns the address of a handle of the library; ok is false if the handle is modelled.
func HandleAddress(h Handle) (address uintptr, ok bool) {
	l, ok := h.(*library)
	if !ok {
		return 0, false
	}
	return l.handle.Address(), true
}

// Repeat is Call: the library decides itself.
func (h *library) Repeat(a *routine.Args, _ *Plan) (*Outcome, error) {
	out, err := h.Call(a)
	return &out, err
}

// need returns the bytes of a call, from a separate size query.
func (h *library) need(a *routine.Args) (bytes uint64, known bool) {
	if h.checks {
		return 0, false
	}
	if _, st, err := h.function("rocblas_start_device_memory_size_query"); err != nil || st != 0 {
		return 0, false
	}
	h.handle.Call(a, h.onDevice)
	bytes, st, err := h.function("rocblas_stop_device_memory_size_query")
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

func (h *library) IsQuery() bool { return h.querying }

// begin checks that the handle was not destroyed and notifies the watcher of the next call.
func (h *library) begin(function string) error {
	if h.destroyed {
		return &Error{Status: status.InvalidHandle, Func: function, Reason: "the handle was destroyed"}
	}
	h.dev.NotifyCall(function)
	return nil
}

// call calls a function whose first argument is the handle, and returns its result.
func (h *library) call(name string, args ...uintptr) (uint64, error) {
	return h.make(name, func() (uint64, int, error) { return h.function(name, args...) })
}

// make makes a call to a function of the library.
func (h *library) make(name string, call func() (uint64, int, error)) (result uint64, err error) {
	if err := h.begin(name); err != nil {
		return 0, err
	}
	st, err := h.dev.InLibrary(func() (st int, err error) {
		result, st, err = call()
		return st, err
	})
	return result, libraryError(name, st, err)
}

// function is call without a notice to the watcher, for a part of another call.
func (h *library) function(name string, args ...uintptr) (result uint64, st int, err error) {
	return h.dev.QuietFunction(name, append([]uintptr{h.handle.Address()}, args...)...)
}

func (h *library) Destroyed() bool     { return h.destroyed }
func (h *library) Device() *hip.Device { return h.dev }
func (h *library) Profile() *Profile   { return h.profile }

func (h *library) setMode(name string, mode int64) error {
	_, err := h.call("rocblas_set_"+name, uintptr(mode))
	return err
}

func (h *library) mode(name string) (int64, error) {
	mode, err := h.call("rocblas_get_" + name)
	return int64(int32(mode)), err
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
func (h *library) SetMathMode(mode int64) error    { return h.setMode("math_mode", mode) }
func (h *library) MathMode() (int64, error)        { return h.mode("math_mode") }

func (h *library) SetPerformanceMetric(metric int64) error {
	return h.setMode("performance_metric", metric)
}

func (h *library) PerformanceMetric() (int64, error) { return h.mode("performance_metric") }

func (h *library) SetAlgMode(function, mode int64) error {
	_, err := h.call("rocsolver_set_alg_mode", uintptr(function), uintptr(mode))
	return err
}

func (h *library) AlgMode(function int64) (int64, error) {
	mode, err := h.call("rocsolver_get_alg_mode", uintptr(function))
	return int64(int32(mode)), err
}

// readPointerMode reads a device pointer mode again after a rocSOLVER call: a potrf of small order leaves the handle
// in host pointer mode, and the library then reads alpha at a host address.
func (h *library) readPointerMode() {
	if !h.onDevice {
		return
	}
	if mode, st, err := h.function("rocblas_get_pointer_mode"); err == nil && st == 0 {
		h.onDevice = int64(int32(mode)) == routine.PointerModeDevice
	}
}

// errModelOnly is the error of functions for authors of routines, which the library has only in its C++ sources.
var errModelOnly = driver.Faultf(driver.ErrorNotSupported,
	"only modelled handles have it: in the library it is a C++ interface")

func (*library) SetOptimalDeviceMemorySize(...uint64) (status.Status, error) {
	return status.NotImplemented, &Error{Status: status.NotImplemented, Func: "set_optimal_device_memory_size",
		Cause: errModelOnly}
}

func (*library) DeviceMalloc(...uint64) (*Allocation, error) {
	return nil, &Error{Status: status.NotImplemented, Func: "device_malloc", Cause: errModelOnly}
}

func (*library) Shortage(...uint64) error {
	return &Error{Status: status.NotImplemented, Func: "device_malloc", Cause: errModelOnly}
}
