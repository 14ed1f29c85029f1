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

// errorType is the name of the type of error objects.
const errorType = "roclua.error"

// ErrorField returns a field of an error object that describes a status: status, func, scheme, required or available.
func (e *Engine) ErrorField(err error, name string) lua.LValue {
	var detail *workspace.Error
	if errors.As(err, &detail) {
		switch name {
		case "status":
			return e.Statuses.Value(detail.Status)
		case "func":
			return lua.LString(detail.Func)
		case "scheme":
			return lua.LString(detail.Scheme)
		case "required", "available":
			return sizeField(detail, name)
		}
	}
	switch name {
	case "status":
		var code driver.Error
		if errors.As(err, &code) {
			return e.Statuses.HIP(code)
		}
	case "func":
		var call *hipError
		if errors.As(err, &call) {
			return lua.LString(call.function)
		}
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

// isStatusError reports whether an error is a status that try returns instead of raising.
func isStatusError(err error) (*workspace.Error, driver.Error, bool) {
	var detail *workspace.Error
	if errors.As(err, &detail) {
		return detail, 0, true
	}
	var code driver.Error
	if errors.As(err, &code) {
		return nil, code, true
	}
	return nil, 0, false
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
