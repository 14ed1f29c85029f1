package routine

import "slices"

// Empty reports whether a call of rocSOLVER has nothing to compute because a dimension, the batch count or the number
// of rotations is 0. Such a call succeeds. It reads no arrays, and writes those that Zeroed reports.
func (a *Args) Empty() bool {
	if a.Routine.Library != RocSOLVER {
		return false
	}
	for _, s := range [...]Slot{M, N, NRHS, BatchCount} {
		if _, ok := a.Routine.ParamAt(s); ok && a.Int(s) == 0 {
			return true
		}
	}
	return slices.ContainsFunc(a.Routine.Family.idle, func(e Extent) bool { return e.Of(a) == 0 })
}

// Zeroed reports whether an empty call sets an array to zeros: a result of one element, such as info or the number of
// eigenvalues, unless the library leaves it, or the solution of a system without equations or unknowns.
func (a *Args) Zeroed(p *Param) bool {
	f := a.Routine.Family
	return p.Access == Out && p.Rows.Text == length1.Text && !slices.Contains(f.leaves, p.Slot) ||
		f.ID == Gels && p.Slot == B || f.ID == GelsOutOfPlace && p.Slot == MatX
}

// LaunchesNothing reports whether a call of rocSOLVER is empty and sets nothing to zeros either.
func (a *Args) LaunchesNothing() bool {
	if !a.Empty() {
		return false
	}
	zeroed := func(p Param) bool { return a.Zeroed(&p) }
	return a.Batch() == 0 || !slices.ContainsFunc(a.Routine.Params, zeroed)
}
