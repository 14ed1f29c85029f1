// Package release is the table of ROCm releases that the model reproduces: their names, the versions of rocBLAS and
// rocSOLVER that they contain, and how their behavior differs. Profiles, the default release, command line
// help, schemas, reference pages, starter files and the names under which a platform looks for libraries come from this
// table.
//
// A release differs from others by named behavior. Size rules and handles check the behavior, as in
//
//	if t.Release.GetriInverseUnsized { ... }
//
// and never compare names or versions. The zero value of every behavior is the newest release's, so that the
// entry of a new release needs only its name and its versions unless its behavior differs.
package release

import (
	"fmt"
	"slices"
	"strings"
)

// Release is one release of ROCm.
type Release struct {
	Name     string // "rocm-7.2"
	ROCm     string // releases of ROCm with these versions, "7.2.0 to 7.2.4"
	Versions        // that were compared: the model is not known to hold for others
	About    string // the distinction of the release, in a few words
	Default  bool   // the release that is used when none is named; exactly one has it
	Build    Build  // the packages that the model was compared with

	// Recorded says which answers of the libraries the tests have; "" if they are of every architecture and library.
	Recorded string

	// Inferred names the source of the behavior if no library of the release was compared; "" if one was. Like is then
	// the release with the same sizes and functions.
	Inferred, Like string

	// SolveBoundByPackage: the upper bound for triangular solves (see SolveSizedByTrsm) was found in the packages of
	// Build. It came with pull request 1954 of rocm-libraries, and AMD's own packages of the release may lack it.
	SolveBoundByPackage bool

	// AtomicsAllowed: the kernels of a new handle may use atomic operations. Without it their results are repeatable
	// unless a program allows atomic operations.
	AtomicsAllowed bool
	// ManagedStreamOrdered: the library always allocates managed memory in stream order. A size from the environment
	// only warms the pool, rocblas_set_device_memory_size has no effect, and no handle is user-managed (rocBLAS 5.1.0).
	ManagedStreamOrdered bool
	// SolveSizedByTrsm: rocSOLVER reserves for a triangular solve the memory of rocBLAS's trsm. Without it one upper
	// bound covers the solve and every smaller one.
	SolveSizedByTrsm bool
	// GeqrfWithoutSolve: the blocked geqrf and ormtr multiply by the triangular factor. Without it they apply the
	// inverse of the factor by a triangular solve, and need the memory of one.
	GeqrfWithoutSolve bool
	// StedcKeepsFewArrays: stedc keeps two arrays of numbers and five of integers for its splits and rank-one updates.
	// Without it there are ten and thirteen, and pointers for batched products.
	StedcKeepsFewArrays bool
	// GetriInverseUnsized: getri reserves no memory for the blocked inverse of U in small batches.
	GetriInverseUnsized bool
	// CopyErrorsIgnored: rocblas_set_vector and the other copies of the library print an error of HIP and return
	// success. Without it they return a status.
	CopyErrorsIgnored bool
	// ScansUnknown: the tuned values of rocPRIM, on which csrrf_splitlu depends, are not known.
	ScansUnknown bool
	// FewAlgModes: rocsolver_set_alg_mode has the functions bdsqr, gesvd and sterf. Without it also steqr and syev.
	FewAlgModes bool
	// TridiagonalWaits: sytrd waits for the device when the order is beyond 256, which a capture does not permit.
	TridiagonalWaits bool
	// ReflectsLast: geqr2 of a square matrix and sytd2 also reflect the last element, alone, of a complex matrix.
	ReflectsLast bool
	// ReflectsByCurrent: whether one kernel reflects a short column depends on the current device, not on the handle's.
	ReflectsByCurrent bool
	// ProductsUnchecked: trmm does not check whether its kernels could be launched, unless the matrix is large.
	ProductsUnchecked bool
	// DegradedUnchecked: a batched trsm that returns perf_degraded does not check the numbers of its result.
	DegradedUnchecked bool
	// RepeatedErrorsIgnored: rocBLAS ignores an error of a launch that was the result of the HIP call before it.
	RepeatedErrorsIgnored bool
	// SymmetricOfAnyOrder: the 64-bit symm and hemm take matrices A with more than 2^31-1 rows. Without it they return
	// invalid_size, except for batches of pointers.
	SymmetricOfAnyOrder bool
	// VectorsByGemm: gemm_ex multiplies a matrix by a vector with the kernels of gemm. Without it also with gemv's
	// kernels.
	VectorsByGemm bool
	// SuccessClearsError: hipGetLastError returns the result of the latest HIP call, which may be a success. Without
	// it the latest error, until it is read.
	SuccessClearsError bool
	// WaitsFindGlobal: a wait for a stream that is not captured, or a query of it, invalidates global captures also in
	// a thread in thread-local mode. Without it such a thread invalidates only its own.
	WaitsFindGlobal bool
	// BuffersInBytes: every function of hipSOLVER returns the size of a buffer in bytes. Without it most return the
	// number of elements, unless the variable HIPSOLVER_BUFFERSIZE_RETURN_BYTES is set.
	BuffersInBytes bool
	// LayerSizesMemory: hipSOLVER sets the size of the handle's memory for a call without a buffer, and hipBLAS before
	// it repeats a call that lacked memory. Without it the handle of the first manages its memory and grows, and the
	// repeated call of the second fails again.
	LayerSizesMemory bool
	// LayerLacksWorkspace: hipBLAS does not have hipblasSetWorkspace.
	LayerLacksWorkspace bool
}

// Versions are the versions of the libraries that a program uses, "" if one is not known.
type Versions struct {
	RocBLAS   string // "5.2.0"
	RocSOLVER string // "3.32.0"
	HipSOLVER string // "3.2.0"
	HIP       string // "7.2"
}

// String returns the versions in a line.
func (v Versions) String() string {
	return fmt.Sprintf("rocBLAS %s, rocSOLVER %s, hipSOLVER %s, HIP %s", v.RocBLAS, v.RocSOLVER, v.HipSOLVER, v.HIP)
}

// Verified says which packages, and which of their answers, the model was compared with.
func (r *Release) Verified() string {
	switch {
	case r.Inferred != "":
		return "no library: " + r.Inferred
	case r.Recorded != "":
		return r.Build.String() + "; " + r.Recorded
	}
	return r.Build.String()
}

// Build is the packages of a distribution whose behavior a release reproduces.
type Build struct {
	Distribution string   `json:"distribution"`       // name and suite, "Debian sid"
	Packages     []string `json:"packages,omitempty"` // with their versions, "librocblas4 6.4.4-4"; nil if not recorded
}

// String returns the packages and the distribution in a line.
func (b Build) String() string {
	if len(b.Packages) == 0 {
		return "packages of " + b.Distribution + ", versions not recorded"
	}
	return strings.Join(b.Packages, " and ") + " of " + b.Distribution
}

// releases is the table, oldest first. A new release is one entry here.
var releases = []*Release{
	{Name: "rocm-6.4", ROCm: "6.4.2 to 6.4.4", Versions: Versions{"4.4.1", "3.28.2", "2.4.0", "6.4"},
		About:            "four schemes, stream order by environment variable",
		SolveSizedByTrsm: true, GeqrfWithoutSolve: true, StedcKeepsFewArrays: true, GetriInverseUnsized: true,
		AtomicsAllowed: true, CopyErrorsIgnored: true, FewAlgModes: true,
		TridiagonalWaits: true, ReflectsLast: true, ReflectsByCurrent: true, ProductsUnchecked: true,
		RepeatedErrorsIgnored: true,
		SymmetricOfAnyOrder:   true, SuccessClearsError: true, VectorsByGemm: true, BuffersInBytes: true,
		LayerSizesMemory: true, LayerLacksWorkspace: true, DegradedUnchecked: true, WaitsFindGlobal: true,
		Build: Build{"Debian sid", []string{"librocblas4 6.4.4-4", "librocsolver0 6.4.3-2+b1"}}},
	{Name: "rocm-7.1", ROCm: "7.1.0", Versions: Versions{"5.1.0", "3.31.0", "3.1.0", "7.1"},
		About:                "managed memory is always stream-ordered; the manual functions do nothing",
		ManagedStreamOrdered: true,
		Recorded:             "recorded answers of gfx90a only, and none of hipSOLVER",
		Build:                Build{Distribution: "Ubuntu"}, SolveBoundByPackage: true, ScansUnknown: true},
	{Name: "rocm-7.1.1", ROCm: "7.1.1", Versions: Versions{"5.1.1", "3.31.0", "3.1.0", "7.1"},
		About: "inferred: the sizes of rocm-7.1, the memory of rocm-7.2",
		Like:  "rocm-7.1",
		Inferred: "rocBLAS 5.1.1 allocates in stream order only if ROCBLAS_STREAM_ORDER_ALLOC is set " +
			"(rocm-libraries pull request 2241); the rest is rocm-7.1, and no library of ROCm 7.1.1 was compared",
		SolveBoundByPackage: true, ScansUnknown: true},
	{Name: "rocm-7.2", ROCm: "7.2.0 to 7.2.4", Versions: Versions{"5.2.0", "3.32.0", "3.2.0", "7.2"},
		Default: true,
		About:   "four schemes again, larger triangular solves in rocSOLVER",
		Build: Build{"Debian experimental",
			[]string{"librocblas5 7.2.4-1~exp1", "librocsolver0 7.2.4-1~exp1+b1"}},
		SolveBoundByPackage: true},
}

// All returns every release whose libraries were compared with the model, oldest first.
func All() []*Release {
	return slices.DeleteFunc(slices.Clone(releases), func(r *Release) bool { return r.Inferred != "" })
}

// Default returns the release that is used when none is named.
func Default() *Release {
	for _, r := range releases {
		if r.Default {
			return r
		}
	}
	panic("release: no release of the table is the default")
}

// Find returns the release of a name, such as "rocm-6.4".
func Find(name string) (*Release, bool) {
	for _, r := range releases {
		if r.Name == name {
			return r, true
		}
	}
	return nil, false
}

// Names returns the names of the releases of All.
func Names() []string { return names(All()) }

// Known returns the names of all releases that Find finds, oldest first: also of those that are inferred.
func Known() []string { return names(releases) }

func names(list []*Release) []string {
	names := make([]string, len(list))
	for i, r := range list {
		names[i] = r.Name
	}
	return names
}

// Exports returns the name of the release of All that exports the same functions.
func (r *Release) Exports() string {
	if r.Like != "" {
		return r.Like
	}
	return r.Name
}

// Before reports whether the release is older than the one of a name.
func (r *Release) Before(name string) bool {
	for _, other := range releases {
		switch other.Name {
		case name:
			return false
		case r.Name:
			return true
		}
	}
	return false
}

// String returns the name of the release.
func (r *Release) String() string { return r.Name }

// HIPMajor returns the major version of the HIP runtime, which is the same as ROCm's: "7" for rocm-7.2.
func (r *Release) HIPMajor() string { return major(strings.TrimPrefix(r.Name, "rocm-")) }

// RocBLASMajor returns the major version of rocBLAS, which its shared library has in its name.
func (r *Release) RocBLASMajor() string { return major(r.RocBLAS) }

func major(version string) string {
	first, _, _ := strings.Cut(version, ".")
	return first
}
