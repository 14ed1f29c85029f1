package luabind

import (
	"context"
	"time"

	"roclua/luabind/engine"
	"roclua/luabind/vm"
	"roclua/luabind/vm/script"
)

// Error is an error that a script raised, with its position. It wraps the Go error behind it, if there is one: a
// *workspace.Error, a *driver.Fault, or a driver.Error.
type Error = script.Error

// InvalidError reports a file that is not Lua, or that declares an invalid scenario.
type InvalidError struct{ Err error }

func (e *InvalidError) Error() string { return e.Err.Error() }
func (e *InvalidError) Unwrap() error { return e.Err }

// InternalError is a Go panic in a binding: a defect of this program.
type InternalError = vm.InternalError

// Abort reports a call at which the library would have ended the process. It ends the case, and no pcall catches it.
type Abort = engine.Abort

// LimitError reports that a case ended because it reached a limit. No pcall catches it.
type LimitError = vm.LimitError

// WithTimeout returns a context that ends after limit with a *LimitError as its cause. If limit is 0, it does not end
// by itself.
func WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return vm.WithTimeout(ctx, limit)
}

// TimedOut returns the error of a case that took longer than limit.
func TimedOut(limit time.Duration) *LimitError { return vm.TimedOut(limit) }

// CollectSeldom collects garbage as rarely as while scripts run, until stop is called: see [vm.CollectSeldom].
func CollectSeldom() (stop func()) { return vm.CollectSeldom() }
