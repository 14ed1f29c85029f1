package workspace

import (
	"fmt"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
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

// modelled is the policy of a modelled release on an architecture.
type modelled struct{ *behavior.Target }

// lacks refuses a function that the release does not export or that has no code for the architecture.
func (p modelled) lacks(r *routine.Routine) (status.Status, string) {
	switch f := r.Family; {
	case !f.ExportedBy(p.Release.Exports()):
		return status.NotImplemented, p.Release.Name + " does not export this function"
	case !f.Exists(p.Arch):
		return status.ArchMismatch, f.OnlyOn(p.Arch)
	}
	return status.Success, ""
}

func (p modelled) demand(a *routine.Args, need *behavior.Demand) error {
	need.Set(p.Target, a)
	return nil
}

func (p modelled) refuses(l *driver.Launch) (status.Status, string) {
	if refusesNull(l) {
		return status.InvalidPointer, "the workspace for the copy of x is a null pointer: " +
			"with stream-ordered allocation a size from the environment has no memory"
	}
	return status.Success, ""
}

// refusesNull reports whether a routine checks that its memory does not begin at the null pointer. The routines that
// copy x do, because the copy checks its arguments; the batched tbmv copies by an array of pointers, which is not null.
// The others run.
func refusesNull(l *driver.Launch) bool {
	copies, byPointers := false, false
	for _, w := range l.Work {
		copies = copies || w.ID == buffer.VectorCopy
		byPointers = byPointers || w.ID == buffer.VectorCopyPointers
	}
	return copies && !byPointers && l.Buffer(buffer.VectorCopy).Ptr == 0
}

// computes refuses a reduction that the library computes in chunks.
func (p modelled) computes(a *routine.Args) error {
	if a.Routine.Wide && a.Batch() > behavior.ChunkBatch || a.Int(routine.N) > behavior.ChunkLength {
		return &driver.Fault{Code: driver.ErrorNotSupported, Detail: fmt.Sprintf(
			"%d elements and %d problems are computed in chunks, which are only modelled for sizes",
			a.Int(routine.N), a.Batch())}
	}
	return nil
}

func (p modelled) steps(s *behavior.Steps, c behavior.Call, a *routine.Args) {
	c.Target = p.Target
	s.Make(c, a)
}

// releaseError returns an Abort: the library would end the process.
func (p modelled) releaseError(failed *Error) error {
	return &Abort{"device_malloc", "device memory could not be released to the memory pool: " + failed.Cause.Error()}
}
