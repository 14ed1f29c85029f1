package vm

import (
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/script"
)

// raised has the type of error objects, and turns errors of a script into errors of the host.
type raised struct{ m *Machine }

// open declares the type of error objects.
func (r raised) open() {
	r.m.NewType(r.m.opts.ErrorType, map[string]lua.LGFunction{
		"__index": func(l *lua.LState) int {
			return Push(l, r.field(Receiver[*failure](r.m, l), l.CheckString(2)))
		},
		"__tostring": func(l *lua.LState) int {
			return Push(l, lua.LString(Receiver[*failure](r.m, l).err.Error()))
		},
	})
}

func (r raised) field(f *failure, name string) lua.LValue {
	if r.m.opts.ErrorField != nil {
		if v := r.m.opts.ErrorField(f.err, name); v != nil {
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
func (r raised) scriptError(api *lua.ApiError) *script.Error {
	e := &script.Error{Traceback: api.StackTrace}
	defer func() { e.Message = clipped(e.Message) }()
	switch object := api.Object.(type) {
	case *lua.LUserData:
		if f, ok := object.Value.(*failure); ok {
			e.File, e.Line, e.Message, e.Cause = f.file, f.line, f.err.Error(), f.err
			return e
		}
		e.Message = r.textOf(object)
	case lua.LString:
		e.File, e.Line, e.Message = splitLocation(string(object))
	default:
		e.Message = fmt.Sprintf("a %s was raised as error: %s", object.Type(), clipped(r.shown(object)))
	}
	if e.Line == 0 && api.Object.Type() != lua.LTString {
		innermost, _, _ := strings.Cut(api.StackTrace, "\n")
		e.File, e.Line, _ = splitLocation(innermost)
	}
	return e
}

// shown returns tostring(v), or the items of a table that has no __tostring.
func (r raised) shown(v lua.LValue) string {
	if v.Type() == lua.LTTable && r.m.lua.GetMetaField(v, "__tostring") == lua.LNil {
		return r.m.Show(v)
	}
	return r.textOf(v)
}

// Text returns tostring(v), or v's plain form if its __tostring fails, with its middle left out if it is too long.
func (m *Machine) Text(v lua.LValue) string { return clipped(m.raised.textOf(v)) }

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
func (r raised) textOf(v lua.LValue) string {
	text := v.String()
	r.m.Protect(r.m.lua, r.m.lua.NewFunction(func(l *lua.LState) int {
		text = l.ToStringMeta(v).String()
		return 0
	}), 0)
	return text
}

// result turns the error of a protected call into an *Error, or into why the run ended.
func (r raised) result(err error) error {
	if err == nil || r.m.stopped != nil {
		return r.m.stopped
	}
	var api *lua.ApiError
	known := errors.As(err, &api)
	cause := r.m.contextCause()
	switch {
	case cause != nil && known:
		return r.located(cause, api)
	case cause != nil:
		return cause
	case !known:
		return &script.Error{Message: err.Error(), Cause: err}
	}
	e := r.scriptError(api)
	if at, ok := api.Cause.(begunAt); ok && e.Line > 0 {
		e.File, e.Line, _ = splitLocation(string(at) + ": ")
	}
	if ended := r.m.Ended(); ended != nil { // while the __tostring of the error ran
		return ended
	}
	return e
}

// begunAt is the line at which an error is reported: see [Machine.WhereBegun].
type begunAt string

func (b begunAt) Error() string { return string(b) }

// located adds to the limit of time the line that ran when it was reached.
func (r raised) located(cause error, api *lua.ApiError) error {
	var limit *LimitError
	if !errors.As(cause, &limit) {
		return cause
	}
	e, at := r.scriptError(api), *limit
	at.Where = location(e.File, e.Line)
	return &at
}
