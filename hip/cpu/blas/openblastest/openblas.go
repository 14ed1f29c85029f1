// Package openblastest calls OpenBLAS, the reference of tests and benchmarks of the kernels in Go.
package openblastest

import (
	"testing"
	"unsafe"

	"roclua/hip/cpu/blas"
	"roclua/hip/dl"
)

// OpenBLAS is the library.
type OpenBLAS struct {
	sgemm gemmFunction[float32]
	dgemm gemmFunction[float64]
	cgemm gemmFunction[pointer]
	zgemm gemmFunction[pointer]
	strsm trsmFunction[float32]
	dtrsm trsmFunction[float64]
	ctrsm trsmFunction[pointer]
	ztrsm trsmFunction[pointer]

	threads func(int32)
	lapack  lapackTable
}

type pointer = unsafe.Pointer

// Functions of CBLAS by the type S of their scalars: numbers, or pointers to complex numbers.
type (
	gemmFunction[S any] func(
		order, ta, tb, m, n, k int32, alpha S, a pointer, lda int32, b pointer, ldb int32, beta S, c pointer, ldc int32)
	trsmFunction[S any] func(
		order, side, uplo, ta, diag, m, n int32, alpha S, a pointer, lda int32, b pointer, ldb int32)
)

// Open opens the library, with one thread for each call. The test is skipped if the system does not have it.
func Open(t testing.TB) *OpenBLAS {
	lib, err := dl.Open("libopenblas.so.0", "libopenblas.so", "libopenblas.dylib",
		"/opt/homebrew/opt/openblas/lib/libopenblas.dylib")
	if err != nil {
		t.Skip(err)
	}
	o := &OpenBLAS{}
	for _, f := range []struct {
		function any
		name     string
	}{{&o.sgemm, "cblas_sgemm"}, {&o.dgemm, "cblas_dgemm"}, {&o.cgemm, "cblas_cgemm"}, {&o.zgemm, "cblas_zgemm"},
		{&o.strsm, "cblas_strsm"}, {&o.dtrsm, "cblas_dtrsm"}, {&o.ctrsm, "cblas_ctrsm"}, {&o.ztrsm, "cblas_ztrsm"},
		{&o.threads, "openblas_set_num_threads"}} {
		if err := lib.Bind(f.function, f.name); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.lapack.bind(lib); err != nil {
		t.Fatal(err)
	}
	o.SetThreads(1)
	return o
}

// SetThreads sets the number of threads of each call.
func (o *OpenBLAS) SetThreads(n int) { o.threads(int32(n)) }

const columnMajor = 102 // of CBLAS

func as[T any](v any) T { return v.(T) }

func address[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// Gemm is blas.Gemm.
func Gemm[T blas.Number](
	o *OpenBLAS, opA, opB blas.Op, m, n, k int, alpha T, a, b blas.Matrix[T], beta T, c blas.Matrix[T],
) {
	ta, tb, m32, n32, k32 := int32(opA), int32(opB), int32(m), int32(n), int32(k)
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

// Trsm is blas.Trsm.
func Trsm[T blas.Number](
	o *OpenBLAS, side blas.Side, uplo blas.Uplo, op blas.Op, diag blas.Diag, m, n int, alpha T, a, b blas.Matrix[T],
) {
	s, u, t, d, m32, n32 := int32(side), int32(uplo), int32(op), int32(diag), int32(m), int32(n)
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
