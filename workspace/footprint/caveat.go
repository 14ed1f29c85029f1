package footprint

import (
	"roclua/hip/arch"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
)

// Caveat returns why another build of the release than the one that the profile reproduces may need other bytes for a
// call; "" if there is no reason to expect it.
func Caveat(t Target, a *routine.Args) string {
	if !t.Profile.Modelled() || !t.Profile.Release.SolveBoundByPackage {
		return ""
	}
	unbound := *t.Profile.Release
	unbound.SolveSizedByTrsm = true
	var have, other behavior.Demand
	query := behavior.Mode{Query: true}
	if size(t.sizing(), a, query, &have) != nil ||
		size(&behavior.Target{Release: &unbound, Arch: arch.Of(t.Arch)}, a, query, &other) != nil ||
		have.Optimal.Total() == other.Optimal.Total() {
		return ""
	}
	return a.Routine.UniqueName() +
		": AMD's own packages may need other bytes, because they may lack the upper bound for " +
		"triangular solves of rocm-libraries pull request 1954 (roclua docs provenance)"
}
