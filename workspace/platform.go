package workspace

import (
	"fmt"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
)

// Calls depend on the libraries: a modelled release, or the libraries of a platform, which report the memory that calls
// need and compute in their own way.

// lacks returns the status of a call of a function that a release does not export or that has no code for the
// architecture, and the reason; success for all others.
func lacks(t *behavior.Target, r *routine.Routine) (status.Status, string) {
	switch f := r.Family; {
	case !f.ExportedBy(t.Release.Exports()):
		return status.NotImplemented, t.Release.Name + " does not export this function"
	case !f.Exists(t.Arch):
		return status.ArchMismatch, f.OnlyOn(t.Arch)
	}
	return status.Success, ""
}

// setNeed stores the memory that a call needs.
func (b *base) setNeed(a *routine.Args, need *behavior.Demand) error {
	if b.profile.Modelled() {
		need.Set(&b.target, a)
		return nil
	}
	needs, err := b.dev.Needs(a)
	if err != nil {
		return err
	}
	*need = behavior.Demand{CanDegrade: needs.Optional}
	for _, b := range needs.Buffers {
		need.Optimal.Add(behavior.Buffer(b))
	}
	return nil
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

// chunked returns an error for a reduction that the library computes in chunks.
func chunked(a *routine.Args) error {
	if a.Routine.Wide && a.Batch() > behavior.ChunkBatch || a.Int(routine.N) > behavior.ChunkLength {
		return &driver.Fault{Code: driver.ErrorNotSupported, Detail: fmt.Sprintf(
			"%d elements and %d problems are computed in chunks, which are only modelled for sizes",
			a.Int(routine.N), a.Batch())}
	}
	return nil
}
