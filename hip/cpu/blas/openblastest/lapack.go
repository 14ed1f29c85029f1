package openblastest

import (
	"fmt"
	"unsafe"

	"roclua/hip/cpu/blas"
	"roclua/hip/dl"
)

// lapackFunction is a function of LAPACK in OpenBLAS, with the calling convention of Fortran: every argument is a
// pointer.
type lapackFunction int

const (
	getrf lapackFunction = iota
	getrs
	getri
	potrf
	geqrf
	heevd // syevd of real types
	gesdd
	lapackFunctions // the number of them
)

// lapackTable has the addresses of functions for the types s, d, c and z.
type lapackTable [4][lapackFunctions]uintptr

func (t *lapackTable) bind(lib *dl.Library) (err error) {
	for kind, prefix := range "sdcz" {
		for f, name := range [lapackFunctions]string{"getrf", "getrs", "getri", "potrf", "geqrf",
			[]string{"syevd", "heevd"}[kind/2], "gesdd"} {
			if t[kind][f], err = lib.Symbol(fmt.Sprintf("%c%s_", prefix, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// lapackOf returns the address of a function for a type.
func lapackOf[T blas.Number](o *OpenBLAS, f lapackFunction) uintptr {
	kind := 0
	if !blas.IsSingle[T]() {
		kind = 1
	}
	if blas.IsComplex[T]() {
		kind += 2
	}
	return o.lapack[kind][f]
}

// lapackArguments is the memory for arguments of one call.
type lapackArguments struct {
	letter         byte
	m, n, lda, ldb int32
	lwork, info    int32
}

// LU factorizes A, m x n, into P L U by OpenBLAS, as getrf of LAPACK.
func LU[T blas.Number](o *OpenBLAS, m, n int, a blas.Matrix[T], pivots []int32) (info int) {
	f := lapackOf[T](o, getrf)
	c := &lapackArguments{m: int32(m), n: int32(n), lda: int32(a.LD)}
	dl.Call(f, uintptr(unsafe.Pointer(&c.m)), uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&a.Data[0])),
		uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&pivots[0])), uintptr(unsafe.Pointer(&c.info)))
	return int(c.info)
}

// LUSolve solves op(A) X = B from the factors of LU by OpenBLAS, as getrs of LAPACK.
func LUSolve[T blas.Number](o *OpenBLAS, op blas.Op, n, nrhs int, a blas.Matrix[T], pivots []int32, b blas.Matrix[T]) {
	f := lapackOf[T](o, getrs)
	c := &lapackArguments{letter: "NTC"[op-blas.None], m: int32(nrhs), n: int32(n), lda: int32(a.LD), ldb: int32(b.LD)}
	dl.Call(f, uintptr(unsafe.Pointer(&c.letter)), uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&c.m)),
		uintptr(unsafe.Pointer(&a.Data[0])), uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&pivots[0])),
		uintptr(unsafe.Pointer(&b.Data[0])), uintptr(unsafe.Pointer(&c.ldb)), uintptr(unsafe.Pointer(&c.info)))
}

// LUInverse replaces the factors of LU by the inverse by OpenBLAS, as getri of LAPACK. work has at least n elements;
// more, up to 64 n, make it faster.
func LUInverse[T blas.Number](o *OpenBLAS, n int, a blas.Matrix[T], pivots []int32, work []T) (info int) {
	f := lapackOf[T](o, getri)
	c := &lapackArguments{n: int32(n), lda: int32(a.LD), lwork: int32(min(len(work), 64*n))}
	dl.Call(f, uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&a.Data[0])), uintptr(unsafe.Pointer(&c.lda)),
		uintptr(unsafe.Pointer(&pivots[0])), uintptr(unsafe.Pointer(&work[0])), uintptr(unsafe.Pointer(&c.lwork)),
		uintptr(unsafe.Pointer(&c.info)))
	return int(c.info)
}

// Cholesky factorizes a Hermitian positive definite matrix by OpenBLAS, as potrf of LAPACK.
func Cholesky[T blas.Number](o *OpenBLAS, uplo blas.Uplo, n int, a blas.Matrix[T]) (info int) {
	f := lapackOf[T](o, potrf)
	c := &lapackArguments{letter: "UL"[uplo-blas.Upper], n: int32(n), lda: int32(a.LD)}
	dl.Call(f, uintptr(unsafe.Pointer(&c.letter)), uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&a.Data[0])),
		uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&c.info)))
	return int(c.info)
}

// QR factorizes A, m x n, into Q R by OpenBLAS, as geqrf of LAPACK.
func QR[T blas.Number](o *OpenBLAS, m, n int, a blas.Matrix[T], tau []T) {
	f := lapackOf[T](o, geqrf)
	work := make([]T, 64*n)
	c := &lapackArguments{m: int32(m), n: int32(n), lda: int32(a.LD), lwork: int32(len(work))}
	dl.Call(f, uintptr(unsafe.Pointer(&c.m)), uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&a.Data[0])),
		uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&tau[0])), uintptr(unsafe.Pointer(&work[0])),
		uintptr(unsafe.Pointer(&c.lwork)), uintptr(unsafe.Pointer(&c.info)))
}
