package sizing

import (
	"strings"

	"roclua/hip/release"
	"roclua/hip/routine"
)

// Target is what a size depends on in addition to the call.
type Target struct {
	Release   *release.Release
	Arch      string // "gfx90a"; suffixes such as ":sramecc+:xnack-" do not matter
	TrsmLimit uint64 // bytes up to which trsm of a skinny problem takes its regular way; 0 means 128 MiB
}

// Demand is the memory that a call needs.
type Demand struct {
	Optimal      Buffers
	Degraded     Buffers // a smaller set with which the call also runs, at lower speed, if CanDegrade
	CanDegrade   bool
	ShortInverse bool   // too few inverted blocks were supplied: they are not used, and the call returns perf_degraded
	Endless      bool   // the library never returns from computing the size
	Unreported   Buffer // memory that an executed call also allocates, although no size query reports it
	Unknown      string // why the size cannot be known; "" when it is known
}

// Of returns the demand of a call whose arguments passed the library's checks.
//
// A rule returns its demand as a value, which stays on the stack. A pointer to a demand would escape to the heap,
// because rules are called through a table.
func Of(t *Target, a *routine.Args) Demand {
	of := rules[a.Routine.Family.ID]
	if of == nil {
		return Demand{}
	}
	return of(t, a)
}

// Granule is the multiple of bytes that each buffer is rounded up to.
const Granule = 64

// Round returns bytes rounded up to the granule, modulo 2^64 like the library.
func Round(bytes uint64) uint64 { return (bytes + Granule - 1) &^ (Granule - 1) }

// DefaultBytes returns the memory of a new managed handle: 128 MiB on gfx94x, otherwise 32 MiB (handle.cpp).
func DefaultBytes(arch string) uint64 {
	switch base(arch) {
	case "gfx940", "gfx941", "gfx942":
		return 128 << 20
	}
	return 32 << 20
}

// base returns an architecture's name without suffixes.
func base(arch string) string {
	name, _, _ := strings.Cut(arch, ":")
	return name
}
