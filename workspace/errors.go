package workspace

import (
	"errors"
	"fmt"
	"strings"

	"roclua/hip/driver"
	"roclua/internal/units"
	"roclua/workspace/status"
)

// Error is a call that ended with an error status, with its cause.
type Error struct {
	Status status.Status
	Func   string // C name of the function
	Reason string // the mistake; "" when Required and Available explain the error

	// Required and Available are the bytes that the call needs and the free bytes of the handle's memory, when Sized.
	Sized               bool
	Required, Available uint64
	Scheme              string // who owned the memory: "rocblas_managed", "user_managed", "user_owned"

	Cause error // the HIP error behind it, if any
}

// Error returns the function, the status, the bytes and the reason.
func (e *Error) Error() string {
	text := e.Func + ": " + e.Status.Short()
	if e.Sized {
		text += fmt.Sprintf(": needs %s, %s %s", units.FormatBytes(e.Required), e.holder(),
			units.FormatBytes(e.Available))
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

func (e *Error) holder() string {
	if e.Scheme == Managed.String() || e.Cause != nil { // an allocation by HIP failed
		return "the device has"
	}
	return "the handle's " + e.Scheme + " workspace has"
}

// Unwrap returns the HIP error that caused the error, or nil.
func (e *Error) Unwrap() error { return e.Cause }

// Abort is a call that would make the library end the process. There is no status for it, and the script ends.
type Abort struct {
	Func   string
	Reason string
}

// Error returns the function and the reason.
func (a *Abort) Error() string {
	return a.Func + ": the library would abort the process here: " + a.Reason
}

// Unknown is the result of a size query with a call whose need the model cannot compute, because any number of bytes
// would be a guess. Such a call itself has this result, and is not executed, if it cannot run without the memory.
type Unknown struct {
	Func   string
	Reason string
}

// Error returns the function and the reason.
func (u *Unknown) Error() string { return u.Func + ": the model cannot know: " + u.Reason }

// earlierError is the last error of HIP as the error of a call that did not cause it.
type earlierError struct {
	code driver.Error
	left driver.Site // the call that left it
}

func (e *earlierError) Error() string {
	return e.code.Error() + ": left by an earlier call, " + e.left.String() + ", and not read by hipGetLastError"
}

func (e *earlierError) Unwrap() error { return e.code }

// statusOf translates a HIP error as the library does.
func statusOf(err error) status.Status {
	if err == nil {
		return status.Success
	}
	var code driver.Error
	if !errors.As(err, &code) {
		return status.InternalError
	}
	switch code {
	case driver.Success:
		return status.Success
	case driver.ErrorOutOfMemory, driver.ErrorLaunchOutOfResource:
		return status.MemoryError
	case driver.ErrorInvalidDevicePtr:
		return status.InvalidPointer
	case driver.ErrorInvalidDevice, driver.ErrorInvalidHandle:
		return status.InvalidHandle
	case driver.ErrorNotSupported: // from platforms that lack a feature; a library call itself never gets it
		if _, earlier := err.(*earlierError); !earlier {
			return status.NotImplemented
		}
	}
	return status.InternalError
}

// libraryError returns the error of a call to the vendor's library, from its status or its error; nil for a call that
// succeeded.
func libraryError(function string, st int, err error) error {
	switch {
	case err != nil:
		return &Error{Status: statusOf(err), Func: function, Cause: err}
	case !status.Status(st).OK():
		return &Error{Status: status.Status(st), Func: function, Reason: status.Status(st).Meaning()}
	}
	return nil
}

// LayerError is a call of a library above rocBLAS and rocSOLVER that ended with an error status.
type LayerError struct {
	Status status.Layer
	Func   string // C name of the function
	Reason string // the mistake; "" when Cause explains the error
	Cause  error  // the error of the rocBLAS, rocSOLVER or HIP call behind it, if any
}

// Error returns the function, the status and the reason.
func (e *LayerError) Error() string {
	text := e.Func + ": " + e.Status.Name()
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	if e.Cause != nil {
		text += ": " + strings.TrimPrefix(e.Cause.Error(), e.Func+": ")
	}
	return text
}

// Unwrap returns the error behind it, or nil.
func (e *LayerError) Unwrap() error { return e.Cause }

// NoLayer returns the error of calls of a library above rocBLAS that the platform does not have.
func NoLayer(title string) error {
	return &driver.NoLayer{Reason: "this platform does not have " + title}
}
