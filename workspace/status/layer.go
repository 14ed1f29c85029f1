package status

import "strings"

// Layer is a status of a library above rocBLAS and rocSOLVER.
type Layer interface {
	Number() int
	Name() string // in C
	OK() bool
}

var _ Layer = HipSOLVER(0)

// Number returns the C number.
func (h HipSOLVER) Number() int { return int(h) }

// Name returns the C name, "HIPSOLVER_STATUS_INVALID_VALUE".
func (h HipSOLVER) Name() string { return "HIPSOLVER_STATUS_" + hipsolverNames[h] }

// OK reports whether the status is success.
func (h HipSOLVER) OK() bool { return h == HipSOLVERSuccess }

// hipsolverMeanings has the statuses in the order of their numbers.
var hipsolverMeanings = []struct {
	status  HipSOLVER
	meaning string
}{
	{HipSOLVERSuccess, "the call succeeded"},
	{HipSOLVERNotInitialized, "the handle is null"},
	{HipSOLVERAllocFailed, "there is too little memory"},
	{HipSOLVERInvalidValue, "an argument is not valid"},
	{HipSOLVERInternalError, "an internal error, or a size that does not fit lwork"},
	{HipSOLVERNotSupported, "the library does not implement this"},
	{HipSOLVERInvalidEnum, "an enumeration does not have the value"},
	{HipSOLVERUnknown, "rocSOLVER returned a status that hipSOLVER does not know"},
}

// AllHipSOLVER lists the statuses of hipSOLVER.
func AllHipSOLVER() (list []HipSOLVER) {
	for _, row := range hipsolverMeanings {
		list = append(list, row.status)
	}
	return list
}

// Short returns the name in scripts, "invalid_value".
func (h HipSOLVER) Short() string { return strings.ToLower(hipsolverNames[h]) }

// Meaning describes in a few words when a status is returned.
func (h HipSOLVER) Meaning() string {
	for _, row := range hipsolverMeanings {
		if row.status == h {
			return row.meaning
		}
	}
	return "not a status of the library"
}
