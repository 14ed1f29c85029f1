package lapack

import (
	"math"

	"roclua/hip/cpu/blas"
)

// Gesvd replaces s by the min(m, n) singular values, descending, of A, m x n, and destroys A. The columns of U, m x
// left, become the first left singular vectors. The rows of V, right x n, become the first right singular vectors,
// conjugated. left is 0, min(m, n) or m, right is 0, min(m, n) or n. e has min(m, n) elements and gets the other
// diagonal of the bidiagonal form, zero unless the iteration does not converge. It returns the number of elements that
// did not converge. Which vectors it returns does not depend on rounding: see settle.
//
// If an element is not finite, all results are NaN and no element has converged.
func Gesvd[T blas.Number](
	m, n int, a blas.Matrix[T], s, e []float64, left int, u blas.Matrix[T], right int,
	v blas.Matrix[T],
) (unconverged int) {
	k := min(m, n)
	clear(e[:k])
	scale, ok := scaleOfMatrix(m, n, a, func(int, int) bool { return true })
	if !ok {
		fill(math.NaN(), s[:k], e[:k-1])
		fillMatrix(m, left, u)
		fillMatrix(right, n, v)
		return k - 1
	}
	if scale != 1 {
		multiplyMatrix(1/scale, m, n, a)
	}
	defer func() { multiplyAll(scale, s[:k]) }()
	if m >= n {
		unconverged = gesvd(m, n, a, s, e, left, u, right, v)
	} else {
		x, y := newMatrix[T](n, right), newMatrix[T](left, m)
		unconverged = gesvd(n, m, adjoint(m, n, a), s, e, right, x, left, y)
		copyAdjoint(n, right, x, v)
		copyAdjoint(left, m, y, u)
	}
	if unconverged == 0 {
		settleSingular(m, n, s[:k], left, u, right, v)
	}
	return unconverged
}

// gesvd is Gesvd for m >= n.
func gesvd[T blas.Number](
	m, n int, a blas.Matrix[T], s, e []float64, left int, u blas.Matrix[T], right int,
	v blas.Matrix[T],
) (unconverged int) {
	if m >= 2*n {
		return tallSVD(m, n, a, s, e, left, u, right, v)
	}
	tauq, taup := make([]T, n), make([]T, n)
	Gebrd(m, n, a, s, e, tauq, taup)
	var ofLeft, ofRight []float64
	if left > 0 {
		ofLeft = make([]float64, n*n)
	}
	if right > 0 {
		ofRight = make([]float64, n*n)
	}
	unconverged = Bdsqr(blas.Upper, n, s, e, ofLeft, ofRight)
	if left > 0 {
		widen(m, n, left, Converted[T](n, n, ofLeft), u)
		Ormbr(false, blas.Left, blas.None, m, left, n, a, tauq, u)
	}
	if right > 0 {
		copyAdjoint(n, n, Converted[T](n, n, ofRight), v)
		Ormbr(true, blas.Right, blas.ConjTrans, n, n, m, a, taup, v)
	}
	return unconverged
}

// tallSVD is gesvd of a matrix with many more rows than columns, by decomposing the triangle of its QR factorization.
func tallSVD[T blas.Number](
	m, n int, a blas.Matrix[T], s, e []float64, left int, u blas.Matrix[T], right int,
	v blas.Matrix[T],
) (unconverged int) {
	tau := make([]T, n)
	Factor(QR, m, n, a, tau)
	r := newMatrix[T](n, n)
	for j := range n {
		copy(r.Data[j*n:][:j+1], a.Data[j*a.LD:][:j+1])
	}
	x := newMatrix[T](n, min(left, n))
	unconverged = gesvd(n, n, r, s, e, min(left, n), x, right, v)
	if left > 0 {
		widen(m, n, left, x, u)
		Multiply(QR, blas.Left, blas.None, m, left, n, a, tau, u)
	}
	return unconverged
}

// widen stores in U, m x left, a matrix of order n and to the right of and below it the identity.
func widen[T blas.Number](m, n, left int, from, u blas.Matrix[T]) {
	for j := range left {
		column := u.Data[j*u.LD:][:m]
		clear(column)
		if j < n {
			copy(column, from.Data[j*from.LD:][:n])
		} else {
			column[j] = 1
		}
	}
}
