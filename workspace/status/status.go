// Package status defines rocblas_status, the result of every call to rocBLAS and rocSOLVER, with the C names and a
// short meaning of each value.
package status

import (
	"strconv"
	"strings"
)

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

// ToString returns the result of rocblas_status_to_string: the C name, or for a number that is not a status text
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

// Layer is a status of a library above rocBLAS and rocSOLVER.
type Layer interface {
	Number() int
	Name() string // in C
	OK() bool
}

// HipBLAS is a hipblasStatus_t, the result of functions of hipBLAS, with its C number.
type HipBLAS int

// The statuses for which this program has names.
const (
	HipBLASSuccess      HipBLAS = 0
	HipBLASNotSupported HipBLAS = 7
	HipBLASInvalidEnum  HipBLAS = 10
)

// Number returns the C number.
func (h HipBLAS) Number() int { return int(h) }

// Name returns the C name, "HIPBLAS_STATUS_INVALID_VALUE".
func (h HipBLAS) Name() string { return "HIPBLAS_STATUS_" + layerRow(int(h)).name }

// OK reports whether the status is success.
func (h HipBLAS) OK() bool { return h == HipBLASSuccess }

// InHipBLAS returns the status of hipBLAS for one of rocBLAS or rocSOLVER.
func (s Status) InHipBLAS() HipBLAS { return HipBLAS(s.InHipSOLVER()) }

// Number returns the C number.
func (h HipSOLVER) Number() int { return int(h) }

// Name returns the C name, "HIPSOLVER_STATUS_INVALID_VALUE".
func (h HipSOLVER) Name() string { return "HIPSOLVER_STATUS_" + layerRow(int(h)).name }

// OK reports whether the status is success.
func (h HipSOLVER) OK() bool { return h == HipSOLVERSuccess }

// layerRows has the statuses that hipSOLVER and hipBLAS have in common, in the order of their numbers.
var layerRows = []layerStatus{
	{0, "SUCCESS", "the call succeeded"},
	{1, "NOT_INITIALIZED", "the handle is null"},
	{2, "ALLOC_FAILED", "there is too little memory"},
	{3, "INVALID_VALUE", "an argument is not valid"},
	{4, "MAPPING_ERROR", "device memory could not be accessed"},
	{5, "EXECUTION_FAILED", "a kernel failed"},
	{6, "INTERNAL_ERROR", "an internal error, or a size that does not fit lwork"},
	{7, "NOT_SUPPORTED", "the library does not implement this"},
	{8, "ARCH_MISMATCH", "the architecture lacks a feature"},
	{9, "HANDLE_IS_NULLPTR", "the handle is null, in functions that return a number"},
	{10, "INVALID_ENUM", "an enumeration does not have the value"},
	{11, "UNKNOWN", "rocBLAS or rocSOLVER returned a status that the library does not know"},
}

type layerStatus struct {
	number  int
	name    string // in C, without the prefix
	meaning string
}

func layerRow(number int) layerStatus {
	for _, row := range layerRows {
		if row.number == number {
			return row
		}
	}
	return layerStatus{number, strconv.Itoa(number), "not a status of the library"}
}

// LayerStatuses lists the numbers of the statuses of hipSOLVER and hipBLAS.
func LayerStatuses() (list []int) {
	for _, row := range layerRows {
		list = append(list, row.number)
	}
	return list
}

// LayerName returns the name in scripts of a status of hipSOLVER or hipBLAS, "invalid_value".
func LayerName(number int) string { return strings.ToLower(layerRow(number).name) }

// LayerMeaning describes in a few words when a status of hipSOLVER or hipBLAS is returned.
func LayerMeaning(number int) string { return layerRow(number).meaning }

// HipSOLVER is a hipsolverStatus_t, the result of functions of hipSOLVER, with its C number.
type HipSOLVER int

// The statuses that functions for the size of a buffer return.
const (
	HipSOLVERSuccess        HipSOLVER = 0
	HipSOLVERNotInitialized HipSOLVER = 1
	HipSOLVERAllocFailed    HipSOLVER = 2
	HipSOLVERInvalidValue   HipSOLVER = 3
	HipSOLVERInternalError  HipSOLVER = 6
	HipSOLVERNotSupported   HipSOLVER = 7
	HipSOLVERHandleNull     HipSOLVER = 9
	HipSOLVERInvalidEnum    HipSOLVER = 10
	HipSOLVERUnknown        HipSOLVER = 11
)

// String returns the C name and the number, "HIPSOLVER_STATUS_INVALID_VALUE (3)".
func (h HipSOLVER) String() string {
	return h.Name() + " (" + strconv.Itoa(int(h)) + ")"
}

// InHipSOLVER returns the status of hipSOLVER for one of rocSOLVER.
func (s Status) InHipSOLVER() HipSOLVER {
	switch s {
	case Success, SizeIncreased, SizeUnchanged:
		return HipSOLVERSuccess
	case InvalidHandle:
		return HipSOLVERNotInitialized
	case NotImplemented:
		return HipSOLVERNotSupported
	case InvalidPointer, InvalidSize, InvalidValue:
		return HipSOLVERInvalidValue
	case MemoryError:
		return HipSOLVERAllocFailed
	case InternalError:
		return HipSOLVERInternalError
	}
	return HipSOLVERUnknown
}
