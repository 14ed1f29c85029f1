package blas

import (
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"unsafe"

	"roclua/hip/cpu/vector"
	"roclua/hip/dl"
)

// OpenBLAS computes products, triangular solves and factorizations of large matrices. A nil OpenBLAS means that Go
// computes them.
type OpenBLAS struct {
	Path    string // the path at which it was found
	Version string // as the library reports it
	Core    string // the processor whose kernels it has chosen, "SkylakeX"; "" is unknown
	Threads int    // of each call

	sgemm gemmFunction[float32]
	dgemm gemmFunction[float64]
	cgemm gemmFunction[pointer]
	zgemm gemmFunction[pointer]
	strsm trsmFunction[float32]
	dtrsm trsmFunction[float64]
	ctrsm trsmFunction[pointer]
	ztrsm trsmFunction[pointer]

	lapack lapackTable
}

type pointer = unsafe.Pointer

// Functions of CBLAS by the type S of their scalars: numbers, or pointers to complex numbers.
type (
	gemmFunction[S any] func(
		order, ta, tb, m, n, k int32, alpha S, a pointer, lda int32, b pointer, ldb int32, beta S, c pointer, ldc int32)
	trsmFunction[S any] func(
		order, side, uplo, ta, diag, m, n int32, alpha S, a pointer, lda int32, b pointer, ldb int32)
)

// library opens OpenBLAS once for the process.
var library = sync.OnceValues(func() (*OpenBLAS, error) {
	lib, err := dl.Open("libopenblas.so.0", "libopenblas.so", "libopenblas.dylib",
		"/opt/homebrew/opt/openblas/lib/libopenblas.dylib")
	if err != nil {
		return nil, err
	}
	o := &OpenBLAS{Path: lib.Path}
	var config func() string
	var setThreads func(int32)
	var getThreads func() int32
	for _, f := range []struct {
		function any
		name     string
	}{{&o.sgemm, "cblas_sgemm"}, {&o.dgemm, "cblas_dgemm"}, {&o.cgemm, "cblas_cgemm"}, {&o.zgemm, "cblas_zgemm"},
		{&o.strsm, "cblas_strsm"}, {&o.dtrsm, "cblas_dtrsm"}, {&o.ctrsm, "cblas_ctrsm"}, {&o.ztrsm, "cblas_ztrsm"},
		{&config, "openblas_get_config"}, {&setThreads, "openblas_set_num_threads"},
		{&getThreads, "openblas_get_num_threads"}} {
		if err := lib.Bind(f.function, f.name); err != nil {
			return nil, err
		}
	}
	if err := o.lapack.bind(lib); err != nil {
		return nil, err
	}
	o.Version = config()
	var core func() string
	if lib.Bind(&core, "openblas_get_corename") == nil {
		o.Core = core()
	}
	// Its results depend on the number of threads, so that number must not depend on the cases that run at a time.
	if os.Getenv("OPENBLAS_NUM_THREADS") == "" {
		setThreads(1)
	}
	o.Threads = int(getThreads())
	return o, nil
})

// oldCores are processors whose OpenBLAS kernels do not use AVX. OpenBLAS uses the kernels of Prescott for an
// unknown processor, such as one that is newer than the library.
var oldCores = []string{"Katmai", "Coppermine", "Northwood", "Prescott", "Banias", "Atom", "Core2", "Penryn",
	"Dunnington", "Nehalem", "Athlon", "Opteron", "Opteron_SSE3", "Barcelona", "Bobcat", "Nano"}

// IsSlow reports whether large products are faster in Go than in OpenBLAS, because Go uses AVX2 or AVX-512 and the
// chosen kernels do not.
func (o *OpenBLAS) IsSlow() bool { return isSlow(o.Core, vector.Name()) }

func isSlow(core, set string) bool {
	return slices.Contains(oldCores, core) && (set == "avx2" || set == "avx512")
}

// Open returns the library for large products and solves: OpenBLAS, or nil for Go. With "auto" or "" it returns
// OpenBLAS if the system has it and it is not slow; with "openblas" it is an error if the system does not have it.
func Open(choice string) (*OpenBLAS, error) {
	switch choice {
	case "go":
		return nil, nil
	case "openblas":
		return library()
	case "auto", "":
		o, err := library()
		if err != nil || o.IsSlow() {
			return nil, nil
		}
		return o, nil
	}
	return nil, fmt.Errorf("blas %q, want auto, openblas or go", choice)
}

// Numbers describes what rounding errors depend on for a choice: OpenBLAS and its threads for large matrices, and Go.
func Numbers(choice string) string {
	text := "Go with " + vector.Name()
	o, _ := Open(choice)
	switch {
	case o == nil:
		return text
	case o.Threads == 1:
		return o.Version + ", 1 thread; " + text
	}
	return fmt.Sprintf("%s, %d threads; %s", o.Version, o.Threads, text)
}

// worthACall is the number of multiplications from which a call into C is faster.
const worthACall = 16 * 1024

// pays reports whether there is an OpenBLAS and the problem is large enough for it, but not so large that its sizes
// have more than 32 bits.
func (o *OpenBLAS) pays(m, n, k int) bool {
	return o != nil && m*n*k >= worthACall && max(m, n, k) <= math.MaxInt32
}

// Enumerations of CBLAS.
const columnMajor = 102

func cblasTrans(op Op) int32 { return 111 + int32(op) }

func cblasUplo(u Uplo) int32 { return 121 + int32(u) }

func cblasDiag(d Diag) int32 { return 131 + int32(d) }

func cblasSide(s Side) int32 { return 141 + int32(s) }

func address[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// gemmC is Gemm by OpenBLAS.
func gemmC[T Number](o *OpenBLAS, opA, opB Op, m, n, k int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	ta, tb, m32, n32, k32 := cblasTrans(opA), cblasTrans(opB), int32(m), int32(n), int32(k)
	pa, pb, pc := address(a.Data), address(b.Data), address(c.Data)
	lda, ldb, ldc := int32(a.LD), int32(b.LD), int32(c.LD)
	switch any(alpha).(type) {
	case float32:
		o.sgemm(columnMajor, ta, tb, m32, n32, k32, as[float32](alpha), pa, lda, pb, ldb, as[float32](beta), pc, ldc)
	case float64:
		o.dgemm(columnMajor, ta, tb, m32, n32, k32, as[float64](alpha), pa, lda, pb, ldb, as[float64](beta), pc, ldc)
	case complex64:
		o.cgemm(columnMajor, ta, tb, m32, n32, k32, unsafe.Pointer(&alpha), pa, lda, pb, ldb, unsafe.Pointer(&beta),
			pc, ldc)
	case complex128:
		o.zgemm(columnMajor, ta, tb, m32, n32, k32, unsafe.Pointer(&alpha), pa, lda, pb, ldb, unsafe.Pointer(&beta),
			pc, ldc)
	}
}

// trsmC is Trsm by OpenBLAS.
func trsmC[T Number](o *OpenBLAS, side Side, uplo Uplo, op Op, diag Diag, m, n int, alpha T, a, b Matrix[T]) {
	s, u, t, d, m32, n32 := cblasSide(side), cblasUplo(uplo), cblasTrans(op), cblasDiag(diag), int32(m), int32(n)
	pa, pb, lda, ldb := address(a.Data), address(b.Data), int32(a.LD), int32(b.LD)
	switch any(alpha).(type) {
	case float32:
		o.strsm(columnMajor, s, u, t, d, m32, n32, as[float32](alpha), pa, lda, pb, ldb)
	case float64:
		o.dtrsm(columnMajor, s, u, t, d, m32, n32, as[float64](alpha), pa, lda, pb, ldb)
	case complex64:
		o.ctrsm(columnMajor, s, u, t, d, m32, n32, unsafe.Pointer(&alpha), pa, lda, pb, ldb)
	case complex128:
		o.ztrsm(columnMajor, s, u, t, d, m32, n32, unsafe.Pointer(&alpha), pa, lda, pb, ldb)
	}
}
