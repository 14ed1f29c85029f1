package vm

import (
	"context"
	"time"

	"roclua/luabind/vm/bounds"
)

// Limits bound a run. Zero means no limit.
type Limits struct {
	Timeout      time.Duration // time
	Instructions uint64        // executed by the Lua interpreter
	Heap         uint64        // bytes that Lua values, and host values behind them, may hold at a time
	Output       uint64        // bytes of text that are printed, and bytes that the host charges
}

// A LimitError reports that a run ended because it reached a limit. No pcall catches it.
type LimitError struct {
	bounds.LimitUse        // the last request is included
	Where           string // the line of the script that ran, such as "solve.lua:12"; "" if unknown
}

func (e *LimitError) Error() string {
	if e.Where == "" {
		return e.String()
	}
	return e.Where + ": " + e.String()
}

// Unwrap returns context.DeadlineExceeded for the time limit.
func (e *LimitError) Unwrap() error {
	if e.Name == bounds.Timeout {
		return context.DeadlineExceeded
	}
	return nil
}

// WithTimeout returns a context that ends after limit with a *LimitError as its cause. If limit is 0, it does not end
// by itself.
func WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, TimedOut(limit))
}

// TimedOut returns the error of a run that took longer than limit.
func TimedOut(limit time.Duration) *LimitError {
	return &LimitError{LimitUse: bounds.LimitUse{Name: bounds.Timeout, Max: uint64(limit), Used: uint64(limit)}}
}
