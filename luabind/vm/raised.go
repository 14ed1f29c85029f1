package vm

import (
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/script"
)

// openErrors declares the type of error objects.
func (m *Machine) openErrors() {
	m.NewType(m.opts.ErrorType, map[string]lua.LGFunction{
		"__index": func(l *lua.LState) int {
			return Push(l, m.errorField(Receiver[*failure](m, l), l.CheckString(2)))
		},
		"__tostring": func(l *lua.LState) int {
			return Push(l, lua.LString(Receiver[*failure](m, l).err.Error()))
		},
	})
}

func (m *Machine) errorField(f *failure, name string) lua.LValue {
	if m.opts.ErrorField != nil {
		if v := m.opts.ErrorField(f.err, name); v != nil {
			return v
		}
	}
	switch name {
	case "source":
		return lua.LString(f.file)
	case "line":
		return lua.LNumber(f.line)
	case "message":
		return lua.LString(f.err.Error())
	}
	return lua.LNil
}

// scriptError returns the error that a script raised, with its position.
func (m *Machine) scriptError(api *lua.ApiError) *script.Error {
	e := &script.Error{Traceback: api.StackTrace}
	defer func() { e.Message = clipped(e.Message) }()
	switch object := api.Object.(type) {
	case *lua.LUserData:
		if f, ok := object.Value.(*failure); ok {
			e.File, e.Line, e.Message, e.Cause = f.file, f.line, f.err.Error(), f.err
			return e
		}
		e.Message = m.textOf(object)
	case lua.LString:
		e.File, e.Line, e.Message = splitLocation(string(object))
	default:
		e.Message = fmt.Sprintf("a %s was raised as error: %s", object.Type(), clipped(m.shown(object)))
	}
	if e.Line == 0 && api.Object.Type() != lua.LTString {
		innermost, _, _ := strings.Cut(api.StackTrace, "\n")
		e.File, e.Line, _ = splitLocation(innermost)
	}
	return e
}

// shown returns tostring(v), or the items of a table that has no __tostring.
func (m *Machine) shown(v lua.LValue) string {
	if v.Type() == lua.LTTable && m.lua.GetMetaField(v, "__tostring") == lua.LNil {
		return m.Show(v)
	}
	return m.textOf(v)
}

// Text returns tostring(v), or v's plain form if its __tostring fails, with its middle left out if it is too long.
func (m *Machine) Text(v lua.LValue) string { return clipped(m.textOf(v)) }

// maxMessage is the maximum number of bytes of an error message that the host gets.
const maxMessage = MaxText

// clipped returns a message with its middle left out if it is too long.
func clipped(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	head, tail := text[:maxMessage/2], text[len(text)-maxMessage/4:]
	return fmt.Sprintf("%s\n... (%d bytes) ...\n%s", head, len(text)-len(head)-len(tail), tail)
}

// textOf returns tostring(v), or v's plain form if its __tostring fails.
func (m *Machine) textOf(v lua.LValue) string {
	text := v.String()
	m.Protect(m.lua, m.lua.NewFunction(func(l *lua.LState) int {
		text = l.ToStringMeta(v).String()
		return 0
	}), 0)
	return text
}

// ErrorOf returns an error that [Machine.Protect] returned as [Machine.Run] does: an *[Error] with its position, or why
// the run ended.
func (m *Machine) ErrorOf(err error) error {
	if err == nil || m.stopped != nil {
		return m.stopped
	}
	var api *lua.ApiError
	known := errors.As(err, &api)
	cause := m.contextCause()
	switch {
	case cause != nil && known:
		return m.located(cause, api)
	case cause != nil:
		return cause
	case !known:
		return &script.Error{Message: err.Error(), Cause: err}
	}
	e := m.scriptError(api)
	if at, ok := api.Cause.(begunAt); ok && e.Line > 0 {
		e.File, e.Line, _ = splitLocation(string(at) + ": ")
	}
	if ended := m.Ended(); ended != nil { // while the __tostring of the error ran
		return ended
	}
	return e
}

// begunAt is the line at which an error is reported: see [Machine.WhereBegun].
type begunAt string

func (b begunAt) Error() string { return string(b) }

// located adds to the limit of time the line that ran when it was reached.
func (m *Machine) located(cause error, api *lua.ApiError) error {
	var limit *LimitError
	if !errors.As(cause, &limit) {
		return cause
	}
	e, at := m.scriptError(api), *limit
	at.Where = location(e.File, e.Line)
	return &at
}
