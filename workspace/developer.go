package workspace

import (
	"fmt"

	"roclua/workspace/sizing"
	"roclua/workspace/status"
)

// The functions of this file are for authors of routines, as in rocBLAS's "Device Memory Allocation" guide. A script
// that defines a routine reports its size to size queries and allocates workspace through them, as the library's
// routines do.

// SetOptimalDeviceMemorySize records the buffers of one call, in bytes, in a size query. Outside a query it returns
// size_query_mismatch, as the library does; its documentation says internal_error.
func (h *Model) SetOptimalDeviceMemorySize(bytes ...uint64) (status.Status, error) {
	const function = "set_optimal_device_memory_size"
	if err := h.alive(function); err != nil {
		return status.InvalidHandle, err
	}
	if !h.querying {
		return status.SizeQueryMismatch, &Error{Status: status.SizeQueryMismatch, Func: function,
			Reason: "no size query is open"}
	}
	total := uint64(0)
	for _, n := range bytes {
		total += sizing.Round(n)
	}
	return h.recordNeed(total), nil
}

// DeviceMalloc allocates buffers from the handle's workspace, as the public rocblas_device_malloc does. A nil
// Allocation without an error means that there is not enough memory. In stream order the library ignores that the pool
// has too little memory: the allocation succeeds, and its first buffer is a null pointer. Only rocBLAS's own functions
// notice.
func (h *Model) DeviceMalloc(bytes ...uint64) (*Allocation, error) {
	if err := h.alive("device_malloc"); err != nil {
		return nil, err
	}
	a := &Allocation{}
	if enough, err := h.allocateBuffers(a, bytes, byCount); !enough || err != nil {
		return nil, err
	}
	return a, nil
}

// Shortage returns the error that explains why DeviceMalloc found too little memory.
func (h *Model) Shortage(bytes ...uint64) error {
	total := uint64(0)
	for _, n := range bytes {
		total += sizing.Round(n)
	}
	return &Error{Status: status.MemoryError, Func: "device_malloc", Sized: true, Required: total,
		Available: h.size - h.inUse,
		Scheme:    h.owner.String(), Reason: fmt.Sprintf("%d buffers", len(bytes))}
}
