package workspace

import (
	"strings"

	"roclua/hip/driver"
	"roclua/workspace/status"
)

// LayerError is a call of a library above rocBLAS and rocSOLVER that ended with an error status.
type LayerError struct {
	Status status.Layer
	Func   string // C name of the function
	Reason string // the mistake; "" when Cause explains the error
	Cause  error  // the error of the call of rocBLAS, rocSOLVER or HIP behind it, if any
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
