package openblastest

import (
	"unsafe"

	"roclua/hip/cpu/blas"
	"roclua/hip/dl"
)

// padding is the number of columns after the last one, and of elements after a workspace, that OpenBLAS may read.
const padding = 4

// newPadded returns a matrix, m x n, with more columns of zeros after it.
func newPadded[T blas.Number](m, n int) blas.Matrix[T] {
	return blas.Matrix[T]{Data: make([]T, m*(n+padding)), LD: m}
}

// padded returns a copy of a matrix, m x n, with more columns of zeros after it.
func padded[T blas.Number](m, n int, a blas.Matrix[T]) blas.Matrix[T] {
	to := newPadded[T](m, n)
	blas.CopyMatrix(m, n, a, to)
	return to
}

// eigenArguments is the memory for arguments of one call. Real numbers of single precision are in the first half of
// values.
type eigenArguments[T blas.Number] struct {
	job, uplo             byte
	m, n, lda, ldu, ldv   int32
	lwork, lrwork, liwork int32
	info                  int32

	values, rwork []float64
	work          []T
	iwork         []int32
}

// workFor calls a function that returns the workspace that it needs, and allocates it.
func (c *eigenArguments[T]) workFor(rwork, iwork int, call func()) {
	c.work, c.rwork, c.iwork = make([]T, 1), make([]float64, 1), make([]int32, 1)
	c.lwork, c.lrwork, c.liwork = -1, -1, -1
	call()
	size := blas.Real(c.work[0])
	c.lwork, c.lrwork, c.liwork = int32(size+size/(1<<20)), int32(rwork), int32(iwork) // the size may be rounded
	c.work, c.rwork, c.iwork = make([]T, c.lwork+padding), make([]float64, rwork), make([]int32, iwork)
}

// copyValues copies the real results.
func (c *eigenArguments[T]) copyValues(to []float64) {
	if !blas.IsSingle[T]() {
		copy(to, c.values)
		return
	}
	for i, v := range unsafe.Slice((*float32)(unsafe.Pointer(&c.values[0])), len(c.values)) {
		to[i] = float64(v)
	}
}

// Eigen computes the eigenvalues w, ascending, of a Hermitian matrix of order n by OpenBLAS, as heevd of LAPACK. With
// vectors, the eigenvectors replace A; otherwise A is destroyed.
func Eigen[T blas.Number](o *OpenBLAS, vectors bool, uplo blas.Uplo, n int, a blas.Matrix[T], w []float64) (info int) {
	f := lapackOf[T](o, heevd)
	c := &eigenArguments[T]{job: 'N', uplo: "UL"[uplo-blas.Upper], n: int32(n), lda: int32(n),
		values: make([]float64, n)}
	if vectors {
		c.job = 'V'
	}
	copied := padded(n, n, a)
	call := func() { c.heevd(f, copied) }
	c.workFor(1+5*n+2*n*n, 3+5*n, call)
	call()
	c.copyValues(w)
	blas.CopyMatrix(n, n, copied, a)
	return int(c.info)
}

func (c *eigenArguments[T]) heevd(f uintptr, a blas.Matrix[T]) {
	if blas.IsComplex[T]() {
		dl.Call(f, uintptr(unsafe.Pointer(&c.job)), uintptr(unsafe.Pointer(&c.uplo)), uintptr(unsafe.Pointer(&c.n)),
			uintptr(unsafe.Pointer(&a.Data[0])), uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&c.values[0])),
			uintptr(unsafe.Pointer(&c.work[0])), uintptr(unsafe.Pointer(&c.lwork)),
			uintptr(unsafe.Pointer(&c.rwork[0])), uintptr(unsafe.Pointer(&c.lrwork)),
			uintptr(unsafe.Pointer(&c.iwork[0])), uintptr(unsafe.Pointer(&c.liwork)),
			uintptr(unsafe.Pointer(&c.info)))
		return
	}
	dl.Call(f, uintptr(unsafe.Pointer(&c.job)), uintptr(unsafe.Pointer(&c.uplo)), uintptr(unsafe.Pointer(&c.n)),
		uintptr(unsafe.Pointer(&a.Data[0])), uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&c.values[0])),
		uintptr(unsafe.Pointer(&c.work[0])), uintptr(unsafe.Pointer(&c.lwork)),
		uintptr(unsafe.Pointer(&c.iwork[0])), uintptr(unsafe.Pointer(&c.liwork)), uintptr(unsafe.Pointer(&c.info)))
}

// SingularValues computes the singular values s, descending, of A, m x n, by OpenBLAS, as gesdd of LAPACK, and destroys
// A. U, m x left, gets left singular vectors, V, right x n, right ones as rows, conjugated. left is 0, min(m, n) or m,
// right is 0, min(m, n) or n.
func SingularValues[T blas.Number](
	o *OpenBLAS, m, n int, a blas.Matrix[T], s []float64, left int, u blas.Matrix[T], right int, v blas.Matrix[T],
) (info int) {
	k := min(m, n)
	f := lapackOf[T](o, gesdd)
	c := &eigenArguments[T]{job: 'N', m: int32(m), n: int32(n), lda: int32(m), ldu: 1, ldv: 1,
		values: make([]float64, k)}
	allLeft, allRight := blas.Matrix[T]{Data: make([]T, 1), LD: 1}, blas.Matrix[T]{Data: make([]T, 1), LD: 1}
	if left > 0 || right > 0 {
		// gesdd computes as many vectors on both sides.
		c.job = 'S'
		columns, rows := k, k
		if left > k || right > k {
			c.job = 'A'
			columns, rows = m, n
		}
		allLeft, allRight = newPadded[T](m, columns), newPadded[T](rows, n)
		c.ldu, c.ldv = int32(m), int32(rows)
	}
	copied := padded(m, n, a)
	call := func() { c.gesdd(f, copied, allLeft, allRight) }
	c.workFor(max(5*k*k+5*k, 2*max(m, n)*k+2*k*k+k)+1, 8*k, call)
	call()
	c.copyValues(s)
	blas.CopyMatrix(m, n, copied, a)
	blas.CopyMatrix(m, left, allLeft, u)
	blas.CopyMatrix(right, n, allRight, v)
	return int(c.info)
}

func (c *eigenArguments[T]) gesdd(f uintptr, a, u, v blas.Matrix[T]) {
	if blas.IsComplex[T]() {
		dl.Call(f, uintptr(unsafe.Pointer(&c.job)), uintptr(unsafe.Pointer(&c.m)), uintptr(unsafe.Pointer(&c.n)),
			uintptr(unsafe.Pointer(&a.Data[0])), uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&c.values[0])),
			uintptr(unsafe.Pointer(&u.Data[0])), uintptr(unsafe.Pointer(&c.ldu)), uintptr(unsafe.Pointer(&v.Data[0])),
			uintptr(unsafe.Pointer(&c.ldv)), uintptr(unsafe.Pointer(&c.work[0])), uintptr(unsafe.Pointer(&c.lwork)),
			uintptr(unsafe.Pointer(&c.rwork[0])), uintptr(unsafe.Pointer(&c.iwork[0])),
			uintptr(unsafe.Pointer(&c.info)))
		return
	}
	dl.Call(f, uintptr(unsafe.Pointer(&c.job)), uintptr(unsafe.Pointer(&c.m)), uintptr(unsafe.Pointer(&c.n)),
		uintptr(unsafe.Pointer(&a.Data[0])), uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&c.values[0])),
		uintptr(unsafe.Pointer(&u.Data[0])), uintptr(unsafe.Pointer(&c.ldu)), uintptr(unsafe.Pointer(&v.Data[0])),
		uintptr(unsafe.Pointer(&c.ldv)), uintptr(unsafe.Pointer(&c.work[0])), uintptr(unsafe.Pointer(&c.lwork)),
		uintptr(unsafe.Pointer(&c.iwork[0])), uintptr(unsafe.Pointer(&c.info)))
}
