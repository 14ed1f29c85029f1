package luabind

import (
	"context"
	"fmt"
	"slices"
	"time"

	"roclua/hip"
	"roclua/hip/trace"
	"roclua/internal/units"
	"roclua/luabind/engine"
	"roclua/luabind/record"
	"roclua/luabind/vm"
	"roclua/luabind/vm/script"
)

// addProblem adds a problem if err is not nil.
func addProblem(r *record.Record, what string, err error) {
	if err != nil {
		r.Problems = append(r.Problems, record.Failure(what, err))
	}
}

// inspect records the counts of the runtime, and hazards, reads of unwritten memory and leaks as problems. rt may be
// nil.
func inspect(r *record.Record, rt *hip.Runtime) {
	if rt == nil {
		return
	}
	hazards := rt.Hazards()
	r.AddProblems(len(hazards), func(i int) string {
		return "hazard: " + hazards[i].String() + "; synchronize the streams or wait for an event"
	}, "hazard: %d more; %d in all")
	reads := rt.UnwrittenReads()
	r.AddProblems(len(reads), func(i int) string { return "unwritten memory: " + reads[i].String() },
		"unwritten memory: %d more reads; %d in all")
	misuses := rt.Misuses()
	r.AddProblems(len(misuses), func(i int) string { return misuses[i] },
		"%[1]d more streams were destroyed that handles use")
	addLeaks(r, rt.Leaks())
	r.Stats.Add(rt.Stats())
	r.Faults = append(r.Faults, record.FaultsOf(rt.Recorder().Faults())...)
}

// endCaptures ends the captures that the case left open, and adds them as problems. rt may be nil.
func endCaptures(r *record.Record, rt *hip.Runtime) {
	if rt == nil {
		return
	}
	for _, begun := range rt.EndCaptures() {
		r.Problems = append(r.Problems, "leak: the capture that "+begun.String()+" began was not ended")
	}
}

// endHostFuncs adds the functions of hip.launch_host_func that have not run as problems, unless the case ended early.
func endHostFuncs(r *record.Record, h *engine.HostFuncs) {
	left := h.End()
	if r.End != nil {
		return
	}
	r.AddProblems(len(left), func(i int) string {
		return "the function of hipLaunchHostFunc at " + left[i] + " has not run: no call waited for its stream"
	}, "%[1]d more functions of hipLaunchHostFunc have not run")
}

// addLeaks adds leaks as problems. Leaks of one kind follow one another.
func addLeaks(r *record.Record, leaks []hip.Leak) {
	for len(leaks) > 0 {
		kind := leaks[0].Kind
		n := slices.IndexFunc(leaks, func(l hip.Leak) bool { return l.Kind != kind })
		if n < 0 {
			n = len(leaks)
		}
		same, bytes := leaks[:n], uint64(0)
		for _, l := range same {
			bytes += l.Bytes
		}
		more := "leak: %d more; %d open " + kind + "s in all"
		if kind == leakOfMemory {
			more = "leak: %d more; %d allocations, " + units.FormatBytes(bytes) + " of device memory in all"
		}
		leaks = leaks[n:]
		r.AddProblems(n, func(i int) string { return leakText(same[i]) }, more)
	}
}

// leakOfMemory is the kind of leak that has a size.
const leakOfMemory = "device memory"

// leakText describes a leak, with the line of the script that made the object.
func leakText(l hip.Leak) string {
	what := "an open " + l.Kind
	if l.Kind == leakOfMemory {
		what = units.FormatBytes(l.Bytes) + " of device memory"
		if l.Device > 0 {
			what += fmt.Sprintf(" on device %d", l.Device)
		}
	}
	if l.Cause != trace.CauseScript {
		return fmt.Sprintf("leak: %s from %s (%s) at %s", what, l.Call, l.Cause, l.Origin)
	}
	return fmt.Sprintf("leak: %s from %s at %s", what, l.Call, l.Origin)
}

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
