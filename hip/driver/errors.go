package driver

import (
	"errors"
	"fmt"
)

// Error is a hipError_t. Its text is the C name, so it can be printed without the library.
type Error int

// The error codes that the platforms answer with, numbered as in hip_runtime_api.h.
const (
	Success                  Error = 0
	ErrorInvalidValue        Error = 1
	ErrorOutOfMemory         Error = 2
	ErrorNotInitialized      Error = 3
	ErrorDeinitialized       Error = 4
	ErrorInvalidDevicePtr    Error = 17
	ErrorInvalidMemcpyDir    Error = 21
	ErrorNoDevice            Error = 100
	ErrorInvalidDevice       Error = 101
	ErrorInvalidHandle       Error = 400
	ErrorNotFound            Error = 500
	ErrorNotReady            Error = 600
	ErrorIllegalAddress      Error = 700
	ErrorLaunchOutOfResource Error = 701
	ErrorLaunchTimeOut       Error = 702
	ErrorContextIsDestroyed  Error = 709
	ErrorLaunchFailure       Error = 719
	ErrorNotSupported        Error = 801
	ErrorUnknown             Error = 999
)

var errorNames = map[Error]string{
	Success:                  "hipSuccess",
	ErrorInvalidValue:        "hipErrorInvalidValue",
	ErrorOutOfMemory:         "hipErrorOutOfMemory",
	ErrorNotInitialized:      "hipErrorNotInitialized",
	ErrorDeinitialized:       "hipErrorDeinitialized",
	ErrorInvalidDevicePtr:    "hipErrorInvalidDevicePointer",
	ErrorInvalidMemcpyDir:    "hipErrorInvalidMemcpyDirection",
	ErrorNoDevice:            "hipErrorNoDevice",
	ErrorInvalidDevice:       "hipErrorInvalidDevice",
	ErrorInvalidHandle:       "hipErrorInvalidHandle",
	ErrorNotFound:            "hipErrorNotFound",
	ErrorNotReady:            "hipErrorNotReady",
	ErrorIllegalAddress:      "hipErrorIllegalAddress",
	ErrorLaunchOutOfResource: "hipErrorLaunchOutOfResources",
	ErrorLaunchTimeOut:       "hipErrorLaunchTimeOut",
	ErrorContextIsDestroyed:  "hipErrorContextIsDestroyed",
	ErrorLaunchFailure:       "hipErrorLaunchFailure",
	ErrorNotSupported:        "hipErrorNotSupported",
	ErrorUnknown:             "hipErrorUnknown",
}

// Error returns the C name of the code, or its number when it has none here.
func (e Error) Error() string {
	if name, ok := errorNames[e]; ok {
		return name
	}
	return fmt.Sprintf("hipError_t(%d)", int(e))
}

// Fault is an error with what the runtime knows about it beyond the code.
type Fault struct {
	Code   Error
	Detail string // "rocblas_dgemm reads C up to byte 4096 of a block of 2048 bytes"
}

func (f *Fault) Error() string { return f.Code.Error() + ": " + f.Detail }

// Unwrap returns the code, so errors.Is finds it.
func (f *Fault) Unwrap() error { return f.Code }

// CodeOf returns the hipError_t of an error that a platform answered: Success for nil, ErrorUnknown for an error that
// HIP has no code for.
func CodeOf(err error) Error {
	var code Error
	switch {
	case err == nil:
		return Success
	case errors.As(err, &code):
		return code
	}
	return ErrorUnknown
}

// Faultf returns a Fault whose detail is formatted as by fmt.Sprintf.
func Faultf(code Error, format string, args ...any) *Fault {
	return &Fault{Code: code, Detail: fmt.Sprintf(format, args...)}
}
