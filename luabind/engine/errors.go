package engine

import (
	"errors"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/workspace"
)

// Abort reports a call at which the library would have ended the process. It ends the case, and no pcall catches it.
type Abort struct {
	Where string // line of the script
	*workspace.Abort
}

func (a *Abort) Error() string { return a.Where + ": " + a.Abort.Error() }

// Skipped ends a case that is skipped.
type Skipped struct{ Reason string }

func (e *Skipped) Error() string { return "skipped: " + e.Reason }

// errorType is the name of the type of error objects.
const errorType = "roclua.error"

// ErrorField returns a field of an error object that describes a status: status, func, scheme, required or available.
func (e *Engine) ErrorField(err error, name string) lua.LValue {
	if name == "status" {
		if st := e.Statuses.ofError(err); st != nil {
			return st
		}
		return nil
	}
	var layer *workspace.LayerError
	if name == "func" && errors.As(err, &layer) {
		return lua.LString(layer.Func)
	}
	var detail *workspace.Error
	if errors.As(err, &detail) {
		switch name {
		case "func":
			return lua.LString(detail.Func)
		case "scheme":
			return lua.LString(detail.Scheme)
		case "required", "available":
			return sizeField(detail, name)
		}
	}
	var call *hipError
	if name == "func" && errors.As(err, &call) {
		return lua.LString(call.function)
	}
	return nil
}

func sizeField(e *workspace.Error, name string) lua.LValue {
	switch {
	case !e.Sized:
		return lua.LNil
	case name == "required":
		return lua.LNumber(e.Required)
	}
	return lua.LNumber(e.Available)
}

// isMismatch reports whether an error is about the type of elements. Such an error names the call itself.
func isMismatch(err error) bool {
	var mismatch *driver.MismatchError
	return errors.As(err, &mismatch)
}

// hipError names the HIP function that returned an error.
type hipError struct {
	function string
	err      error
}

func (e *hipError) Error() string { return e.function + ": " + e.err.Error() }
func (e *hipError) Unwrap() error { return e.err }
