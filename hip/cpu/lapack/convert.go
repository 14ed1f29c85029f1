package lapack

import (
	"roclua/hip/cpu/blas"
)

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

// adjoint returns the adjoint of A, m x n.
func adjoint[T blas.Number](m, n int, a blas.Matrix[T]) blas.Matrix[T] {
	b := newMatrix[T](n, m)
	copyAdjoint(m, n, a, b)
	return b
}

// copyAdjoint stores the adjoint of a matrix with the given rows and columns.
func copyAdjoint[T blas.Number](rows, cols int, from, to blas.Matrix[T]) {
	for j := range cols {
		for i := range rows {
			to.Set(j, i, blas.Conj(from.At(i, j)))
		}
	}
}

// copyTriangle copies a triangle with its diagonal.
func copyTriangle[T blas.Number](uplo blas.Uplo, n int, from, to blas.Matrix[T]) {
	for j := range n {
		low, high := 0, j+1
		if uplo == blas.Lower {
			low, high = j, n
		}
		copy(to.Data[low+j*to.LD:high+j*to.LD], from.Data[low+j*from.LD:high+j*from.LD])
	}
}

func newMatrix[T blas.Number](rows, cols int) blas.Matrix[T] {
	return blas.Matrix[T]{Data: make([]T, rows*cols), LD: max(rows, 1)}
}
