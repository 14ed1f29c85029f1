package host

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"

	"roclua/hip"
	"roclua/luabind"
	"roclua/workspace"
)

// What a worker process and the program say to each other: jobs one way, records the other, as gob. Errors travel as what
// reports need of them.

func init() {
	for _, v := range []any{int64(0), float64(0), "", false} {
		gob.Register(v)
	}
}

// answer is what a worker sends back for a job.
type answer struct {
	Metrics  []luabind.Metric
	Checks   []luabind.Check
	Skipped  string
	Err      *wireError
	Problems []string
	Log      string
	Seconds  float64
	Stats    hip.Stats
	History  hip.History
	Statuses map[string]int
	Required []string
	Faults   []hip.Call
	Lost     bool // the device is of no further use to the worker, which ends
}

// wireError is the end of a case in another process.
type wireError struct {
	Kind      string // "script", "abort", "internal", "unavailable", "died", "timeout", "limit", "canceled", "other"
	Message   string
	File      string
	Line      int
	Column    int
	Source    string
	Traceback string
	Func      string
	Where     string
	Limit     *luabind.LimitError // of kind "timeout" or "limit"
}

func pack(r *luabind.Record, lost bool) *answer {
	return &answer{Metrics: r.Metrics, Checks: r.Checks, Skipped: r.Skipped, Err: packError(r.Err), Problems: r.Problems, Log: r.Log,
		Seconds: r.Seconds, Stats: r.Stats, History: r.History, Statuses: r.Statuses, Required: r.Required, Faults: r.Faults, Lost: lost}
}

func (a *answer) record() *luabind.Record {
	return &luabind.Record{Metrics: a.Metrics, Checks: a.Checks, Skipped: a.Skipped, Err: a.Err.unpack(), Problems: a.Problems, Log: a.Log,
		Seconds: a.Seconds, Stats: a.Stats, History: a.History, Statuses: a.Statuses, Required: a.Required, Faults: a.Faults}
}

func packError(err error) *wireError {
	var (
		script   *luabind.Error
		abort    *luabind.Abort
		internal *luabind.InternalError
		platform *errUnavailable
		worker   *died
		limit    *luabind.LimitError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &worker):
		return &wireError{Kind: "died", Message: worker.how, Func: worker.last}
	case errors.As(err, &internal):
		return &wireError{Kind: "internal", Where: internal.Where, Message: fmt.Sprint(internal.Value), Traceback: internal.Stack}
	case errors.As(err, &abort):
		return &wireError{Kind: "abort", Where: abort.Where, Func: abort.Func, Message: abort.Reason}
	case errors.As(err, &platform):
		return &wireError{Kind: "unavailable", Message: err.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		errors.As(err, &limit)
		timeout := &wireError{Kind: "timeout", Limit: limit}
		if limit != nil {
			timeout.Where = limit.Where
		}
		return timeout
	case errors.As(err, &limit):
		return &wireError{Kind: "limit", Limit: limit, Where: limit.Where}
	case errors.Is(err, context.Canceled):
		return &wireError{Kind: "canceled"}
	case errors.As(err, &script):
		return &wireError{Kind: "script", Message: script.Message, File: script.File, Line: script.Line, Column: script.Column,
			Source: script.Source, Traceback: script.Traceback}
	}
	return &wireError{Kind: "other", Message: err.Error()}
}

func (e *wireError) unpack() error {
	switch {
	case e == nil:
		return nil
	case e.Kind == "internal":
		return &luabind.InternalError{Where: e.Where, Value: e.Message, Stack: e.Traceback}
	case e.Kind == "abort":
		return &luabind.Abort{Where: e.Where, Abort: &workspace.Abort{Func: e.Func, Reason: e.Message}}
	case e.Kind == "unavailable":
		return &errUnavailable{errors.New(e.Message)}
	case e.Kind == "died":
		return &died{how: e.Message, last: e.Func}
	case e.Limit != nil:
		return e.Limit
	case e.Kind == "timeout":
		return context.DeadlineExceeded
	case e.Kind == "canceled":
		return context.Canceled
	case e.Kind == "script":
		return &luabind.Error{Message: e.Message, File: e.File, Line: e.Line, Column: e.Column, Source: e.Source, Traceback: e.Traceback}
	}
	return errors.New(e.Message)
}
