package workspace

import (
	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
)

// policy is the behavior of calls that depends on the libraries: a modelled release, or the libraries of a platform,
// which report the memory that calls need and compute in their own way.
type policy interface {
	// lacks returns the status of a call of a function that the libraries do not have, and the reason; success for all
	// others.
	lacks(r *routine.Routine) (status.Status, string)
	// demand stores the memory that a call needs.
	demand(a *routine.Args, need *behavior.Demand) error
	// refuses returns the status of a call that fails because of the memory that it got, and the reason; success for
	// all others.
	refuses(l *driver.Launch) (status.Status, string)
	// computes returns an error for a reduction that is modelled for its size only.
	computes(a *routine.Args) error
	// copiesAlpha reports whether the library copies alpha from the device to the host while it computes.
	copiesAlpha(a *routine.Args) bool
	// launchError returns the error of a launch as the library returns it. before is the last error before the launch.
	launchError(l *driver.Launch, err error, before driver.Error) error
	// readsLastError reports whether a routine reads the last error of HIP, resets it and returns it.
	readsLastError(l *driver.Launch) bool
	// losesPointerMode reports whether a call leaves the handle in host pointer mode.
	losesPointerMode(a *routine.Args) bool
	// waits returns the waits of a call for its stream between its steps.
	waits(l *driver.Launch) hostWaits
	// resultError returns the error of the copy of a result, and of the wait for it, as the library returns it.
	resultError(a *routine.Args, err error) error
	// releaseError returns the error of memory that could not be released to the pool.
	releaseError(failed *Error) error
}

// hostWaits is how often a routine waits for its stream, in addition to waits for results and scalars, and what it does
// when a wait fails.
type hostWaits struct {
	behavior.Waits
	errors          waitErrors
	repeatedIgnored bool // an error of a kernel that was the last error already
}

type waitErrors uint8

const (
	ignored waitErrors = iota // it ignores the errors of its waits
	checked                   // it returns the first error
)

// reported is the policy of the libraries of a platform.
type reported struct{ dev *hip.Device }

func (p reported) demand(a *routine.Args, need *behavior.Demand) error {
	needs, err := p.dev.Needs(a)
	if err != nil {
		return err
	}
	*need = behavior.Demand{CanDegrade: needs.Optional}
	for _, b := range needs.Buffers {
		need.Optimal.Add(behavior.Buffer(b))
	}
	return nil
}

func (reported) lacks(*routine.Routine) (status.Status, string) { return status.Success, "" }
func (reported) refuses(*driver.Launch) (status.Status, string) { return status.Success, "" }
func (reported) computes(*routine.Args) error                   { return nil }
func (reported) copiesAlpha(*routine.Args) bool                 { return false }

func (reported) launchError(_ *driver.Launch, err error, _ driver.Error) error { return err }

func (reported) readsLastError(*driver.Launch) bool           { return false }
func (reported) losesPointerMode(*routine.Args) bool          { return false }
func (reported) waits(*driver.Launch) hostWaits               { return hostWaits{} }
func (reported) resultError(_ *routine.Args, err error) error { return err }
func (reported) releaseError(failed *Error) error             { return failed }
