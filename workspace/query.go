package workspace

import "roclua/workspace/status"

// StartQuery answers rocblas_start_device_memory_size_query. A second start is refused and the first query goes on.
func (h *Model) StartQuery() error {
	const function = "rocblas_start_device_memory_size_query"
	if err := h.alive(function); err != nil {
		return err
	}
	if h.querying {
		return &Error{Status: status.SizeQueryMismatch, Func: function, Reason: "a size query is already open"}
	}
	h.querying, h.queryMax = true, 0
	return nil
}

// StopQuery answers rocblas_stop_device_memory_size_query: the bytes of the call that needed most. With a null pointer
// for the answer the query stays open.
func (h *Model) StopQuery(nullResult bool) (uint64, error) {
	const function = "rocblas_stop_device_memory_size_query"
	if err := h.alive(function); err != nil {
		return 0, err
	}
	if !h.querying {
		return 0, &Error{Status: status.SizeQueryMismatch, Func: function, Reason: "no size query is open"}
	}
	if nullResult {
		return 0, &Error{Status: status.InvalidPointer, Func: function, Reason: "the pointer for the answer is null; the query stays open"}
	}
	h.querying = false
	return h.queryMax, nil
}

// IsQuery answers the developers' is_device_memory_size_query: whether calls only tell what they need.
func (h *Model) IsQuery() bool { return h != nil && !h.destroyed && h.querying }

// recordNeed records what one call needs and tells whether it is more than any before.
func (h *Model) recordNeed(total uint64) status.Status {
	if total > h.queryMax {
		h.queryMax = total
		return status.SizeIncreased
	}
	return status.SizeUnchanged
}
