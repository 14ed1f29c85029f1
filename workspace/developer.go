package workspace

import (
	"fmt"

	"roclua/workspace/sizing"
	"roclua/workspace/status"
)

// The functions of this file are the developers' side of a handle (document 003): a script that defines a routine of
// its own answers size queries and borrows memory through them, as the library's routines do.

// SetOptimalDeviceMemorySize answers a size query for one call: its buffers, in bytes. The library answers
// size_query_mismatch outside a query, where document 003 says internal_error.
func (h *Model) SetOptimalDeviceMemorySize(bytes ...uint64) (status.Status, error) {
	const function = "set_optimal_device_memory_size"
	if err := h.alive(function); err != nil {
		return status.InvalidHandle, err
	}
	if !h.querying {
		return status.SizeQueryMismatch, &Error{Status: status.SizeQueryMismatch, Func: function, Reason: "no size query is open"}
	}
	total := uint64(0)
	for _, n := range bytes {
		total += sizing.Round(n)
	}
	return h.recordNeed(total), nil
}

// DeviceMalloc lends buffers of the handle's memory; a nil loan means that there is not enough.
func (h *Model) DeviceMalloc(bytes ...uint64) (*Allocation, error) {
	if err := h.alive("device_malloc"); err != nil {
		return nil, err
	}
	return h.allocateBuffers(bytes, byBuffers)
}

// Shortage describes why DeviceMalloc lent nothing.
func (h *Model) Shortage(bytes ...uint64) error {
	total := uint64(0)
	for _, n := range bytes {
		total += sizing.Round(n)
	}
	return &Error{Status: status.MemoryError, Func: "device_malloc", Sized: true, Required: total, Available: h.size - h.inUse,
		Scheme: h.owner.String(), Reason: fmt.Sprintf("%d buffers", len(bytes))}
}
