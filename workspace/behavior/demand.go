package behavior

import (
	"cmp"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace/tuning"
)

// Target is what a size depends on in addition to the call.
type Target struct {
	Release   *release.Release
	Arch      *arch.Arch
	Current   *arch.Arch // of the current device, see RunsOn; nil for Arch
	HostSterf bool       // sterf runs on the host: rocsolver_set_alg_mode set its hybrid mode
	TrsmLimit uint64     // bytes up to which trsm of a skinny problem takes its regular way; 0 means 128 MiB
	Bound     Bound
	Products  Products
}

// DefaultBytes returns the memory of a new managed handle.
func (t *Target) DefaultBytes() uint64 { return t.Arch.DefaultBytes(t.Release) }

// RunsOn returns the architecture of the current device: rocSOLVER reads how many threads its wavefronts have, and
// rocPRIM chooses its blocks for it, whichever device the handle belongs to.
func (t *Target) RunsOn() *arch.Arch { return cmp.Or(t.Current, t.Arch) }

// Bound is a number of bytes that counts for calls whose need is not known.
type Bound struct {
	Bytes uint64
	Given bool
}

// Demand is the memory that a call needs.
type Demand struct {
	Optimal      Buffers
	CanDegrade   bool      // a smaller set is enough for a slower run: see Degraded
	degraded     [4]amount // of the first buffers of Optimal, few, because a Demand is copied
	degradedLen  uint8
	ShortInverse bool   // too few inverted blocks were supplied: they are not used, and the call returns perf_degraded
	Endless      bool   // the library never returns from computing the size
	Unreported   Buffer // memory that an executed call also allocates, although no size query reports it
	Executed     Executed
	Unknown      string         // why the size cannot be known; "" when it is known
	RunsWithout  bool           // the kernels of this program do not need the memory of unknown size
	Kernel       *tuning.Kernel // that computes a product of matrices; nil if none does, or it is not known
	NoKernel     bool           // the tuning files have no kernel for the call, which returns not_implemented
	RunsInQuery  bool           // a size query of the call reports no bytes, and success
	executed     bool           // see Execute
}

// Degraded returns the smaller set, if CanDegrade.
func (d *Demand) Degraded() (b Buffers) {
	for i, bytes := range d.degraded[:d.degradedLen] {
		b.add(d.Optimal.ids[i], bytes)
	}
	return b
}

// NoSize returns why there is no number of bytes; "" if there is one.
func (d *Demand) NoSize() string {
	switch {
	case d.Endless:
		return "the library never returns from this query, because a search does not end"
	case d.Unknown != "":
		return d.Unknown
	case d.Optimal.Overflow():
		return "the size overflows in the library's own arithmetic, so its result has no meaning"
	}
	return ""
}

// Execute makes Optimal the memory that an executed call allocates, not what a size query reports.
func (d *Demand) Execute() {
	if d.executed {
		return
	}
	d.executed = true
	if d.Executed.Differs {
		d.Optimal = Buffers{}
		if d.Executed.Buffer.Bytes > 0 {
			d.Optimal.Add(d.Executed.Buffer)
		}
	}
	if d.Unreported.Bytes > 0 {
		d.Optimal.Add(d.Unreported)
	}
}

// Executed is the memory of an executed call that allocates less than a size query reports.
type Executed struct {
	Differs bool
	Buffer  Buffer // instead of Demand.Optimal; none if it has 0 bytes
}

// sizeRule returns the demand of a call whose arguments passed the library's checks.
type sizeRule func(t *Target, a *routine.Args) Demand

// Granule is the multiple of bytes that each buffer is rounded up to.
const Granule = 64

// Round returns bytes rounded up to the granule, modulo 2^64 like the library.
func Round(bytes uint64) uint64 { return (bytes + Granule - 1) &^ (Granule - 1) }
