package vm

import (
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
	"roclua/luabind/vm/script"
)

// maxProtected is the maximum number of active protected calls in all coroutines. Lua 5.1 has the same limit for calls
// of C functions. Each call takes Go stack.
const maxProtected = 200

// maxHandled is the maximum number of errors of an error handler that the handler itself handles.
const maxHandled = 10

// Messages of Lua 5.1.
const (
	tooManyProtected = "error in protected call: C stack overflow"
	handlerFailed    = "error in error handling"
)

// A catcher describes how a protected call handles an error.
type catcher struct {
	handler   *lua.LFunction // turns the error value into the one to report, before the stack is unwound; may be nil
	traceback bool           // add a traceback to the error
}

// protected calls the function below nargs arguments on the stack of l and returns the error that it raised.
// Every call that catches errors goes through it, except coroutine.resume.
//
// It replaces gopher-lua's PCall, which detaches the local variables of all active calls from the closures that use
// them, even of callers that continue.
func (m *Machine) protected(l *lua.LState, nargs, results int, c catcher) (failed *lua.ApiError) {
	mark := layout.Protect(l, nargs)
	raise := l.Panic
	m.guarded++
	leave := func() {
		m.guarded--
		l.Panic = raise
		mark.Leave()
	}
	if m.guarded > maxProtected {
		mark.Unwind()
		leave()
		return &lua.ApiError{Type: lua.ApiErrorRun, Object: lua.LString(tooManyProtected)}
	}
	l.Panic = m.onPanic
	defer func() {
		defer leave()
		if r := recover(); r != nil {
			m.caught()
			failed = m.unwind(l, &mark, apiError(r), c)
		}
	}()
	l.Call(nargs, results)
	return nil
}

// caught notes that an error was caught. If the run has ended, no further instruction may be executed: a context calls
// expire in another goroutine, which may not have run yet.
func (m *Machine) caught() {
	m.raising = false
	if m.Ended() != nil {
		m.meter.expire()
	}
}

// raise raises the value on top of the stack. gopher-lua's own function adds a traceback, which is slow. Messages of
// the interpreter become messages of Lua 5.1.
func (m *Machine) raise(l *lua.LState) {
	value := l.Get(-1)
	if text, ok := value.(lua.LString); ok {
		value = lua.LString(m.explain(l, string(text)))
	}
	m.raising = true
	panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: value})
}

// apiError returns the error of a panic.
func apiError(r any) *lua.ApiError {
	if api, ok := r.(*lua.ApiError); ok {
		return api
	}
	return &lua.ApiError{Type: lua.ApiErrorPanic, Object: lua.LString(fmt.Sprint(r))}
}

// unwind removes a protected call that failed from the stack, and returns the error to report.
func (m *Machine) unwind(l *lua.LState, mark *layout.Mark, api *lua.ApiError, c catcher) *lua.ApiError {
	mark.CloseUpvalues()
	if c.traceback && api.StackTrace == "" {
		where, calls := m.WhereBegun(l)
		if api.StackTrace = calls; where != m.Where(l) {
			api.Cause = begunAt(where)
		}
	}
	if c.handler != nil && m.depth(l) < maxDepth-spareCalls && len(layout.Registers(l)) < registryMax {
		api = m.handle(l, c.handler, api)
		mark.Unwind()
		return api
	}
	mark.Unwind()
	if c.handler != nil { // there was no room for it before
		api = m.handle(l, c.handler, api)
	}
	return api
}

// handle returns the error that a handler makes of another one. An error in the handler is handled by the handler, too.
func (m *Machine) handle(l *lua.LState, handler *lua.LFunction, api *lua.ApiError) *lua.ApiError {
	for range maxHandled {
		l.Push(handler)
		l.Push(api.Object)
		failed := m.protected(l, 1, 1, catcher{})
		if failed == nil {
			value := l.Get(-1)
			l.Pop(1)
			return &lua.ApiError{Type: lua.ApiErrorError, Object: value}
		}
		api = failed
		if m.Ended() != nil {
			return api
		}
	}
	return &lua.ApiError{Type: lua.ApiErrorError, Object: lua.LString(handlerFailed)}
}

// PCall calls the function below nargs arguments on the stack of l and returns the error that it raised, as Lua's pcall
// does, or xpcall if handler is not nil. All results are left on the stack.
func (m *Machine) PCall(l *lua.LState, nargs int, handler *lua.LFunction) *lua.ApiError {
	return m.protected(l, nargs, lua.MultRet, catcher{handler: handler})
}

// Protect calls a function from a host function and returns the error that it raised, which is a *lua.ApiError.
// Its results are left on the stack of l; results may be lua.MultRet.
// The caller passes the error to [Machine.Raise] to raise it again, or reads it with [ErrorValue] and [Cause].
func (m *Machine) Protect(l *lua.LState, fn lua.LValue, results int, args ...lua.LValue) error {
	l.Push(fn)
	for _, arg := range args {
		l.Push(arg)
	}
	if failed := m.protected(l, len(args), results, catcher{traceback: true}); failed != nil {
		return failed
	}
	return nil
}

// Run runs a script and returns its first results, or all of them if results is lua.MultRet.
// The error is an *[Error] if the script raised it, or why the run ended: see [Machine.Ended].
func (m *Machine) Run(sc *script.Script, results int) ([]lua.LValue, error) {
	base := m.lua.GetTop()
	defer m.lua.SetTop(base)
	m.profiler.begin()
	err := m.Protect(m.lua, m.lua.NewFunctionFromProto(sc.Proto), results)
	if err := m.ErrorOf(err); err != nil {
		return nil, err
	}
	var values []lua.LValue
	for i := base + 1; i <= m.lua.GetTop(); i++ {
		values = append(values, m.lua.Get(i))
	}
	return values, nil
}

// Call calls a function of the script while no script runs. Its results are dropped. Call returns the same errors as
// Run.
func (m *Machine) Call(fn *lua.LFunction, args ...lua.LValue) error {
	m.profiler.begin()
	return m.ErrorOf(m.Protect(m.lua, fn, 0, args...))
}

// CallFor is Call for a function with one result.
func (m *Machine) CallFor(fn *lua.LFunction, args ...lua.LValue) (lua.LValue, error) {
	m.profiler.begin()
	if err := m.ErrorOf(m.Protect(m.lua, fn, 1, args...)); err != nil {
		return nil, err
	}
	defer m.lua.Pop(1)
	return m.lua.Get(-1), nil
}

// ErrorValue returns the Lua value of an error that [Machine.Protect] returned.
func ErrorValue(err error) lua.LValue {
	var api *lua.ApiError
	if errors.As(err, &api) {
		return api.Object
	}
	return lua.LString(err.Error())
}
