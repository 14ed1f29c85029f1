package sizing

import (
	"strings"

	"roclua/hip/routine"
)

// Release is a version of the libraries as far as sizes differ.
type Release uint8

const (
	ROCm64 Release = iota
	ROCm71
	ROCm72
)

// String returns the release's name, "rocm-7.2".
func (r Release) String() string { return [...]string{"rocm-6.4", "rocm-7.1", "rocm-7.2"}[r] }

// Target is what a size depends on beside the call.
type Target struct {
	Release   Release
	Arch      string // "gfx90a"; suffixes such as ":sramecc+:xnack-" do not matter
	TrsmLimit uint64 // bytes up to which trsm of a skinny problem takes its regular way; 0 stands for 128 MiB
}

// Demand is what a call asks for.
type Demand struct {
	Optimal    Buffers
	Degraded   Buffers // what it can do with instead, at lower speed, when CanDegrade
	CanDegrade bool
	Endless    bool // the library never comes back from computing the size
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

// rule computes the demand of one family's calls.
type rule func(t *Target, a *routine.Args, d *Demand)

// rules are the families that ask for memory. All others ask for nothing.
var rules = map[string]rule{
	"asum": realReduction, "nrm2": realReduction, "dot": dot, "dotu": dot, "dotc": dot, "iamax": extremum, "iamin": extremum,
	"gemv": gemv, "trmv": vectorCopy, "tpmv": vectorCopy, "tbmv": bandCopy, "trsv": trsv, "symv": symv, "hemv": symv,
	"trsm": trsm, "trtri": trtri, "syrk": syrk, "herk": syrk,
	"getf2": getf2, "getrf": getrf, "getrf_npvt": getrf, "getrs": getrs, "getri": getri, "gesv": gesv,
	"potrf": potrf, "potrs": potrs, "posv": posv, "geqrf": geqrf,
}

// ruleOf finds a routine's rule without a search by name on every call.
var ruleOf = func() map[*routine.Family]rule {
	index := map[*routine.Family]rule{}
	for _, f := range routine.Families() {
		if r, ok := rules[f.Name]; ok {
			index[f] = r
		}
	}
	return index
}()

// Of returns what a call asks for whose arguments passed the library's checks.
func Of(t *Target, a *routine.Args) Demand {
	var d Demand
	if r, ok := ruleOf[a.Routine.Family]; ok {
		r(t, a, &d)
	}
	return d
}
