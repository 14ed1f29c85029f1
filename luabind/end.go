package luabind

import (
	"context"
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/engine"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
	"roclua/workspace"
)

// EndOf describes the error that ended a case as plain data. It returns nil for nil.
func EndOf(err error) *record.End {
	if err == nil {
		return nil
	}
	var (
		script   *Error
		abort    *engine.Abort
		internal *InternalError
		limit    *LimitError
		invalid  *InvalidError
	)
	switch {
	case errors.As(err, &internal):
		return &record.End{Kind: record.EndInternal, Where: internal.Where, Message: fmt.Sprint(internal.Value),
			Traceback: internal.Stack}
	case errors.As(err, &abort):
		return &record.End{Kind: record.EndAbort, Where: abort.Where, Func: abort.Func, Message: abort.Reason}
	case errors.As(err, &limit):
		return endOfLimit(limit)
	case errors.Is(err, context.DeadlineExceeded):
		return &record.End{Kind: record.EndTimeout}
	case errors.Is(err, context.Canceled):
		return &record.End{Kind: record.EndCanceled}
	case errors.As(err, &script):
		kind := record.EndScript
		if errors.As(err, &invalid) {
			kind = record.EndInvalid
		}
		return &record.End{Kind: kind, Message: script.Message, File: script.File, Line: script.Line,
			Column: script.Column, Traceback: script.Traceback}
	}
	return &record.End{Kind: record.EndOther, Message: err.Error()}
}

func endOfLimit(e *LimitError) *record.End {
	kind := record.EndLimit
	if e.Name == bounds.Timeout {
		kind = record.EndTimeout
	}
	return &record.End{Kind: kind, Where: e.Where, Limit: &e.LimitUse}
}

// endRecord records how the case ended: by a skip, early, or, if err is nil, normally.
func endRecord(r *record.Record, err error, limits record.Limits) {
	var skip *engine.Skipped
	if errors.As(err, &skip) {
		r.Skipped = skip.Reason
		return
	}
	r.End = EndOf(err)
	if r.End != nil && r.End.Kind == record.EndTimeout && r.End.Limit == nil && limits.Timeout > 0 {
		// The device noticed first that time was up. Its error does not have the limit.
		r.End.Limit = &TimedOut(limits.Timeout).LimitUse
	}
}

// osGetenv returns a variable of the environment of the case.
func osGetenv(c *engine.Call, name string) error {
	if value, set := c.Env[name]; set {
		c.Out(lua.LString(value))
	} else {
		c.Out(lua.LNil)
	}
	return nil
}

// osSetenv sets a variable for this case alone, or removes it.
func osSetenv(c *engine.Call, name string, value engine.Option[string]) error {
	if name == "" || strings.ContainsAny(name, "=\x00") {
		c.Bad("name", `got %q, want a name without "=" and zero bytes`, name)
	}
	if err := workspace.CheckVariable(name); err != nil {
		c.Bad("name", "%s", err)
	}
	if value.Given {
		c.Env[name] = value.Value
	} else {
		delete(c.Env, name)
	}
	return nil
}
