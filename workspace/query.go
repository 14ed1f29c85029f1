package workspace

import (
	"roclua/workspace/behavior"
	"roclua/workspace/status"
)

// query is the size query of a handle, between a start and a stop.
type query struct {
	*base
	querying bool
	most     uint64   // bytes that a call of the query needs
	unknown  *Unknown // the first call of the query whose need is not known
}

// StartQuery implements rocblas_start_device_memory_size_query. A second start is an error, and the first query
// continues.
func (q *query) StartQuery() error {
	const function = "rocblas_start_device_memory_size_query"
	if err := q.check(function); err != nil {
		return err
	}
	if q.querying {
		return &Error{Status: status.SizeQueryMismatch, Func: function, Reason: "a size query is already open"}
	}
	q.querying, q.most, q.unknown = true, 0, nil
	return nil
}

// BoundUnknown sets the bytes that count in the open size query for calls whose need is not known. Outside a query it
// has no effect.
func (q *query) BoundUnknown(bytes uint64) {
	if q.querying {
		q.target.Bound = behavior.Bound{Bytes: bytes, Given: true}
	}
}

// StopQuery implements rocblas_stop_device_memory_size_query: it returns the bytes of the call that needed most. With a
// null pointer for the result the query stays open. It returns an *Unknown if there was a call whose need is not known.
func (q *query) StopQuery(nullResult bool) (uint64, error) {
	const function = "rocblas_stop_device_memory_size_query"
	if err := q.check(function); err != nil {
		return 0, err
	}
	if !q.querying {
		return 0, &Error{Status: status.SizeQueryMismatch, Func: function, Reason: "no size query is open"}
	}
	if nullResult {
		return 0, &Error{Status: status.InvalidPointer, Func: function,
			Reason: "the pointer for the result is null; the query stays open"}
	}
	q.querying, q.target.Bound = false, behavior.Bound{}
	if q.unknown != nil {
		return 0, q.unknown
	}
	return q.most, nil
}

// IsQuery implements is_device_memory_size_query: it reports whether calls only record what they need.
func (q *query) IsQuery() bool { return q.state == alive && q.querying }

// SetOptimalDeviceMemorySize records the buffers of one call, in bytes, in a size query. Outside a query it returns
// size_query_mismatch, as the library does; its documentation says internal_error.
func (q *query) SetOptimalDeviceMemorySize(bytes ...uint64) (status.Status, error) {
	const function = "set_optimal_device_memory_size"
	if err := q.check(function); err != nil {
		return status.InvalidHandle, err
	}
	if !q.querying {
		return status.SizeQueryMismatch, &Error{Status: status.SizeQueryMismatch, Func: function,
			Reason: "no size query is open"}
	}
	return q.recordNeed(totalOf(bytes)), nil
}

// recordNeed records what one call needs and returns whether it is more than every call before, as a status.
func (q *query) recordNeed(total uint64) status.Status {
	if total > q.most {
		q.most = total
		return status.SizeIncreased
	}
	return status.SizeUnchanged
}

// totalOf returns the bytes of buffers, each rounded up.
func totalOf(buffers []uint64) uint64 {
	total := uint64(0)
	for _, n := range buffers {
		total += behavior.Round(n)
	}
	return total
}
