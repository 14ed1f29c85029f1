package lapack

import "roclua/hip/cpu/blas"

// Gels solves op(A) X = B for A, m x n, in the sense of least squares if op(A) has more rows than columns, otherwise
// for the X with the least norm. X replaces the first rows of B, which has max(m, n) rows. A becomes its QR
// factorization, or its LQ factorization if m < n.
//
// If A does not have full rank, Gels returns the 1-based index of the first zero on the diagonal of the triangle, and
// does not solve: B is unchanged, or for least squares the product with the orthogonal matrix. Otherwise it returns 0.
func Gels[T blas.Number](op blas.Op, m, n, nrhs int, a, b blas.Matrix[T]) (info int) {
	k, form, uplo := n, QR, blas.Upper
	if m < n {
		k, form, uplo = m, LQ, blas.Lower
	}
	tau := make([]T, k)
	Factor(form, m, n, a, tau)
	opposite := blas.ConjTrans
	if op != blas.None {
		op, opposite = blas.ConjTrans, blas.None
	}
	leastSquares := (op == blas.None) == (m >= n)
	if leastSquares {
		Multiply(form, blas.Left, opposite, max(m, n), nrhs, k, a, tau, b)
	}
	if info = firstZero(k, a); info != 0 {
		return info
	}
	blas.Trsm(blas.Left, uplo, op, blas.NonUnit, k, nrhs, 1, a, b)
	if !leastSquares {
		for j := range nrhs {
			clear(b.Data[k+j*b.LD : max(m, n)+j*b.LD])
		}
		Multiply(form, blas.Left, opposite, max(m, n), nrhs, k, a, tau, b)
	}
	return 0
}

// firstZero returns the 1-based index of the first zero on the diagonal, or 0.
func firstZero[T blas.Number](n int, a blas.Matrix[T]) int {
	for i := range n {
		if a.At(i, i) == 0 {
			return i + 1
		}
	}
	return 0
}
