package status

import "strconv"

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

// InHipSOLVER returns what hipSOLVER makes of a status of rocSOLVER.
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
