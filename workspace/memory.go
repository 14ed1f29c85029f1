package workspace

import (
	"cmp"
	"fmt"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/internal/units"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
)

// memory is the device memory of a handle: the workspace that calls allocate their buffers from.
type memory struct {
	*base
	start         driver.Ptr // null while the handle holds no memory
	size          uint64     // nominal bytes, as get_device_memory_size returns them
	inUse         uint64     // bytes of workspace allocations
	pooled        uint64     // bytes of stream-ordered workspace allocations
	streamOrdered bool       // managed workspace allocations are separate hipMallocAsync calls
	sizes         []uint64   // of the request in progress

	recorded     bool   // there is a mark
	lastRecorded uint64 // bytes of the last mark without an error
}

// createFunction is the function whose error a failed creation returns.
const createFunction = "rocblas_create_handle"

// StreamOrdered reports whether a value of EnvStreamOrderAlloc, which the library stores as an int, is not zero.
func StreamOrdered(value string) bool { return uint32(wholeNumber(value)) != 0 }

// allocateFirst allocates the memory of a new handle. It follows the constructor of rocBLAS 4.4 and 5.2 (handle.cpp):
// an unset size variable gives the default, one that reads as 0 gives a managed handle that holds no memory yet, any
// other number a fixed size.
func (m *memory) allocateFirst(c Config) error {
	if m.profile.Release.ManagedStreamOrdered {
		return m.warmFirst(c.getenv)
	}
	m.streamOrdered = StreamOrdered(c.Environment[EnvStreamOrderAlloc])
	m.size = cmp.Or(c.takeDefault(), m.target.DefaultBytes())
	if text, set := c.getenv(EnvDeviceMemorySize); set {
		m.size = wholeNumber(text)
		if m.size > 0 {
			m.owner = UserManaged
		}
	}
	if m.streamOrdered {
		return m.warmPool(m.size)
	}
	if m.size == 0 {
		return nil
	}
	p, err := m.dev.Malloc(m.size)
	if err != nil {
		return m.allocationError(createFunction, m.size, err)
	}
	m.start = p
	return nil
}

// warmFirst follows rocBLAS 5.1.0, where managed memory is always allocated in stream order. A size from the
// environment warms the pool and becomes the nominal size. When it is unset or reads as 0, the default size warms the
// pool and the nominal size is 0. The library stays the owner.
func (m *memory) warmFirst(getenv lookup) error {
	m.streamOrdered = true
	if text, set := getenv(EnvDeviceMemorySize); set {
		m.size = wholeNumber(text)
	}
	return m.warmPool(cmp.Or(m.size, m.target.DefaultBytes()))
}

// warmPool allocates and frees once in stream order, so that the device's pool has the memory when calls allocate from
// it. The handle keeps no memory: even a fixed size from the environment has none in this mode.
func (m *memory) warmPool(bytes uint64) error {
	p, err := m.mallocAsync(bytes, m.dev.NullStream())
	if err == nil {
		err = m.dev.FreeAsync(p, m.dev.NullStream())
	}
	if err != nil {
		return m.allocationError(createFunction, bytes, err)
	}
	return nil
}

// DeviceMemorySize implements rocblas_get_device_memory_size: the nominal bytes of the handle's memory.
func (m *memory) DeviceMemorySize() (uint64, error) {
	if err := m.check("rocblas_get_device_memory_size"); err != nil {
		return 0, err
	}
	return m.size, nil
}

// SetDeviceMemorySize implements rocblas_set_device_memory_size: it frees the old memory, then allocates bytes rounded
// up to 64, which the user manages. 0 returns to managed memory of size 0. The old memory is freed even when the
// allocation fails.
func (m *memory) SetDeviceMemorySize(bytes uint64) error {
	const function = "rocblas_set_device_memory_size"
	if err := m.check(function); err != nil {
		return err
	}
	if m.profile.Release.ManagedStreamOrdered {
		return nil
	}
	defer m.setCause("set_device_memory_size")()
	defer m.enter()()
	if err := m.freeExisting(function); err != nil {
		return err
	}
	defer m.recordHeld()
	if bytes == 0 {
		return nil
	}
	bytes = behavior.Round(bytes)
	p, err := m.mallocDevice(bytes)
	if err != nil {
		return m.allocationError(function, bytes, err)
	}
	m.start, m.size, m.owner = p, bytes, UserManaged
	return nil
}

// SetWorkspace implements rocblas_set_workspace: the user's bytes at p become the handle's memory, without rounding. A
// null pointer or a size of 0 returns to managed memory of size 0, not of the default size.
func (m *memory) SetWorkspace(p driver.Ptr, bytes uint64) error {
	const function = "rocblas_set_workspace"
	if err := m.check(function); err != nil {
		return err
	}
	defer m.setCause("set_workspace")()
	defer m.enter()()
	if err := m.freeExisting(function); err != nil {
		return err
	}
	defer m.recordHeld()
	if p != 0 && bytes != 0 {
		m.start, m.size, m.owner = p, bytes, UserOwned
	}
	return nil
}

// IsManaging implements rocblas_is_managing_device_memory, which is false for a null handle.
func (m *memory) IsManaging() bool { return m.state == alive && m.owner == Managed }

// IsUserManaging implements rocblas_is_user_managing_device_memory, which is false for a user-owned workspace.
func (m *memory) IsUserManaging() bool { return m.state == alive && m.owner == UserManaged }

// freeExisting frees the memory and leaves a managed handle of size 0. It fails while parts of the memory are
// allocated.
func (m *memory) freeExisting(function string) error {
	if m.inUse != 0 {
		return m.refusal(function, status.InternalError,
			units.FormatBytes(m.inUse)+" of the handle's memory are in use")
	}
	if m.owner != UserOwned {
		if err := m.releaseMemory(); err != nil {
			return m.failure(function, err)
		}
	}
	m.start, m.size, m.owner = 0, 0, Managed
	return nil
}

// mallocDevice allocates memory for the handle from the device, in stream order where that is enabled.
func (m *memory) mallocDevice(bytes uint64) (driver.Ptr, error) {
	if m.streamOrdered {
		return m.mallocAsync(bytes, m.stream)
	}
	return m.dev.Malloc(bytes)
}

// mallocAsync allocates in stream order. That a device has no memory pools is an internal error of the library, not a
// function that the platform lacks.
func (m *memory) mallocAsync(bytes uint64, s *hip.Stream) (driver.Ptr, error) {
	p, err := s.Device().MallocAsync(bytes, s)
	if driver.CodeOf(err) == driver.ErrorNotSupported {
		err = fmt.Errorf("%v: the device does not support memory pools", err)
	}
	return p, err
}

// releaseMemory frees the library's memory. Like the library it does not call HIP when the handle holds no memory.
func (m *memory) releaseMemory() error {
	if m.start == 0 {
		return nil
	}
	var err error
	if m.streamOrdered {
		err = m.runsOn().FreeAsync(m.start, m.stream)
	} else {
		err = m.dev.Free(m.start)
	}
	if err == nil {
		m.start = 0
	}
	return err
}

// freeForGood frees the memory of a handle that ends, except the user's. The classic allocator calls hipFree even when
// the handle holds no memory. In stream order the library trims the pool of the current device, which may not be the
// handle's.
func (m *memory) freeForGood(function string) error {
	if m.owner == UserOwned {
		return nil
	}
	if !m.streamOrdered {
		if err := m.dev.Current().Free(m.start); err != nil {
			return &Abort{function, "the device memory could not be freed: " + err.Error()}
		}
		return nil
	}
	if err := m.releaseMemory(); err != nil {
		return &Abort{function, "the device memory could not be freed: " + err.Error()}
	}
	if err := m.dev.Current().TrimPool(0); err != nil {
		return &Abort{function, "the memory pool could not be trimmed: " + err.Error()}
	}
	return nil
}

func (m *memory) allocationError(function string, bytes uint64, err error) error {
	e := m.failure(function, err)
	if e.Status == status.MemoryError {
		e.Sized, e.Required, e.Available = true, bytes, m.dev.FreeBytes()
	}
	return e
}

// heldBytes returns the memory that the handle has now: its own, the user's, or stream-ordered allocations.
func (m *memory) heldBytes() uint64 {
	if m.start == 0 {
		return m.pooled
	}
	return m.size
}

// recordHeld records in the runtime's history that the memory changed, if it did since the last record.
func (m *memory) recordHeld() {
	if bytes := m.heldBytes(); !m.recorded || bytes != m.lastRecorded {
		m.recorded, m.lastRecorded = true, bytes
		m.dev.Mark(trace.Mark{Handle: m.number, Bytes: bytes})
	}
}
