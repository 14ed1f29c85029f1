package workspace

import (
	"roclua/hip/driver"
	"roclua/workspace/sizing"
	"roclua/workspace/status"
)

// DeviceMemorySize answers rocblas_get_device_memory_size: the nominal bytes of the handle's memory.
func (h *Model) DeviceMemorySize() (uint64, error) {
	if err := h.alive("rocblas_get_device_memory_size"); err != nil {
		return 0, err
	}
	return h.size, nil
}

// SetDeviceMemorySize answers rocblas_set_device_memory_size: the old memory is freed first, then bytes rounded up to 64
// are allocated and the user manages them; 0 goes back to managed memory of size 0. If the allocation fails the old
// memory is gone all the same.
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

// SetWorkspace answers rocblas_set_workspace: the user's own bytes at p become the handle's memory, exactly as given. A
// null pointer or no bytes go back to managed memory of size 0, not to the default size.
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

// IsManaging answers rocblas_is_managing_device_memory; a null handle is managed by nobody.
func (h *Model) IsManaging() bool { return h != nil && !h.destroyed && h.owner == Managed }

// IsUserManaging answers rocblas_is_user_managing_device_memory, which is false for a user-owned workspace.
func (h *Model) IsUserManaging() bool { return h != nil && !h.destroyed && h.owner == UserManaged }

// freeExisting gives the memory up and leaves a managed handle of size 0. Memory that is lent stays where it is.
func (h *Model) freeExisting(function string) error {
	if h.inUse != 0 {
		return &Error{Status: status.InternalError, Func: function, Scheme: h.owner.String(),
			Reason: FormatBytes(h.inUse) + " of the handle's memory are lent at the moment"}
	}
	if h.owner != UserOwned {
		if err := h.releaseMemory(); err != nil {
			return &Error{Status: statusOf(err), Func: function, Scheme: h.owner.String(), Cause: err}
		}
	}
	h.memory, h.size, h.owner = 0, 0, Managed
	return nil
}

// mallocDevice takes memory for the handle from the device, in stream order where that is on.
func (h *Model) mallocDevice(bytes uint64) (driver.Ptr, error) {
	if h.streamOrdered {
		return h.dev.MallocAsync(bytes, h.stream)
	}
	return h.dev.Malloc(bytes)
}

// releaseMemory frees what the library allocated; the library does not call HIP when it holds nothing.
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
