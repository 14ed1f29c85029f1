// Package lapack is the part of LAPACK that the routines of the table need, on Go slices in column-major storage, for
// the four element types. Factorizations halve their matrices, so that almost all of the work are the products of
// matrices of package blas. gonum's LAPACK, which supports only float64 in row-major storage, computes eigenvalues of
// real tridiagonal matrices and singular values of real bidiagonal ones, without vectors.
//
// Arguments have LAPACK's meaning and are not checked; slices must have at least the elements that the arguments
// describe. Indices in pivots and info are 1-based, as in LAPACK.
package lapack

import (
	"cmp"
	"math"
	"slices"

	"roclua/hip/cpu/blas"
)

// scaleOf returns the power of two that is at most the largest absolute value, or 1 if that is zero. ok is false if an
// element is not finite.
func scaleOf(lists ...[]float64) (scale float64, ok bool) {
	largest := 0.0
	for _, list := range lists {
		for _, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return 1, false
			}
			largest = max(largest, math.Abs(v))
		}
	}
	return powerOfTwo(largest), true
}

// powerOfTwo returns the largest power of two that is at most x and whose inverse is finite, or 1 for zero.
func powerOfTwo(x float64) float64 {
	if x == 0 {
		return 1
	}
	_, exponent := math.Frexp(x)
	return math.Ldexp(1, max(exponent-1, -1020))
}

func multiplyAll[T blas.Number](factor T, x []T) {
	for i := range x {
		x[i] *= factor
	}
}

// scaleOfMatrix returns the power of two that scales A, m x n, such that no sum of squares of elements overflows or
// underflows after division by it: 1 unless they are very large or very small. ok is false if an element is not finite.
// Only elements where kept is true count.
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

func fill(v float64, lists ...[]float64) {
	for _, list := range lists {
		for i := range list {
			list[i] = v
		}
	}
}

func countNonzero(e []float64) (count int) {
	for _, v := range e {
		if v != 0 {
			count++
		}
	}
	return count
}

// sortColumns sorts values, and with them the columns of matrices without gaps between columns. Matrices without
// elements do not change.
func sortColumns[T blas.Number](values []float64, compare func(a, b float64) int, vectors ...blas.Matrix[T]) {
	if slices.IsSortedFunc(values, compare) {
		return
	}
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return compare(values[i], values[j]) })
	old := slices.Clone(values)
	for to, from := range order {
		values[to] = old[from]
	}
	for _, v := range vectors {
		blas.WithScratch(len(v.Data), func(columns []T) {
			copy(columns, v.Data)
			for to, from := range order {
				if len(columns) > 0 {
					copy(v.Data[to*v.LD:][:v.LD], columns[from*v.LD:])
				}
			}
		})
	}
}

// descending compares for a descending order.
func descending(a, b float64) int { return cmp.Compare(b, a) }

// epsilonOf returns half of the distance from 1 to the next number of T.
func epsilonOf[T blas.Number]() float64 {
	if blas.IsSingle[T]() {
		return 0x1p-24
	}
	return 0x1p-53
}

// Converted returns a matrix of real numbers, without gaps between its columns, in another type.
func Converted[T blas.Number](rows, cols int, from []float64) blas.Matrix[T] {
	if same, ok := any(from).([]T); ok {
		return blas.Matrix[T]{Data: same, LD: max(rows, 1)}
	}
	to := blas.NewMatrix[T](rows, cols)
	for i, v := range from[:rows*cols] {
		to.Data[i] = blas.FromReal[T](v)
	}
	return to
}

// adjoint returns the adjoint of A, m x n.
func adjoint[T blas.Number](m, n int, a blas.Matrix[T]) blas.Matrix[T] {
	b := blas.NewMatrix[T](n, m)
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
