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
	// steps makes the steps of a call.
	steps(s *behavior.Steps, c behavior.Call, a *routine.Args)
	// releaseError returns the error of memory that could not be released to the pool.
	releaseError(failed *Error) error
}

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

func (reported) lacks(*routine.Routine) (status.Status, string)            { return status.Success, "" }
func (reported) refuses(*driver.Launch) (status.Status, string)            { return status.Success, "" }
func (reported) computes(*routine.Args) error                              { return nil }
func (reported) steps(s *behavior.Steps, c behavior.Call, a *routine.Args) { s.MakeLaunch(c, a) }
func (reported) releaseError(failed *Error) error                          { return failed }
