package vm

import (
	"errors"
	"fmt"
	"runtime/debug"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
)

// An InternalError is a Go panic in a host function.
type InternalError struct {
	Where string // name of the function
	Value any    // of the panic
	Stack string // of Go
}

func (e *InternalError) Error() string {
	return fmt.Sprintf("%s: internal error: %v", e.Where, e.Value)
}

// failure is the host value of error objects: a Go error on its way through Lua.
type failure struct {
	err  error
	file string
	line int
}

// Describe implements Describer.
func (f *failure) Describe() string { return "an error object" }

// Raise raises a Go error in a host function. It does not return. pcall returns an error object with the fields of
// [Options].ErrorField; tostring returns the text of the error.
// An error that [Machine.Protect] returned is raised again as it was.
func (m *Machine) Raise(l *lua.LState, err error) {
	var api *lua.ApiError
	if !errors.As(err, &api) {
		m.RaiseValue(l, m.ErrorObject(l, err))
	}
	m.throw(l, api)
}

// RaiseValue raises a value as it is. It does not return.
func (m *Machine) RaiseValue(l *lua.LState, v lua.LValue) {
	m.throw(l, &lua.ApiError{Type: lua.ApiErrorRun, Object: v})
}

func (m *Machine) throw(l *lua.LState, api *lua.ApiError) {
	layout.CloseUpvalues(l)
	m.raising = true
	panic(api)
}

// Raisef raises an error about a mistake in the script. It does not return.
func (m *Machine) Raisef(l *lua.LState, format string, args ...any) {
	m.Raise(l, fmt.Errorf(format, args...))
}

// ErrorObject returns an error object without raising it, for functions that return errors.
func (m *Machine) ErrorObject(l *lua.LState, err error) lua.LValue {
	file, line := Line(l)
	return m.Object(m.opts.ErrorType, &failure{err, file, line})
}

// Cause returns the Go error that an error object represents. It is nil for other values.
func Cause(v lua.LValue) error {
	if ud, ok := v.(*lua.LUserData); ok {
		if f, ok := ud.Value.(*failure); ok {
			return f.err
		}
	}
	return nil
}

// stackOverflow is the value of the panic of gopher-lua when calls are nested too deep. It is an error of the script.
const stackOverflow = "lua callstack overflow"

// guard returns fn such that a Go panic in it ends the run as an InternalError, which no pcall can catch.
func (m *Machine) guard(name string, fn lua.LGFunction) lua.LGFunction {
	return func(l *lua.LState) int {
		before, returned := m.current, false
		m.current = l
		defer func() {
			m.current = before
			if !returned && !m.raising {
				m.panicked(name, recover())
			}
		}()
		m.profiler.add(l, "")
		results := fn(l)
		m.profiler.add(l, name)
		returned = true
		return results
	}
}

// panicked continues a panic that did not begin as an error of Lua. Those are not recovered at each level: a panic in a
// deferred call takes time proportional to the number of calls below it.
func (m *Machine) panicked(name string, r any) {
	if _, raised := r.(*lua.ApiError); !raised && r != stackOverflow {
		m.Stop(&InternalError{name, r, string(debug.Stack())})
	}
	m.raising = true
	panic(r)
}
