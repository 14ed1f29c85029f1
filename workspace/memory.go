package workspace

import (
	"roclua/hip/driver"
	"roclua/workspace/sizing"
	"roclua/workspace/status"
)

// DeviceMemorySize implements rocblas_get_device_memory_size: the nominal bytes of the handle's memory.
func (h *Model) DeviceMemorySize() (uint64, error) {
	if err := h.alive("rocblas_get_device_memory_size"); err != nil {
		return 0, err
	}
	return h.size, nil
}

// SetDeviceMemorySize implements rocblas_set_device_memory_size: it frees the old memory, then allocates bytes rounded
// up to 64, which the user manages. 0 returns to managed memory of size 0. The old memory is freed even when the
// allocation fails.
func (h *Model) SetDeviceMemorySize(bytes uint64) error {
	const function = "rocblas_set_device_memory_size"
	if err := h.alive(function); err != nil {
		return err
	}
	if h.profile.Release.ManagedStreamOrdered {
		return nil
	}
	defer h.dev.SetCause("set_device_memory_size")()
	if err := h.freeExisting(function); err != nil {
		return err
	}
	defer h.recordHeld()
	if bytes == 0 {
		return nil
	}
	bytes = sizing.Round(bytes)
	p, err := h.mallocDevice(bytes)
	if err != nil {
		return h.allocationError(function, bytes, err)
	}
	h.memory, h.size, h.owner = p, bytes, UserManaged
	return nil
}

// SetWorkspace implements rocblas_set_workspace: the user's bytes at p become the handle's memory, without rounding. A
// null pointer or a size of 0 returns to managed memory of size 0, not of the default size.
func (h *Model) SetWorkspace(p driver.Ptr, bytes uint64) error {
	const function = "rocblas_set_workspace"
	if err := h.alive(function); err != nil {
		return err
	}
	defer h.dev.SetCause("set_workspace")()
	if err := h.freeExisting(function); err != nil {
		return err
	}
	defer h.recordHeld()
	if p != 0 && bytes != 0 {
		h.memory, h.size, h.owner = p, bytes, UserOwned
	}
	return nil
}

// IsManaging implements rocblas_is_managing_device_memory, which is false for a null handle.
func (h *Model) IsManaging() bool { return h != nil && !h.destroyed && h.owner == Managed }

// IsUserManaging implements rocblas_is_user_managing_device_memory, which is false for a user-owned workspace.
func (h *Model) IsUserManaging() bool { return h != nil && !h.destroyed && h.owner == UserManaged }

// freeExisting frees the memory and leaves a managed handle of size 0. It fails while parts of the memory are
// allocated.
func (h *Model) freeExisting(function string) error {
	if h.inUse != 0 {
		return &Error{Status: status.InternalError, Func: function, Scheme: h.owner.String(),
			Reason: FormatBytes(h.inUse) + " of the handle's memory are in use"}
	}
	if h.owner != UserOwned {
		if err := h.releaseMemory(); err != nil {
			return &Error{Status: statusOf(err), Func: function, Scheme: h.owner.String(), Cause: err}
		}
	}
	h.memory, h.size, h.owner = 0, 0, Managed
	return nil
}

// mallocDevice allocates memory for the handle from the device, in stream order where that is enabled.
func (h *Model) mallocDevice(bytes uint64) (driver.Ptr, error) {
	if h.streamOrdered {
		return h.dev.MallocAsync(bytes, h.stream)
	}
	return h.dev.Malloc(bytes)
}

// releaseMemory frees what the library allocated. Like the library it does not call HIP when the handle holds no
// memory.
func (h *Model) releaseMemory() error {
	if h.memory == 0 {
		return nil
	}
	var err error
	if h.streamOrdered {
		err = h.dev.FreeAsync(h.memory, h.stream)
	} else {
		err = h.dev.Free(h.memory)
	}
	if err == nil {
		h.memory = 0
	}
	return err
}

func (h *Model) allocationError(function string, bytes uint64, err error) error {
	e := &Error{Status: statusOf(err), Func: function, Scheme: h.owner.String(), Cause: err}
	if e.Status == status.MemoryError {
		e.Sized, e.Required, e.Available = true, bytes, h.deviceFree()
	}
	return e
}
