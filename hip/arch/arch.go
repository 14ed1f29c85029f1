// Package arch is the table of GPU architectures and of their differences in the libraries. Default sizes, size rules,
// modes, the simulated device, warnings, completion and messages come from this table.
//
// Code checks a fact of an architecture, as in
//
//	if t.Arch.Wavefront == 64 { ... }
//
// and never compares names. An architecture without a row has the facts of most architectures; see [Of].
package arch

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"roclua/hip/release"
)

// Arch is one architecture.
type Arch struct {
	Name    string // "gfx90a"; without features such as ":sramecc+:xnack-"
	Default bool   // used when no architecture is named; exactly one row has it

	// Since and Until are the first and the last release whose rocBLAS knows the name; "" means no limit. In other
	// releases LargeWorkspace, XF32 and SolveWaits do not apply.
	Since, Until string

	Wavefront      int  // threads of a wavefront
	LargeWorkspace bool // a new handle holds 128 MiB, not 32 MiB
	XF32           bool // rocblas_set_math_mode accepts the mode xf32
	Float8         bool // rocBLAS has gemm_ex3, for 8-bit floating-point numbers, which have the format FNUZ

	SolveWaits bool // rocSOLVER waits between the blocks of triangular solves, see WaitsInSolves

	TriangleCopy TriangleCopy

	Gemv Gemv

	Scan    Scan
	ScanFor map[string]Scan // of releases where it differs from Scan

	Chip Chip
}

// TriangleCopy has the orders below which syrk and herk with a long k copy a triangle. Without limits they never do.
type TriangleCopy struct{ Real, C, Z int64 }

// Gemv is when gemm_ex multiplies a matrix by a vector with the kernels of gemv (rocblas_use_gemv_in_gemm).
type Gemv struct {
	InGemm         bool // it does so at all
	SlowIncrements bool // not for a transposed matrix of f32 and a vector with an increment
	SlowBFloat16   bool // not for a column of bf16
}

// Scan is how rocPRIM sums integers in one pass. The values were found by comparing the sizes that the libraries report
// for numbers of rows up to 2^31-1.
type Scan struct {
	Elements int64 // that a block sums
	Counter  bool  // blocks take their numbers from a counter
}

// Chip has published properties of a GPU. Multiprocessors are compute units where HIP counts those, workgroup
// processors for gfx10 and later.
type Chip struct {
	Name            string
	Multiprocessors int
	ClockKHz        int
}

// The memory of a new managed handle, in bytes.
const (
	smallWorkspace = 32 << 20
	largeWorkspace = 128 << 20
)

// Default returns the architecture that is used when none is named.
func Default() *Arch { return rows[slices.IndexFunc(rows, func(a *Arch) bool { return a.Default })] }

// Names returns the names of all rows, ordered by number. Generic names, whose code runs on several architectures, are
// last.
func Names() []string { return NamesWith(func(*Arch) bool { return true }) }

// NamesWith returns the names of the rows with a property.
func NamesWith(property func(*Arch) bool) []string {
	var names []string
	for _, a := range rows {
		if property(a) {
			names = append(names, a.Name)
		}
	}
	return names
}

// LargeNames returns the names of the rows whose new managed handles hold 128 MiB in a release.
func LargeNames(r *release.Release) []string {
	return NamesWith(func(a *Arch) bool { return a.DefaultBytes(r) == largeWorkspace })
}

var byName = sync.OnceValue(func() map[string]*Arch {
	index := make(map[string]*Arch, len(rows))
	for _, a := range rows {
		index[a.Name] = a
	}
	return index
})

// Find returns the row of a name, which may have features: "gfx90a:sramecc+:xnack-".
func Find(name string) (*Arch, bool) {
	a, ok := byName()[base(name)]
	return a, ok
}

// Of returns the architecture of a name. One without a row has the facts that most architectures have, and the
// wavefront of its generation.
func Of(name string) *Arch {
	if a, ok := Find(name); ok {
		return a
	}
	a := &Arch{Name: base(name), Wavefront: 64, Scan: usualScan}
	if strings.HasPrefix(a.Name, "gfx1") && len(a.Name) == len("gfx1030") {
		a.Wavefront = 32
		a.Gemv.InGemm = a.Name < "gfx12"
	}
	return a
}

func base(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return name
}

var pattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(gfx[0-9a-f]{3,4}|gfx[0-9-]+-generic)(:[a-z]+[+-])*$`)
})

// Valid reports whether a name has the form of an architecture's, with or without features.
func Valid(name string) bool { return pattern().MatchString(name) }

// String returns the name of the architecture.
func (a *Arch) String() string { return a.Name }

// DefaultBytes returns the memory of a new managed handle (handle.cpp).
func (a *Arch) DefaultBytes(r *release.Release) uint64 {
	if a.LargeWorkspace && a.knownTo(r) {
		return largeWorkspace
	}
	return smallWorkspace
}

// HasXF32 reports whether the math mode xf32 can be set.
func (a *Arch) HasXF32(r *release.Release) bool { return a.XF32 && a.knownTo(r) }

// WaitsInSolves reports whether rocSOLVER of a release waits for the stream after each block of a triangular solve by
// its own kernels, before rocBLAS computes with the results (roclapack_trsm_specialized_kernels.hpp).
func (a *Arch) WaitsInSolves(r *release.Release) bool { return a.SolveWaits && a.knownTo(r) }

// knownTo reports whether the rocBLAS of a release knows the name.
func (a *Arch) knownTo(r *release.Release) bool {
	return (a.Since == "" || !r.Before(a.Since)) && (a.Until == "" || r.Name == a.Until || r.Before(a.Until))
}

// ScanOf returns how rocPRIM of a release sums integers.
func (a *Arch) ScanOf(r *release.Release) Scan {
	if s, ok := a.ScanFor[r.Name]; ok {
		return s
	}
	return a.Scan
}

// Model returns the chip that the simulated device is. A row without a chip has the numbers of the default one.
func (a *Arch) Model() Chip {
	if a.Chip.Name != "" {
		return a.Chip
	}
	c := Default().Chip
	c.Name = "AMD " + a.Name
	return c
}

// Same reports whether devices have one architecture.
func Same(archs []string) bool {
	return !slices.ContainsFunc(archs, func(name string) bool { return name != archs[0] })
}

// Label describes the architectures of several devices: "gfx90a", "gfx90a*2" for two, "gfx90a,gfx942*2" for different
// ones.
func Label(archs []string) string {
	var parts []string
	for len(archs) > 0 {
		n := 1
		for n < len(archs) && archs[n] == archs[0] {
			n++
		}
		part := archs[0]
		if n > 1 {
			part += "*" + strconv.Itoa(n)
		}
		parts, archs = append(parts, part), archs[n:]
	}
	return strings.Join(parts, ",")
}

// usualScan is the choice of rocPRIM for architectures without tuned values.
var usualScan = Scan{Elements: 3584}

// rows is the table. A new architecture is one entry here.
//
// It has every name that rocBLAS of a modelled release compares with the name of the device, the other architectures
// that distributions build rocBLAS for, and the generic names of its code. The libraries report the facts for a device
// of any name: make architectures compares every row with them.
var rows = []*Arch{
	{Name: "gfx803", Wavefront: 64, Scan: Scan{Elements: 4096}},
	{Name: "gfx900", Wavefront: 64, Scan: Scan{Elements: 4096}},
	{Name: "gfx906", Wavefront: 64, Gemv: Gemv{InGemm: true, SlowIncrements: true},
		Scan: Scan{Elements: 3840},
		Chip: Chip{"AMD Instinct MI50", 60, 1725000}},
	{Name: "gfx908", Wavefront: 64, Gemv: Gemv{InGemm: true, SlowBFloat16: true}, Scan: usualScan,
		Chip: Chip{"AMD Instinct MI100", 120, 1502000}},
	{Name: "gfx90a", Wavefront: 64, Gemv: Gemv{InGemm: true, SlowBFloat16: true}, Default: true,
		TriangleCopy: TriangleCopy{Real: 3000, C: 2500, Z: 2500},
		Scan:         Scan{Elements: 1280}, Chip: Chip{"AMD Instinct MI210", 104, 1700000}},
	{Name: "gfx90c", Wavefront: 64, Scan: usualScan},
	{Name: "gfx940", Wavefront: 64, Until: "rocm-6.4", LargeWorkspace: true, XF32: true, Float8: true, SolveWaits: true,
		Scan: usualScan},
	{Name: "gfx941", Wavefront: 64, Until: "rocm-6.4", LargeWorkspace: true, XF32: true, Float8: true, SolveWaits: true,
		Scan: usualScan},
	{Name: "gfx942", Wavefront: 64, LargeWorkspace: true, XF32: true, Float8: true,
		TriangleCopy: TriangleCopy{Real: 4000, C: 1600, Z: 3000},
		Scan:         Scan{Elements: 5376, Counter: true}, ScanFor: map[string]Scan{"rocm-6.4": {Elements: 5376}},
		Chip: Chip{"AMD Instinct MI300X", 304, 2100000}},
	{Name: "gfx950", Wavefront: 64, Since: "rocm-7.1", LargeWorkspace: true,
		Scan: Scan{Elements: 4096, Counter: true}, ScanFor: map[string]Scan{"rocm-6.4": usualScan},
		Chip: Chip{"AMD Instinct MI355X", 256, 2400000}},
	{Name: "gfx1010", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1011", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1012", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1013", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1030", Wavefront: 32, Gemv: Gemv{InGemm: true},
		Scan: Scan{Elements: 320}, ScanFor: map[string]Scan{"rocm-6.4": {Elements: 1152}},
		Chip: Chip{"AMD Radeon RX 6900 XT", 40, 2250000}},
	{Name: "gfx1031", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1032", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1033", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1034", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1035", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1036", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1100", Wavefront: 32, Gemv: Gemv{InGemm: true},
		Scan: Scan{Elements: 1024},
		Chip: Chip{"AMD Radeon RX 7900 XTX", 48, 2500000}},
	{Name: "gfx1101", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1102", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: Scan{Elements: 4096}},
	{Name: "gfx1103", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1150", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1151", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1152", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1153", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1200", Wavefront: 32, Scan: Scan{Elements: 2048}},
	{Name: "gfx1201", Wavefront: 32, Scan: Scan{Elements: 1536}, Chip: Chip{"AMD Radeon RX 9070 XT", 32, 2970000}},
	{Name: "gfx1250", Wavefront: 32, Scan: usualScan},
	{Name: "gfx9-generic", Wavefront: 64, Scan: usualScan},
	{Name: "gfx9-4-generic", Wavefront: 64, Scan: usualScan},
	{Name: "gfx10-1-generic", Wavefront: 32, Scan: usualScan},
	{Name: "gfx10-3-generic", Wavefront: 32, Scan: usualScan},
	{Name: "gfx11-generic", Wavefront: 32, Scan: usualScan},
	{Name: "gfx12-generic", Wavefront: 32, Scan: usualScan},
}
