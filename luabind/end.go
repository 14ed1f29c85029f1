package luabind

import (
	"context"
	"errors"
	"fmt"

	"roclua/luabind/vm"
	"roclua/workspace"
)

// EndKind says what ended a case early.
type EndKind string

const (
	EndScript      EndKind = "script"      // the script raised an error that nothing caught
	EndAbort       EndKind = "abort"       // a call at which the library would end the process
	EndInternal    EndKind = "internal"    // a panic in this program
	EndUnavailable EndKind = "unavailable" // the platform, its library or its device is missing
	EndDied        EndKind = "died"        // the worker process of the case exited unexpectedly
	EndTimeout     EndKind = "timeout"     // the case reached its time limit
	EndLimit       EndKind = "limit"       // the case reached another limit
	EndCanceled    EndKind = "canceled"    // the run was interrupted
	EndLost        EndKind = "lost"        // no shard of the run has run the case
	EndOther       EndKind = "other"
)

// End describes how a case ended early. It is plain data: worker processes, event files and reports carry it unchanged.
// Fields that do not apply to the kind are empty.
type End struct {
	// script, abort, internal, unavailable, died, timeout, limit, canceled, other
	Kind      EndKind   `json:"kind"`
	Message   string    `json:"text,omitempty"`      // message without the place
	File      string    `json:"file,omitempty"`      // file of the script
	Line      int       `json:"line,omitempty"`      // line of the script
	Column    int       `json:"column,omitempty"`    // column in that line, of syntax errors
	Func      string    `json:"func,omitempty"`      // C function that was called; the last one of a worker that exited
	Where     string    `json:"where,omitempty"`     // line of the script, or the binding that panicked
	Traceback string    `json:"traceback,omitempty"` // calls that led there, innermost first
	Limit     *LimitUse `json:"limit,omitempty"`     // limit that the case reached
}

// LimitUse is a limit that a case reached.
type LimitUse struct {
	Name string `json:"name"` // key of the configuration below limits
	Max  uint64 `json:"max"`  // limit: nanoseconds, instructions or bytes
	Used uint64 `json:"used"` // amount that was used or requested
}

// EndOf describes the error that ended a case. It returns nil for nil.
func EndOf(err error) *End {
	if err == nil {
		return nil
	}
	var (
		script   *Error
		abort    *Abort
		internal *InternalError
		limit    *LimitError
	)
	switch {
	case errors.As(err, &internal):
		return &End{Kind: EndInternal, Where: internal.Where, Message: fmt.Sprint(internal.Value),
			Traceback: internal.Stack}
	case errors.As(err, &abort):
		return &End{Kind: EndAbort, Where: abort.Where, Func: abort.Func, Message: abort.Reason}
	case errors.As(err, &limit):
		return endOfLimit(limit)
	case errors.Is(err, context.DeadlineExceeded):
		return &End{Kind: EndTimeout}
	case errors.Is(err, context.Canceled):
		return &End{Kind: EndCanceled}
	case errors.As(err, &script):
		return &End{Kind: EndScript, Message: script.Message, File: script.File, Line: script.Line,
			Column: script.Column, Traceback: script.Traceback}
	}
	return &End{Kind: EndOther, Message: err.Error()}
}

func endOfLimit(e *LimitError) *End {
	kind := EndLimit
	if e.Limit == vm.LimitTimeout {
		kind = EndTimeout
	}
	return &End{Kind: kind, Where: e.Where, Limit: &LimitUse{e.Limit, e.Max, e.Used}}
}

// String returns the message as reports show it, with the place where one is known.
func (e *End) String() string {
	switch e.Kind {
	case EndScript:
		return (&Error{File: e.File, Line: e.Line, Column: e.Column, Message: e.Message}).Error()
	case EndAbort:
		return (&Abort{e.Where, &workspace.Abort{Func: e.Func, Reason: e.Message}}).Error()
	case EndInternal:
		return (&InternalError{Where: e.Where, Value: e.Message}).Error()
	case EndDied:
		text := "the worker process " + e.Message
		if e.Func != "" {
			text += " during " + e.Func
		}
		return text
	case EndTimeout, EndLimit:
		if e.Limit == nil {
			return "ran out of time"
		}
		return (&LimitError{Limit: e.Limit.Name, Max: e.Limit.Max, Used: e.Limit.Used, Where: e.Where}).Error()
	case EndCanceled:
		return "interrupted"
	}
	return e.Message
}
