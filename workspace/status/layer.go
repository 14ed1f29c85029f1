package status

import (
	"strconv"
	"strings"
)

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
	HipBLASAllocFailed  HipBLAS = 2
	HipBLASNotSupported HipBLAS = 7
	HipBLASInvalidEnum  HipBLAS = 10
)

// Number returns the C number.
func (h HipBLAS) Number() int { return int(h) }

// Name returns the C name, "HIPBLAS_STATUS_INVALID_VALUE".
func (h HipBLAS) Name() string { return "HIPBLAS_STATUS_" + layerRow(int(h)).name }

// OK reports whether the status is success.
func (h HipBLAS) OK() bool { return h == HipBLASSuccess }

// InHipBLAS returns what hipBLAS makes of a status of rocBLAS or rocSOLVER.
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

// Short returns the name in scripts, "invalid_value".
func (h HipSOLVER) Short() string { return LayerName(int(h)) }

// LayerName returns the name in scripts of a status of hipSOLVER or hipBLAS, "invalid_value".
func LayerName(number int) string { return strings.ToLower(layerRow(number).name) }

// LayerMeaning describes in a few words when a status of hipSOLVER or hipBLAS is returned.
func LayerMeaning(number int) string { return layerRow(number).meaning }
