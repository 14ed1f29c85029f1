package lapack

import (
	"math"

	"roclua/hip/cpu/blas"
)

// Problem is a form of the generalized Hermitian eigenvalue problem.
type Problem int

const (
	AxBx Problem = iota // A x = lambda B x
	ABx                 // A B x = lambda x
	BAx                 // B A x = lambda x
)

// FromStandard replaces eigenvectors of the matrix that Sygst computes, n x columns, by the eigenvectors of the
// original generalized problem. B is a triangular factor of Potrf.
func FromStandard[T blas.Number](
	form Problem, uplo blas.Uplo, n, columns int, b, z blas.Matrix[T],
) {
	op := blas.None
	if (uplo == blas.Lower) == (form != BAx) {
		op = blas.ConjTrans
	}
	if form == BAx {
		blas.Trmm(blas.Left, uplo, op, blas.NonUnit, n, columns, 1, b, z)
	} else {
		blas.Trsm(blas.Left, uplo, op, blas.NonUnit, n, columns, 1, b, z)
	}
}

// Heev replaces w by the n eigenvalues, ascending, of a Hermitian matrix given by its triangle uplo. With vectors, the
// orthonormal eigenvectors replace A by columns; otherwise the triangle is destroyed. e has n elements and gets the
// other diagonal of the tridiagonal form, zero unless the iteration does not converge. It returns the number of
// elements that did not converge. Which vectors it returns, in particular of repeated eigenvalues, does not depend on
// rounding: see settle.
//
// If an element is not finite, all results are NaN and no element has converged.
func Heev[T blas.Number](
	vectors bool, uplo blas.Uplo, n int, a blas.Matrix[T], w, e []float64,
) (unconverged int) {
	clear(e[:n])
	kept := func(i, j int) bool { return i == j || (i < j) == (uplo == blas.Upper) }
	scale, ok := scaleOfMatrix(n, n, a, kept)
	if !ok {
		fill(math.NaN(), w[:n], e[:n-1])
		if vectors {
			fillMatrix(n, n, a)
		}
		return n - 1
	}
	if scale != 1 {
		multiplyMatrix(1/scale, n, n, a)
	}
	defer func() { multiplyAll(scale, w[:n]) }()
	tau := make([]T, n)
	Sytrd(uplo, n, a, w, e, tau)
	if !vectors {
		return Steqr(n, w, e, nil)
	}
	z := make([]float64, n*n)
	unconverged = Steqr(n, w, e, z)
	x := Converted[T](n, n, z)
	Ormtr(blas.Left, uplo, blas.None, n, n, a, tau, x)
	if unconverged == 0 {
		settleEigenvectors(n, w, x)
	}
	blas.CopyMatrix(n, n, x, a)
	return unconverged
}

// Sygst replaces the Hermitian matrix A by the matrix of a standard eigenvalue problem. B has the Cholesky factor of
// the other matrix of a generalized problem. With divide the result is inv(U^H) A inv(U) or inv(L) A inv(L^H), for the
// problem A x = lambda B x; otherwise it is U A U^H or L^H A L, for the other two forms. Only the triangles uplo are
// used.
func Sygst[T blas.Number](divide bool, uplo blas.Uplo, n int, a, b blas.Matrix[T]) {
	full := hermitian(uplo, n, a)
	first, second := blas.ConjTrans, blas.None
	if (uplo == blas.Upper) != divide {
		first, second = second, first
	}
	if divide {
		blas.Trsm(blas.Left, uplo, first, blas.NonUnit, n, n, 1, b, full)
		blas.Trsm(blas.Right, uplo, second, blas.NonUnit, n, n, 1, b, full)
	} else {
		blas.Trmm(blas.Left, uplo, first, blas.NonUnit, n, n, 1, b, full)
		blas.Trmm(blas.Right, uplo, second, blas.NonUnit, n, n, 1, b, full)
	}
	for j := range n {
		full.Set(j, j, blas.FromReal[T](blas.Real(full.At(j, j))))
	}
	copyTriangle(uplo, n, full, a)
}

// hermitian returns the Hermitian matrix that has a triangle.
func hermitian[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T]) blas.Matrix[T] {
	b := newMatrix[T](n, n)
	for j := range n {
		for i := range j {
			v := a.At(i, j)
			if uplo == blas.Lower {
				v = blas.Conj(a.At(j, i))
			}
			b.Set(i, j, v)
			b.Set(j, i, blas.Conj(v))
		}
		b.Set(j, j, blas.FromReal[T](blas.Real(a.At(j, j))))
	}
	return b
}
