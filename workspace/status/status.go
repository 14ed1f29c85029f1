// Package status holds rocblas_status: the answer of every call to rocBLAS and rocSOLVER.
package status

import "strconv"

// Status is a rocblas_status under its C number.
type Status int

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
	"the call did what was asked",
	"the handle is null or was destroyed",
	"the library has no code for this: a datatype, a size, a platform's ability",
	"a pointer is null that must not be",
	"a size, leading dimension, increment or count is out of its range",
	"device memory: a call needs more workspace than the handle has and may get, or an allocation failed",
	"the library failed inside; in this model also memory functions called while memory is lent",
	"the call succeeded in a slower way, for want of workspace or of supplied inverses",
	"a size query was started twice, or stopped without a start",
	"inside a size query: the call needs more than every call before it",
	"inside a size query: the call needs no more than some call before it",
	"an enumeration or a combination of arguments is not valid",
	"internal to the library: nothing decided yet",
	"check_numerics found a NaN, an infinity or a denormal number",
	"the function was left out when the library was built",
	"the architecture has no such function",
}

// Meaning says in a few words when a status is answered.
func (s Status) Meaning() string {
	if s < 0 || int(s) >= len(meanings) {
		return "no status of the library"
	}
	return meanings[s]
}

// All lists every status in the order of its number.
func All() []Status {
	list := make([]Status, len(names))
	for i := range list {
		list[i] = Status(i)
	}
	return list
}

// Short returns the name less the prefix that all statuses share, "memory_error"; an unknown status gives its number.
func (s Status) Short() string {
	if s < 0 || int(s) >= len(names) {
		return strconv.Itoa(int(s))
	}
	return names[s]
}

// String returns the C name, "rocblas_status_memory_error".
func (s Status) String() string { return "rocblas_status_" + s.Short() }

// OK reports whether the status is no error: success, the two answers of a size query, or a slower way taken.
func (s Status) OK() bool {
	return s == Success || s == SizeIncreased || s == SizeUnchanged || s == PerfDegraded
}
