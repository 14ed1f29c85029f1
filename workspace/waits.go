package workspace

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/sizing"
)

// A routine that waits for the device between its steps cannot be captured. What the libraries do was observed on both
// recorded releases: see testdata/PROFILE/captures.jsonl.gz and waits.jsonl.gz.

// inverseErrors is the order from which the inverses of blocks in rocm-6.4 return no errors of them.
const inverseErrors = 128

// waits returns the waits of a call for its stream between its steps.
func (p modelled) waits(l *driver.Launch) hostWaits {
	errors := p.waitErrors(l)
	return hostWaits{sizing.WaitsOf(p.Target, l.Args, l.OnDevice, l.Degraded), errors,
		errors == launchesAfter && p.Release.RepeatedErrorsIgnored}
}

// waitErrors returns what a routine does when a wait fails.
func (p modelled) waitErrors(l *driver.Launch) waitErrors {
	a, order := l.Args, int64(0)
	switch a.Routine.Family.ID {
	case routine.Bdsqr, routine.Syevj:
		return checked
	case routine.Trsm, routine.TrsmEx:
		order = orderOf(a)
	case routine.Trtri:
		if order = a.Int(routine.N); order < smallSolve {
			return ignored
		}
	default:
		return ignored
	}
	if p.Release.InverseErrorsIgnored && order >= inverseErrors {
		return ignored
	}
	return launchesAfter
}

// endsWithWait reports whether a wait of a routine is its last call of HIP that can fail: the routine waits in each of
// its iterations.
func endsWithWait(a *routine.Args) bool { return a.Routine.Family.ID == routine.Gesvd }
