// Package status defines rocblas_status, the result of every call to rocBLAS and rocSOLVER, with the C names and a
// short meaning of each value.
package status

import "strconv"

// Status is a rocblas_status with its C number.
type Status int

// The statuses in the order of their C numbers.
const (
	Success Status = iota
	InvalidHandle
	NotImplemented
	InvalidPointer
	InvalidSize
	MemoryError
	InternalError
	PerfDegraded
	SizeQueryMismatch
	SizeIncreased
	SizeUnchanged
	InvalidValue
	Continue
	CheckNumericsFail
	ExcludedFromBuild
	ArchMismatch
)

var names = [...]string{
	"success", "invalid_handle", "not_implemented", "invalid_pointer", "invalid_size", "memory_error", "internal_error",
	"perf_degraded", "size_query_mismatch", "size_increased", "size_unchanged", "invalid_value", "continue",
	"check_numerics_fail", "excluded_from_build", "arch_mismatch",
}

var meanings = [...]string{
	"the call succeeded",
	"the handle is null or was destroyed",
	"the library does not implement this: a datatype, a size, a feature of the platform",
	"a pointer that must not be null is null",
	"a size, leading dimension, increment or count is out of its range",
	"a call needs more workspace than the handle has or can get, or an allocation of device memory failed",
	"an internal error of the library; also memory functions that are called while workspace is in use",
	"the call succeeded, but slower, because workspace or supplied inverses were missing",
	"a size query was started twice, or stopped without a start",
	"inside a size query: the call needs more than every call before it",
	"inside a size query: the call needs no more than an earlier call",
	"an enumeration or a combination of arguments is not valid",
	"internal to the library: the call is not decided yet",
	"check_numerics found a NaN, an infinity or a denormal number",
	"the function was left out when the library was built",
	"the architecture does not have this function",
}

// Meaning describes in a few words when a status is returned.
func (s Status) Meaning() string {
	if !s.known() {
		return "not a status of the library"
	}
	return meanings[s]
}

// All lists every status in the order of its C number.
func All() []Status {
	list := make([]Status, len(names))
	for i := range list {
		list[i] = Status(i)
	}
	return list
}

// Short returns the name without the prefix that all statuses share, "memory_error", or the number of an unknown
// status.
func (s Status) Short() string {
	if !s.known() {
		return strconv.Itoa(int(s))
	}
	return names[s]
}

// String returns the C name, "rocblas_status_memory_error".
func (s Status) String() string { return "rocblas_status_" + s.Short() }

// ToString returns what rocblas_status_to_string returns: the C name, or for a number that is not a status text
// without the number.
func (s Status) ToString() string {
	if !s.known() {
		return "<undefined rocblas_status value>"
	}
	return s.String()
}

func (s Status) known() bool { return s >= 0 && int(s) < len(names) }

// OK reports whether the status means success: success, size_increased, size_unchanged or perf_degraded.
func (s Status) OK() bool {
	return s == Success || s == SizeIncreased || s == SizeUnchanged || s == PerfDegraded
}
