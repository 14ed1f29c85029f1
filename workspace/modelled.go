package workspace

import (
	"fmt"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
)

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

// losesPointerMode holds for potrf, which posv calls: it does not restore the mode when one kernel factorizes the
// matrix.
func (p modelled) losesPointerMode(a *routine.Args) bool {
	f := a.Routine.Family.ID
	if f == routine.Posv && a.Int(routine.NRHS) == 0 { // it does not factorize
		return false
	}
	return (f == routine.Potrf || f == routine.Posv) &&
		a.Int(routine.N) > 0 && a.Int(routine.N) <= behavior.CholeskyBlock(a.Routine.Type)
}

// releaseError returns an Abort: the library would end the process.
func (p modelled) releaseError(failed *Error) error {
	return &Abort{"device_malloc", "device memory could not be released to the memory pool: " + failed.Cause.Error()}
}

// copiesAlpha holds for trsm, unless it solves for one vector.
func (modelled) copiesAlpha(a *routine.Args) bool { return solves(a) && !forVector(a) }

// solves reports whether a routine is trsm.
func solves(a *routine.Args) bool {
	return a.Routine.Family.ID == routine.Trsm || a.Routine.Family.ID == routine.TrsmEx
}

// forVector reports whether trsm has one right-hand side, which is a vector.
func forVector(a *routine.Args) bool {
	return a.Int(routine.Side) == routine.SideLeft && a.Int(routine.N) == 1
}

// orderOf returns the order of the triangular matrix of a solve.
func orderOf(a *routine.Args) int64 {
	if a.Int(routine.Side) == routine.SideLeft {
		return a.Int(routine.M)
	}
	return a.Int(routine.N)
}
