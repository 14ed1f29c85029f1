package sizing

import (
	"strings"

	"roclua/hip/release"
	"roclua/hip/routine"
)

// Target is what a size depends on beside the call.
type Target struct {
	Release   *release.Release
	Arch      string // "gfx90a"; suffixes such as ":sramecc+:xnack-" do not matter
	TrsmLimit uint64 // bytes up to which trsm of a skinny problem takes its regular way; 0 stands for 128 MiB
}

// Demand is what a call asks for.
type Demand struct {
	Optimal      Buffers
	Degraded     Buffers // what it can do with instead, at lower speed, when CanDegrade
	CanDegrade   bool
	ShortInverse bool   // too few inverted blocks were supplied: they are not used, and the call answers perf_degraded
	Endless      bool   // the library never comes back from computing the size
	Unknown      string // why nobody can say what the call asks for; "" when the rest holds
}

// Asked is the demand of a call whose buffers somebody else names, in order; with optional it can do without them.
func Asked(buffers []Buffer, optional bool) (d Demand) {
	for _, b := range buffers {
		d.Optimal.add(b.Purpose, amount{n: b.Bytes})
	}
	d.CanDegrade = optional
	return d
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

// Of returns what a call asks for whose arguments passed the library's checks. Families without a rule ask for nothing.
// The rules are called directly, so that the answer stays off the heap.
func Of(t *Target, a *routine.Args) (d Demand) {
	switch a.Routine.Family.Name {
	case "asum", "nrm2":
		realReduction(a, &d)
	case "dot", "dotu", "dotc":
		dot(a, &d)
	case "iamax", "iamin":
		extremum(a, &d)
	case "dot_ex", "dotc_ex", "nrm2_ex":
		reductionEx(a, &d)
	case "gemv":
		gemv(a, &d)
	case "trmv", "tpmv":
		vectorCopy(a, &d)
	case "tbmv":
		bandCopy(a, &d)
	case "trsv":
		trsv(a, &d)
	case "symv", "hemv":
		symv(a, &d)
	case "trsm":
		trsm(t, a, &d)
	case "trsm_ex":
		trsmEx(t, a, &d)
	case "gemm_ex":
		gemmEx(a, &d)
	case "trtri":
		trtri(a, &d)
	case "syrk", "herk":
		syrk(t, a, &d)
	default:
		solver(t, a, &d)
	}
	return d
}

// solver returns what the routines of rocSOLVER ask for.
func solver(t *Target, a *routine.Args, d *Demand) {
	switch a.Routine.Family.Name {
	case "getf2":
		getf2(a, d)
	case "getrf", "getrf_npvt":
		getrf(t, a, d)
	case "getrs":
		getrs(t, a, d)
	case "getri":
		getri(t, a, d)
	case "gesv":
		gesv(t, a, d)
	case "potrf":
		potrf(a, d)
	case "potrs":
		potrs(t, a, d)
	case "posv":
		posv(t, a, d)
	case "geqrf":
		geqrf(t, a, d)
	}
}
