package workspace

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
)

// A routine that waits for the device between its steps cannot be captured. What the libraries do was observed on both
// recorded releases: see testdata/PROFILE/captures.jsonl.gz and waits.jsonl.gz.

// waits returns the waits of a call for its stream between its steps.
func (p modelled) waits(l *driver.Launch) hostWaits {
	errors := ignored
	switch l.Args.Routine.Family.ID {
	case routine.Bdsqr, routine.Syevj:
		errors = checked
	}
	waits := behavior.WaitsOf(p.Target, l.Args, l.OnDevice, l.Degraded)
	return hostWaits{waits, errors, p.Release.RepeatedErrorsIgnored}
}

// endsWithWait reports whether a wait of a routine is its last call of HIP that can fail: the routine waits in each of
// its iterations.
func endsWithWait(a *routine.Args) bool { return a.Routine.Family.ID == routine.Gesvd }
