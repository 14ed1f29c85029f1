package lapack

import (
	"math"

	"roclua/hip/cpu/blas"
)

// Vectors are unique only up to a factor, and the vectors of repeated values up to a unitary matrix: rounding decides,
// and so which library computes. The functions of this file choose them, so that results hardly depend on rounding.

// settle replaces the columns of Z from one to before another, which are orthonormal, by a basis of the same space that
// does not depend on them: the first column is the only one with an element in the first row that is not small, and
// this element is positive, and so on. It changes the columns of another matrix in the same way.
func settle[T blas.Number](from, to, n int, z blas.Matrix[T], m int, other blas.Matrix[T]) {
	for c := from; c < to; c++ {
		row := firstRow(n, to-c, z.From(0, c))
		x := make([]T, to-c)
		for j := range x {
			x[j] = blas.Conj(z.At(row, c+j))
		}
		tau := reflect(len(x), x)
		sign := T(1)
		if blas.Real(x[0]) < 0 {
			sign = -1
		}
		x[0] = 1
		reflectRows(n, z.From(0, c), x, tau, sign)
		reflectRows(m, other.From(0, c), x, tau, sign)
	}
}

// firstRow returns the first row of A, n x columns, whose norm is not small. The bound is not a fraction that norms of
// simple matrices have, so that rounding does not decide.
func firstRow[T blas.Number](n, columns int, a blas.Matrix[T]) int {
	squares, largest := make([]float64, n), 0.0
	for j := range columns {
		for i, v := range a.Data[j*a.LD:][:n] {
			squares[i] += blas.Real(v * blas.Conj(v))
			largest = max(largest, squares[i])
		}
	}
	for i, s := range squares {
		if s >= 0.3*largest {
			return i
		}
	}
	return 0
}

// reflectRows multiplies A, with the given rows, by a reflection from the right, and its first column by a sign.
func reflectRows[T blas.Number](rows int, a blas.Matrix[T], v []T, tau, sign T) {
	for i := range rows {
		sum := T(0)
		for j, x := range v {
			sum += a.At(i, j) * x
		}
		for j, x := range v {
			a.Set(i, j, a.At(i, j)-sum*tau*blas.Conj(x))
		}
		a.Set(i, 0, sign*a.At(i, 0))
	}
}

// groups calls a function for the ranges of ordered values that are equal up to rounding errors.
func groups[T blas.Number](values []float64, each func(from, to int)) {
	from := 0
	for i := range values {
		if i+1 == len(values) || math.Abs(values[i+1]-values[i]) > roundingOf[T](values) {
			each(from, i+1)
			from = i + 1
		}
	}
}

// roundingOf bounds the errors of values of a matrix, from the first to the last.
func roundingOf[T blas.Number](values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	return 8 * epsilonOf[T]() * math.Sqrt(float64(n)) * max(math.Abs(values[0]), math.Abs(values[n-1]))
}

// settleEigenvectors settles the eigenvectors of ascending eigenvalues.
func settleEigenvectors[T blas.Number](n int, w []float64, z blas.Matrix[T]) {
	groups[T](w[:n], func(from, to int) { settle(from, to, n, z, 0, z) })
}

// settleSingular settles the vectors of descending singular values. Vectors without a value, or with the value 0, are
// settled on each side alone.
func settleSingular[T blas.Number](m, n int, s []float64, to Vectors[T]) {
	u, x := to.U, adjoint(to.Right, n, to.V)
	rank := 0
	for rank < len(s) && s[rank] > roundingOf[T](s) {
		rank++
	}
	groups[T](s[:rank], func(from, end int) {
		switch {
		case to.Left > 0 && to.Right > 0:
			settle(from, end, m, u, n, x)
		case to.Left > 0:
			settle(from, end, m, u, 0, u)
		case to.Right > 0:
			settle(from, end, n, x, 0, x)
		}
	})
	settle(rank, to.Left, m, u, 0, u)
	settle(rank, to.Right, n, x, 0, x)
	copyAdjoint(n, to.Right, x, to.V)
}
