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
	*vendor
	vendorModes
	modelOnly
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
	v := &vendor{dev: dev, profile: c.Profile, handle: handle}
	h := &library{vendor: v, vendorModes: vendorModes{vendor: v}, stream: dev.NullStream(),
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
	size, st, err := h.handle.MemorySize()
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
	err := h.call("rocblas_destroy_handle", h.handle.Destroy)
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
	err := h.call("rocblas_set_stream", func() (int, error) { return h.handle.SetStream(s.Driver()) })
	if err == nil {
		h.stream = s
		h.holds.Hold(s)
	}
	return err
}

func (h *library) ReleaseStream()               { h.holds.Hold(nil) }
func (h *library) Stream() (*hip.Stream, error) { return h.stream, h.begin("rocblas_get_stream") }

func (h *library) StartQuery() error {
	err := h.call("rocblas_start_device_memory_size_query", h.handle.StartQuery)
	h.querying = h.querying || err == nil
	return err
}

// BoundUnknown has no effect: the library knows every size.
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

// callLayer calls a function of a library above rocBLAS, and returns its status and its result.
func (h *library) callLayer(a *routine.Args) (st int, results []byte, err error) {
	if err := h.begin(a.Routine.CName()); err != nil {
		return 0, nil, err
	}
	st, err = h.dev.InLibrary(func() (st int, err error) {
		results, st, err = h.handle.Call(a, h.onDevice)
		return st, err
	})
	h.recordHeld(nil)
	return st, results, err
}

// CallLayer calls a function of a library above rocBLAS, and returns its status and its result. ok is false if the
// handle is modelled.
func CallLayer(h Handle, a *routine.Args) (st int, results []byte, ok bool, err error) {
	l, ok := h.(*library)
	if !ok {
		return 0, nil, false, nil
	}
	st, results, err = l.callLayer(a)
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
		_, st, err = l.dev.LibraryFunction(name, append([]uintptr{l.handle.Address()}, args...)...)
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

func (h *library) IsQuery() bool { return h.querying }

// vendor is the state that all parts of a handle of the vendor's library share.
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
func (m *vendorModes) SetMathMode(mode int64) error    { return m.setMode("math_mode", mode) }
func (m *vendorModes) MathMode() (int64, error)        { return m.mode("math_mode") }

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

// readPointerMode reads a device pointer mode again after a rocSOLVER call: a potrf of small order leaves the handle
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
