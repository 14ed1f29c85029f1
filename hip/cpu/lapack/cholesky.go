package lapack

import (
	"math"

	"roclua/hip/cpu/blas"
)

// Potrf factorizes a Hermitian positive definite matrix into U^H U or L L^H in its triangle uplo. It returns the
// order of the first leading minor that is not positive, or 0, and stops there.
func Potrf[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T]) (info int) {
	if n <= smallCholesky {
		return smallPotrf(uplo, n, a)
	}
	h := (n/2 + smallCholesky - 1) / smallCholesky * smallCholesky
	if at := Potrf(uplo, h, a); at != 0 {
		return at
	}
	rest := a.From(h, h)
	if uplo == blas.Lower {
		panel := a.From(h, 0)
		blas.Trsm(blas.Right, blas.Lower, blas.ConjTrans, blas.NonUnit, n-h, h, 1, a, panel)
		blas.RankK(blas.Lower, blas.None, true, n-h, h, -1, panel, panel, 1, rest)
	} else {
		panel := a.From(0, h)
		blas.Trsm(blas.Left, blas.Upper, blas.ConjTrans, blas.NonUnit, h, n-h, 1, a, panel)
		blas.RankK(blas.Upper, blas.ConjTrans, true, n-h, h, -1, panel, panel, 1, rest)
	}
	if at := Potrf(uplo, n-h, rest); at != 0 {
		return at + h
	}
	return 0
}

// smallCholesky is the order of matrices that are factorized column by column.
const smallCholesky = 32

// smallPotrf is Potrf column by column. It factorizes an upper triangle in the lower triangle of a copy.
func smallPotrf[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T]) (info int) {
	if uplo == blas.Lower {
		return potf2(n, a)
	}
	l := blas.NewMatrix[T](n, n)
	for j := range n {
		for i := j; i < n; i++ {
			l.Set(i, j, blas.Conj(a.At(j, i)))
		}
	}
	info = potf2(n, l)
	for j := range n {
		for i := j; i < n; i++ {
			a.Set(j, i, blas.Conj(l.At(i, j)))
		}
	}
	return info
}

// potf2 factorizes the lower triangle column by column.
func potf2[T blas.Number](n int, a blas.Matrix[T]) (info int) {
	for j := range n {
		column := a.Data[j+j*a.LD:][:n-j]
		earlier := a.From(j, 0)
		blas.Gemm(blas.None, blas.ConjTrans, n-j, 1, j, -1, earlier, earlier, 1, a.From(j, j))
		diagonal := blas.Real(column[0])
		if diagonal <= 0 || math.IsNaN(diagonal) {
			column[0] = blas.FromReal[T](diagonal)
			return j + 1
		}
		root := blas.FromReal[T](math.Sqrt(diagonal))
		blas.Divide(root, column[1:])
		column[0] = root
	}
	return 0
}

// Potrs solves A X = B from the factor of Potrf; X replaces B.
func Potrs[T blas.Number](uplo blas.Uplo, n, nrhs int, a, b blas.Matrix[T]) {
	first, second := blas.None, blas.ConjTrans
	if uplo == blas.Upper {
		first, second = second, first
	}
	blas.Trsm(blas.Left, uplo, first, blas.NonUnit, n, nrhs, 1, a, b)
	blas.Trsm(blas.Left, uplo, second, blas.NonUnit, n, nrhs, 1, a, b)
}

// Lauum replaces the triangle of A by the same triangle of U U^H or L^H L.
func Lauum[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T]) {
	product := blas.NewMatrix[T](n, n)
	copyTriangle(uplo, n, a, product)
	side := blas.Left
	if uplo == blas.Upper {
		side = blas.Right
	}
	blas.Trmm(side, uplo, blas.ConjTrans, blas.NonUnit, n, n, 1, a, product)
	copyTriangle(uplo, n, product, a)
}

// Potri replaces the factor of Potrf by the same triangle of the inverse. If there is a zero on the diagonal, it
// returns its 1-based index and changes nothing.
func Potri[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T]) (info int) {
	if info = Trtri(uplo, blas.NonUnit, n, a); info == 0 {
		Lauum(uplo, n, a)
	}
	return info
}
