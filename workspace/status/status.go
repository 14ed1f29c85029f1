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
