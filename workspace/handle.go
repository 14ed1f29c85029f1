package workspace

import (
	"cmp"
	"fmt"

	"roclua/hip"
	"roclua/hip/arch"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/sizing"
	"roclua/workspace/status"
)

// Owner is who controls the device memory of a handle.
type Owner uint8

const (
	Managed     Owner = iota // the library: it grows the memory when a call needs more
	UserManaged              // the user set the size; the library allocated it
	UserOwned                // the user's own memory
)

// String returns the name that the library's source gives the owner.
func (o Owner) String() string {
	return [...]string{"rocblas_managed", "user_managed", "user_owned"}[o]
}

// Model is a modelled handle: a stream, and the workspace that calls allocate their buffers from. It is used by one
// goroutine at a time.
type Model struct {
	dev     *hip.Device
	profile *Profile
	target  sizing.Target

	stream      *hip.Stream
	pointerMode int64
	atomicsMode int64
	mathMode    int64
	metric      int64
	modes       algModes

	owner         Owner
	memory        driver.Ptr // start of the memory; null while the handle holds none
	size          uint64     // nominal bytes: what get_device_memory_size returns
	inUse         uint64     // bytes of workspace allocations
	pooled        uint64     // bytes of stream-ordered workspace allocations
	streamOrdered bool       // managed workspace allocations are separate hipMallocAsync calls

	querying     bool
	queryMax     uint64
	queryUnknown *Unknown // the first call of the query whose need is not known

	// Of the call in progress. They are kept, so that a call allocates no host memory.
	need      sizing.Demand
	sizes     []uint64
	allocated Allocation
	launch    driver.Launch

	number       int    // for marks in the runtime's history
	recorded     bool   // there is a mark
	lastRecorded uint64 // bytes of the last mark without an error
	destroyed    bool
}

// Config decides how a handle is created.
type Config struct {
	Profile     *Profile
	Environment map[string]string // at creation

	// DefaultBytes is the first memory of a handle whose size the environment does not set; 0 is the default of the
	// architecture. nil is 0. A handle that uses the size, or could, sets it to 0: it is that of one handle.
	DefaultBytes *uint64
}

// takeDefault returns the size for one handle, and 0 if the environment sets the size.
func (c Config) takeDefault() uint64 {
	if _, set := c.getenv(EnvDeviceMemorySize); set || c.DefaultBytes == nil {
		return 0
	}
	bytes := *c.DefaultBytes
	*c.DefaultBytes = 0
	return bytes
}

func (c Config) getenv(name string) (value string, set bool) {
	value, set = c.Environment[name]
	return value, set
}

// createFunction is the function whose error a failed creation returns.
const createFunction = "rocblas_create_handle"

// createModel reads the environment, allocates the first memory and returns the handle. When the allocation fails it
// returns no handle.
func createModel(dev *hip.Device, c Config) (Handle, error) {
	getenv := c.getenv
	h := &Model{dev: dev, profile: c.Profile, stream: dev.NullStream(),
		target: sizing.Target{Release: c.Profile.Release, Arch: arch.Of(dev.Properties().Arch)}}
	h.target.TrsmLimit = trsmLimit(getenv)
	h.atomicsMode = initialAtomicsMode(c.Profile.Release, getenv)
	defer dev.SetCause("create_handle")()
	var err error
	if c.Profile.Release.ManagedStreamOrdered {
		err = h.initStreamOrdered(getenv)
	} else {
		err = h.initByEnvironment(getenv, c.takeDefault())
	}
	if err != nil {
		return nil, err
	}
	h.number = dev.NewHandleNumber()
	h.recordHeld()
	return h, nil
}

// heldBytes returns the memory that the handle has now: its own, the user's, or that of stream-ordered allocations.
func (h *Model) heldBytes() uint64 {
	if h.memory == 0 {
		return h.pooled
	}
	return h.size
}

// recordHeld records in the runtime's history that the memory changed, if it did since the last record.
func (h *Model) recordHeld() {
	if bytes := h.heldBytes(); !h.recorded || bytes != h.lastRecorded {
		h.recorded, h.lastRecorded = true, bytes
		h.dev.Mark(hip.Mark{Handle: h.number, Bytes: bytes})
	}
}

// initByEnvironment follows the constructor of rocBLAS 4.4 and 5.2 (handle.cpp): an unset size variable gives the
// default, one that reads as 0 gives a managed handle that holds no memory yet, any other number a fixed size.
// defaultBytes is the default of this handle, or 0 for that of the architecture.
func (h *Model) initByEnvironment(getenv lookup, defaultBytes uint64) error {
	if text, set := getenv(EnvStreamOrderAlloc); set {
		h.streamOrdered = wholeNumber(text) != 0
	}
	h.size = cmp.Or(defaultBytes, h.target.DefaultBytes())
	if text, set := getenv(EnvDeviceMemorySize); set {
		h.size = wholeNumber(text)
		if h.size > 0 {
			h.owner = UserManaged
		}
	}
	if h.streamOrdered {
		return h.warmPool(h.size)
	}
	if h.size == 0 {
		return nil
	}
	p, err := h.dev.Malloc(h.size)
	if err != nil {
		return h.allocationError(createFunction, h.size, err)
	}
	h.memory = p
	return nil
}

// warmPool allocates and frees once in stream order, so that the device's pool has the memory when calls allocate from
// it. The handle keeps no memory: even a fixed size from the environment has none in this mode.
func (h *Model) warmPool(bytes uint64) error {
	p, err := h.dev.MallocAsync(bytes, h.dev.NullStream())
	if err == nil {
		err = h.dev.FreeAsync(p, h.dev.NullStream())
	}
	if err != nil {
		return h.allocationError(createFunction, bytes, err)
	}
	return nil
}

// Destroy implements rocblas_destroy_handle: it frees memory that the library allocated and leaves the user's. With an
// allocation that was not released the library would end the process, so the error is an Abort.
func (h *Model) Destroy() error {
	if err := h.alive("rocblas_destroy_handle"); err != nil {
		return err
	}
	if h.inUse != 0 {
		return &Abort{"rocblas_destroy_handle",
			fmt.Sprintf("handle object destroyed while %s of its device memory are still in use", FormatBytes(h.inUse))}
	}
	defer h.dev.SetCause("destroy_handle")()
	h.destroyed = true
	defer h.dev.Mark(hip.Mark{Handle: h.number})
	if h.owner == UserOwned {
		return nil
	}
	if err := h.freeForGood(); err != nil {
		return &Abort{"rocblas_destroy_handle", "the device memory could not be freed: " + err.Error()}
	}
	if h.streamOrdered {
		if err := h.dev.TrimPool(0); err != nil {
			return &Abort{"rocblas_destroy_handle", "the memory pool could not be trimmed: " + err.Error()}
		}
	}
	return nil
}

// freeForGood frees the memory at the end. The classic allocator calls hipFree even when the handle holds no memory.
func (h *Model) freeForGood() error {
	if h.streamOrdered {
		return h.releaseMemory()
	}
	return h.dev.Free(h.memory)
}

// Destroyed reports whether the handle was destroyed.
func (h *Model) Destroyed() bool { return h.destroyed }

// Device returns the device the handle was made on.
func (h *Model) Device() *hip.Device { return h.dev }

// Profile returns the release that the handle behaves like.
func (h *Model) Profile() *Profile { return h.profile }

// Owner returns who controls the memory.
func (h *Model) Owner() Owner { return h.owner }

// String returns a description of the handle: "rocblas_handle(rocblas_managed, 33554432 bytes (32.0 MiB))".
func (h *Model) String() string {
	if h.destroyed {
		return "rocblas_handle(destroyed)"
	}
	return fmt.Sprintf("rocblas_handle(%s, %s)", h.owner, FormatBytes(h.size))
}

// alive returns an error with invalid_handle for a null or destroyed handle.
func (h *Model) alive(function string) error {
	if h == nil {
		return &Error{Status: status.InvalidHandle, Func: function, Reason: "the handle is null"}
	}
	if h.destroyed {
		return &Error{Status: status.InvalidHandle, Func: function, Reason: "the handle was destroyed"}
	}
	return nil
}

// SetStream implements rocblas_set_stream. It does not wait or allocate. The workspace may still be in use by the
// previous stream, so the caller synchronizes when it changes streams, unless allocations are stream-ordered.
func (h *Model) SetStream(s *hip.Stream) error {
	if err := h.alive("rocblas_set_stream"); err != nil {
		return err
	}
	if s == nil {
		s = h.dev.NullStream()
	}
	if s != h.stream && s.Destroyed() {
		return &Error{Status: status.InvalidValue, Func: "rocblas_set_stream", Reason: "the stream was destroyed"}
	}
	if s != h.stream && h.dev.Capturing() {
		if err := h.checkCapture(s); err != nil {
			return err
		}
	}
	h.stream = s
	return nil
}

// checkCapture makes the calls by which the library checks a new stream. They are made only while a stream is captured,
// because they have no effect otherwise. The query, which the library makes unless the old or the new stream is
// captured, invalidates the capture of a third one.
func (h *Model) checkCapture(s *hip.Stream) error {
	defer h.dev.SetCause("set_stream")()
	null := h.dev.NullStream()
	captured := driver.CaptureNone
	if s != null {
		var err error
		if captured, err = s.IsCapturing(); err != nil {
			return &Error{Status: status.InvalidValue, Func: "rocblas_set_stream", Scheme: h.owner.String(), Cause: err}
		}
	}
	if h.stream != null {
		if old, err := h.stream.IsCapturing(); err == nil && old != driver.CaptureNone {
			return nil
		}
	}
	if captured == driver.CaptureNone && s != null {
		s.Query() // an error other than that of an invalid stream, which was checked above, is ignored
	}
	return nil
}

// Stream implements rocblas_get_stream.
func (h *Model) Stream() (*hip.Stream, error) {
	if err := h.alive("rocblas_get_stream"); err != nil {
		return nil, err
	}
	return h.stream, nil
}

// SetPointerMode implements rocblas_set_pointer_mode. Like the library it accepts any number.
func (h *Model) SetPointerMode(mode int64) error {
	if err := h.alive("rocblas_set_pointer_mode"); err != nil {
		return err
	}
	h.pointerMode = mode
	return nil
}

// PointerMode implements rocblas_get_pointer_mode.
func (h *Model) PointerMode() (int64, error) {
	if err := h.alive("rocblas_get_pointer_mode"); err != nil {
		return 0, err
	}
	return h.pointerMode, nil
}

// OnDevice reports whether scalars and results are device addresses.
func (h *Model) OnDevice() bool { return h != nil && h.pointerMode == routine.PointerModeDevice }

// SetAtomicsMode implements rocblas_set_atomics_mode.
func (h *Model) SetAtomicsMode(mode int64) error {
	if err := h.alive("rocblas_set_atomics_mode"); err != nil {
		return err
	}
	h.atomicsMode = mode
	return nil
}

// AtomicsMode implements rocblas_get_atomics_mode.
func (h *Model) AtomicsMode() (int64, error) {
	if err := h.alive("rocblas_get_atomics_mode"); err != nil {
		return 0, err
	}
	return h.atomicsMode, nil
}

func (h *Model) deviceFree() uint64 { return h.dev.FreeBytes() }
