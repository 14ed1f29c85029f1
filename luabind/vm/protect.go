package vm

import (
	"errors"

	lua "github.com/yuin/gopher-lua"
)

// protected calls the function below nargs arguments on the stack of l and returns the error that it raised.
// Every call that catches errors goes through it, except coroutine.resume.
func (m *Machine) protected(l *lua.LState, nargs, results int, handler *lua.LFunction) error {
	return l.PCall(nargs, results, handler)
}

// Protect calls a function from a host function and returns the error that it raised, which is a *lua.ApiError.
// Its results are left on the stack of l; results may be lua.MultRet.
// The caller passes the error to [Machine.Raise] to raise it again, or reads it with [ErrorValue] and [Cause].
func (m *Machine) Protect(l *lua.LState, fn lua.LValue, results int, args ...lua.LValue) error {
	l.Push(fn)
	for _, arg := range args {
		l.Push(arg)
	}
	return m.protected(l, len(args), results, nil)
}

// Run runs a script and returns its first results, or all of them if results is lua.MultRet.
// The error is an *[Error] if the script raised it, or why the run ended: see [Machine.Ended].
func (m *Machine) Run(script *Script, results int) ([]lua.LValue, error) {
	base := m.lua.GetTop()
	defer m.lua.SetTop(base)
	err := m.Protect(m.lua, m.lua.NewFunctionFromProto(script.proto), results)
	if err := m.raised.result(err); err != nil {
		return nil, err
	}
	var values []lua.LValue
	for i := base + 1; i <= m.lua.GetTop(); i++ {
		values = append(values, m.lua.Get(i))
	}
	return values, nil
}

// Call calls a function of the script while no script runs. Its results are dropped. Errors are those of Run.
func (m *Machine) Call(fn *lua.LFunction, args ...lua.LValue) error {
	return m.raised.result(m.Protect(m.lua, fn, 0, args...))
}

// openProtected replaces pcall and xpcall.
func (b baseLibrary) openProtected(g *lua.LTable) {
	g.RawSetString("pcall", b.m.lua.NewFunction(b.pcall))
	g.RawSetString("xpcall", b.m.lua.NewFunction(b.xpcall))
}

func (b baseLibrary) pcall(l *lua.LState) int {
	fn := l.CheckAny(1)
	if fn.Type() != lua.LTFunction && l.GetMetaField(fn, "__call").Type() != lua.LTFunction {
		l.Push(lua.LFalse)
		l.Push(lua.LString("attempt to call a " + fn.Type().String() + " value"))
		return 2
	}
	if err := b.m.protected(l, l.GetTop()-1, lua.MultRet, nil); err != nil {
		return pushFailure(l, err)
	}
	l.Insert(lua.LTrue, 1)
	return l.GetTop()
}

func (b baseLibrary) xpcall(l *lua.LState) int {
	fn, handler := l.CheckFunction(1), l.CheckFunction(2)
	top := l.GetTop()
	l.Push(fn)
	if err := b.m.protected(l, 0, lua.MultRet, handler); err != nil {
		return pushFailure(l, err)
	}
	l.Insert(lua.LTrue, top+1)
	return l.GetTop() - top
}

func pushFailure(l *lua.LState, err error) int {
	l.Push(lua.LFalse)
	l.Push(ErrorValue(err))
	return 2
}

// ErrorValue returns the Lua value of an error that [Machine.Protect] returned.
func ErrorValue(err error) lua.LValue {
	var api *lua.ApiError
	if errors.As(err, &api) {
		return api.Object
	}
	return lua.LString(err.Error())
}
