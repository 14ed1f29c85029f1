package driver

import (
	"errors"
	"fmt"
)

// Error is a hipError_t. Its text is the C name, so it can be printed without the library.
type Error int

// The error codes that platforms return, numbered as in hip_runtime_api.h.
const (
	Success                  Error = 0
	ErrorInvalidValue        Error = 1
	ErrorOutOfMemory         Error = 2
	ErrorNotInitialized      Error = 3
	ErrorDeinitialized       Error = 4
	ErrorInvalidPitch        Error = 12
	ErrorInvalidDevicePtr    Error = 17
	ErrorInvalidMemcpyDir    Error = 21
	ErrorNoDevice            Error = 100
	ErrorInvalidDevice       Error = 101
	ErrorPeerAccess          Error = 217
	ErrorInvalidHandle       Error = 400
	ErrorIllegalState        Error = 401
	ErrorNotFound            Error = 500
	ErrorNotReady            Error = 600
	ErrorIllegalAddress      Error = 700
	ErrorLaunchOutOfResource Error = 701
	ErrorLaunchTimeOut       Error = 702
	ErrorPeerAccessEnabled   Error = 704
	ErrorPeerAccessNotOn     Error = 705
	ErrorContextIsDestroyed  Error = 709
	ErrorLaunchFailure       Error = 719
	ErrorNotPermitted        Error = 800
	ErrorNotSupported        Error = 801

	ErrorCaptureUnsupported Error = 900
	ErrorCaptureInvalidated Error = 901
	ErrorCaptureMerge       Error = 902
	ErrorCaptureUnmatched   Error = 903
	ErrorCaptureUnjoined    Error = 904
	ErrorCaptureIsolation   Error = 905
	ErrorCaptureImplicit    Error = 906
	ErrorCapturedEvent      Error = 907
	ErrorCaptureWrongThread Error = 908

	ErrorUnknown Error = 999
)

// errorTable has the C name of each code, and when it is returned.
var errorTable = map[Error]struct{ name, meaning string }{
	Success:                  {"hipSuccess", "the call succeeded"},
	ErrorInvalidValue:        {"hipErrorInvalidValue", "a size, a pointer or an enumeration is out of range"},
	ErrorOutOfMemory:         {"hipErrorOutOfMemory", "the device has less free memory than was requested"},
	ErrorNotInitialized:      {"hipErrorNotInitialized", "the runtime was not initialized"},
	ErrorDeinitialized:       {"hipErrorDeinitialized", "the runtime has been shut down"},
	ErrorInvalidPitch:        {"hipErrorInvalidPitchValue", "the pitch of a copy is smaller than its rows"},
	ErrorInvalidDevicePtr:    {"hipErrorInvalidDevicePointer", "an address is not device memory, or was already freed"},
	ErrorInvalidMemcpyDir:    {"hipErrorInvalidMemcpyDirection", "the kind of a copy is not one of the five"},
	ErrorNoDevice:            {"hipErrorNoDevice", "the machine has no device"},
	ErrorInvalidDevice:       {"hipErrorInvalidDevice", "there is no device with that number"},
	ErrorPeerAccess:          {"hipErrorPeerAccessUnsupported", "no link gives a device access to the other's memory"},
	ErrorInvalidHandle:       {"hipErrorInvalidHandle", "a stream or an event is closed or of another device"},
	ErrorIllegalState:        {"hipErrorIllegalState", "a stream is captured or not captured, or a graph is destroyed"},
	ErrorNotFound:            {"hipErrorNotFound", "a name was not found"},
	ErrorNotReady:            {"hipErrorNotReady", "work is not finished yet; this is not a failure"},
	ErrorIllegalAddress:      {"hipErrorIllegalAddress", "a kernel or a copy used memory outside its arguments"},
	ErrorLaunchOutOfResource: {"hipErrorLaunchOutOfResources", "a kernel needs more resources than the device has"},
	ErrorLaunchTimeOut:       {"hipErrorLaunchTimeOut", "a kernel exceeded the time limit of its case"},
	ErrorPeerAccessEnabled:   {"hipErrorPeerAccessAlreadyEnabled", "the device has access to the other's memory"},
	ErrorPeerAccessNotOn:     {"hipErrorPeerAccessNotEnabled", "the device has no access to the other's memory"},
	ErrorContextIsDestroyed:  {"hipErrorContextIsDestroyed", "the context of the device was destroyed"},
	ErrorLaunchFailure:       {"hipErrorLaunchFailure", "a kernel ended by a fault"},
	ErrorNotPermitted:        {"hipErrorNotPermitted", "a host function that runs in a stream called HIP"},
	ErrorNotSupported:        {"hipErrorNotSupported", "the platform does not have this function"},
	ErrorCaptureUnsupported:  {"hipErrorStreamCaptureUnsupported", "the call is not permitted during a capture"},
	ErrorCaptureInvalidated:  {"hipErrorStreamCaptureInvalidated", "an earlier error has invalidated the capture"},
	ErrorCaptureMerge:        {"hipErrorStreamCaptureMerge", "a wait for an event would merge two captures"},
	ErrorCaptureUnmatched:    {"hipErrorStreamCaptureUnmatched", "the capture did not begin in this stream"},
	ErrorCaptureUnjoined:     {"hipErrorStreamCaptureUnjoined", "a captured stream was not joined to the first one"},
	ErrorCaptureIsolation:    {"hipErrorStreamCaptureIsolation", "captured work would wait for other work"},
	ErrorCaptureImplicit:     {"hipErrorStreamCaptureImplicit", "the null stream would wait for a captured stream"},
	ErrorCapturedEvent:       {"hipErrorCapturedEvent", "the event was last recorded in a captured stream"},
	ErrorCaptureWrongThread:  {"hipErrorStreamCaptureWrongThread", "the capture began in another thread"},
	ErrorUnknown:             {"hipErrorUnknown", "an error without a code in this table"},
}

// Error returns the C name of the code, or its number when the table has no name for it.
func (e Error) Error() string {
	if known, ok := errorTable[e]; ok {
		return known.name
	}
	return fmt.Sprintf("hipError_t(%d)", int(e))
}

// Known reports whether the code has a name.
func (e Error) Known() bool {
	_, ok := errorTable[e]
	return ok
}

// Meaning describes in a few words when a code is returned.
func (e Error) Meaning() string {
	if known, ok := errorTable[e]; ok {
		return known.meaning
	}
	return "an error without a name in this table"
}

// Fault is an error code with details.
type Fault struct {
	Code   Error
	Func   string // the vendor's function that returned the code, "cudaMalloc"; empty on the simulated device
	Detail string // "rocblas_dgemm reads C up to byte 4096 of a block of 2048 bytes"; may be empty
}

// Error returns the C name of the code, the function and the detail.
func (f *Fault) Error() string {
	text := f.Code.Error()
	for _, part := range []string{f.Func, f.Detail} {
		if part != "" {
			text += ": " + part
		}
	}
	return text
}

// Unwrap returns the code, so errors.Is finds it.
func (f *Fault) Unwrap() error { return f.Code }

// OfKernel reports whether a kernel caused the fault, and not the call that returns it.
func (f *Fault) OfKernel() bool { return f.Code == ErrorIllegalAddress || f.Code == ErrorLaunchFailure }

// CodeOf returns the hipError_t of an error: Success for nil, ErrorUnknown for an error without a code of HIP.
func CodeOf(err error) Error {
	if err == nil {
		return Success
	}
	var code Error
	if errors.As(err, &code) {
		return code
	}
	return ErrorUnknown
}

// Faultf returns a Fault whose detail is formatted as by fmt.Sprintf.
func Faultf(code Error, format string, args ...any) *Fault {
	return &Fault{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// WithDetail adds a detail to an error that has none.
func WithDetail(err error, format string, args ...any) error {
	var f *Fault
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &f):
		return Faultf(CodeOf(err), format, args...)
	case f.Detail != "":
		return err
	}
	return &Fault{Code: f.Code, Func: f.Func, Detail: fmt.Sprintf(format, args...)}
}
