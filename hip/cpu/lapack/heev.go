package lapack

import (
	"math"

	"roclua/hip/cpu/blas"
)

// Heev replaces w by the n eigenvalues, ascending, of a Hermitian matrix given by its triangle uplo. With vectors, the
// orthonormal eigenvectors replace A by columns; otherwise the triangle is destroyed. e has n elements and gets those
// of the other diagonal of the tridiagonal form, zero unless the iteration does not converge. It returns the number of
// elements that did not converge.
//
// If an element is not finite, all results are NaN and no element has converged.
func Heev[T blas.Number](
	o *blas.OpenBLAS, vectors bool, uplo blas.Uplo, n int, a blas.Matrix[T], w, e []float64,
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
	if info, ok := blas.Eigen(o, vectors, uplo, n, a, w); ok && info == 0 {
		return 0
	} else if ok {
		return n - 1
	}
	tau := make([]T, n)
	Sytrd(uplo, n, a, w, e, tau)
	if !vectors {
		return Steqr(n, w, e, nil)
	}
	z := make([]float64, n*n)
	unconverged = Steqr(n, w, e, z)
	x := Converted[T](n, n, z)
	Ormtr(o, blas.Left, uplo, blas.None, n, n, a, tau, x)
	copyPart(n, n, x, a)
	return unconverged
}

// Converted returns a matrix of real numbers, without gaps between its columns, in another type.
func Converted[T blas.Number](rows, cols int, from []float64) blas.Matrix[T] {
	if same, ok := any(from).([]T); ok {
		return blas.Matrix[T]{Data: same, LD: max(rows, 1)}
	}
	to := newMatrix[T](rows, cols)
	for i, v := range from[:rows*cols] {
		to.Data[i] = blas.FromReal[T](v)
	}
	return to
}

// scaleOfMatrix returns the power of two by which the elements of A, m x n, are to be divided so that no sum of their
// squares overflows or underflows: 1 unless they are very large or very small. ok is false if an element is not
// finite. Only the elements for which kept is true count.
func scaleOfMatrix[T blas.Number](m, n int, a blas.Matrix[T], kept func(i, j int) bool) (scale float64, ok bool) {
	largest := 0.0
	for j := range n {
		for i, v := range a.Data[j*a.LD:][:m] {
			if !kept(i, j) {
				continue
			}
			size := blas.Abs1(v)
			if math.IsNaN(size) || math.IsInf(size, 0) {
				return 1, false
			}
			largest = max(largest, size)
		}
	}
	low, high := 0x1p-400, 0x1p400
	if blas.IsSingle[T]() {
		low, high = 0x1p-40, 0x1p40
	}
	if largest == 0 || largest > low && largest < high {
		return 1, true
	}
	return powerOfTwo(largest), true
}

// multiplyMatrix multiplies A, m x n, by a power of two. It multiplies twice, because the power may exceed the range of
// T.
func multiplyMatrix[T blas.Number](factor float64, m, n int, a blas.Matrix[T]) {
	_, exponent := math.Frexp(factor)
	first := math.Ldexp(1, (exponent-1)/2)
	for j := range n {
		column := a.Data[j*a.LD:][:m]
		multiplyAll(blas.FromReal[T](first), column)
		multiplyAll(blas.FromReal[T](factor/first), column)
	}
}

// fillMatrix stores NaN in A, m x n.
func fillMatrix[T blas.Number](m, n int, a blas.Matrix[T]) {
	nan := blas.FromComplex[T](complex(math.NaN(), 0))
	for j := 0; j < n && m > 0; j++ {
		column := a.Data[j*a.LD:][:m]
		for i := range column {
			column[i] = nan
		}
	}
}
