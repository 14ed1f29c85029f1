package workspace

import (
	"roclua/workspace/sizing"
	"roclua/workspace/status"
)

// StartQuery implements rocblas_start_device_memory_size_query. A second start is an error, and the first query
// continues.
func (h *Model) StartQuery() error {
	const function = "rocblas_start_device_memory_size_query"
	if err := h.alive(function); err != nil {
		return err
	}
	if h.querying {
		return &Error{Status: status.SizeQueryMismatch, Func: function, Reason: "a size query is already open"}
	}
	h.querying, h.queryMax, h.queryUnknown = true, 0, nil
	return nil
}

// BoundUnknown sets the bytes that count in the open size query for calls whose need is not known. Outside a query it
// has no effect.
func (h *Model) BoundUnknown(bytes uint64) {
	if h.querying {
		h.target.Bound = sizing.Bound{Bytes: bytes, Given: true}
	}
}

// StopQuery implements rocblas_stop_device_memory_size_query: it returns the bytes of the call that needed most. With a
// null pointer for the result the query stays open. It returns an *Unknown if there was a call whose need is not known.
func (h *Model) StopQuery(nullResult bool) (uint64, error) {
	const function = "rocblas_stop_device_memory_size_query"
	if err := h.alive(function); err != nil {
		return 0, err
	}
	if !h.querying {
		return 0, &Error{Status: status.SizeQueryMismatch, Func: function, Reason: "no size query is open"}
	}
	if nullResult {
		return 0, &Error{Status: status.InvalidPointer, Func: function,
			Reason: "the pointer for the result is null; the query stays open"}
	}
	h.querying, h.target.Bound = false, sizing.Bound{}
	if h.queryUnknown != nil {
		return 0, h.queryUnknown
	}
	return h.queryMax, nil
}

// IsQuery implements is_device_memory_size_query: it reports whether calls only record what they need.
func (h *Model) IsQuery() bool { return h != nil && !h.destroyed && h.querying }

// recordNeed records what one call needs and returns whether it is more than every call before, as a status.
func (h *Model) recordNeed(total uint64) status.Status {
	if total > h.queryMax {
		h.queryMax = total
		return status.SizeIncreased
	}
	return status.SizeUnchanged
}
