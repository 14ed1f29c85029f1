package lapack

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/lapack/gonum"

	"roclua/hip/cpu/blas"
)

// The iteration on real tridiagonal matrices without vectors is that of gonum.
var iterations gonum.Implementation

// Block is a part of a tridiagonal matrix that no element of the other diagonal connects to the rest: the rows from
// From up to but without To.
type Block struct{ From, To int }

// blocksOf splits a tridiagonal matrix with the diagonal d where elements of e are at most eps times the geometric mean
// of their neighbors in d, or less than small. It sets those elements to zero.
func blocksOf(d, e []float64, eps, small float64) []Block {
	var list []Block
	from := 0
	for i := range d {
		if i == len(d)-1 {
			return append(list, Block{from, i + 1})
		}
		size := math.Abs(e[i])
		if size <= math.Sqrt(math.Abs(d[i]))*math.Sqrt(math.Abs(d[i+1]))*eps || size < small {
			e[i] = 0
			list = append(list, Block{from, i + 1})
			from = i + 1
		}
	}
	return list
}

// Steqr replaces d by the eigenvalues, ascending, of the real tridiagonal matrix of order n with the diagonal d and the
// other diagonal e, and unless vectors is nil stores the orthonormal eigenvectors in its n*n elements, by columns. It
// returns the number of elements of e that did not converge to zero.
//
// If an element is not finite, all results are NaN and no element has converged.
func Steqr(n int, d, e []float64, vectors []float64) (unconverged int) {
	d, e = d[:n], e[:max(n-1, 0)]
	scale, ok := scaleOf(d, e)
	if !ok {
		fill(math.NaN(), d, e, vectors)
		return len(e)
	}
	multiplyAll(1/scale, d)
	multiplyAll(1/scale, e)
	clear(vectors)
	for _, b := range blocksOf(d, e, 0x1p-53, 0x1p-1000) {
		unconverged += b.solve(n, d, e, vectors)
	}
	sortColumns(d, cmp.Compare, blas.Matrix[float64]{Data: vectors, LD: n})
	multiplyAll(scale, d)
	multiplyAll(scale, e)
	return unconverged
}

// solve is Steqr for a block. The iterations need blocks without very small elements.
func (b Block) solve(n int, d, e, vectors []float64) (unconverged int) {
	size := b.To - b.From
	d, e = d[b.From:b.To], e[b.From:b.To-1]
	if size == 1 {
		if vectors != nil {
			vectors[b.From*(n+1)] = 1
		}
		return 0
	}
	scale, _ := scaleOf(d, e)
	multiplyAll(1/scale, d)
	multiplyAll(1/scale, e)
	if vectors == nil {
		iterations.Dsterf(size, d, e)
	} else {
		v := blas.NewRotated(size)
		implicitQL(d, e, v)
		v.CopyTo(vectors[b.From*(n+1):], n)
	}
	multiplyAll(scale, d)
	multiplyAll(scale, e)
	return countNonzero(e)
}

// Bdsqr replaces d by the singular values, descending, of the real bidiagonal matrix of order n with the diagonal d and
// the other diagonal e, which is above the diagonal if uplo is blas.Upper. Unless left and right are nil, their n*n
// elements get the left and the right singular vectors, by columns. It returns the number of elements of e that did not
// converge to zero.
//
// If an element is not finite, all results are NaN and no element has converged.
func Bdsqr(uplo blas.Uplo, n int, d, e []float64, left, right []float64) (unconverged int) {
	if n == 0 {
		return 0
	}
	d, e = d[:n], e[:n-1]
	scale, ok := scaleOf(d, e)
	if !ok {
		fill(math.NaN(), d, e, left, right)
		return len(e)
	}
	multiplyAll(1/scale, d)
	multiplyAll(1/scale, e)
	if uplo == blas.Lower { // the transposed matrix is above the diagonal
		left, right = right, left
	}
	b := newBidiagonal(d, e, left != nil, right != nil)
	b.iterate()
	b.left.CopyTo(left, n)
	b.right.CopyTo(right, n)
	for i, v := range d {
		if math.Signbit(v) {
			d[i] = -v
			if right != nil {
				multiplyAll(-1, right[i*n:][:n])
			}
		}
	}
	sortColumns(d, descending, blas.Matrix[float64]{Data: left, LD: n}, blas.Matrix[float64]{Data: right, LD: n})
	multiplyAll(scale, d)
	multiplyAll(scale, e)
	return countNonzero(e)
}

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

// sortColumns sorts values, and with them the columns of matrices without gaps between columns. Those without elements
// do not change.
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
		columns := slices.Clone(v.Data)
		for to, from := range order {
			if len(columns) > 0 {
				copy(v.Data[to*v.LD:][:v.LD], columns[from*v.LD:])
			}
		}
	}
}

// descending compares for a descending order.
func descending(a, b float64) int { return cmp.Compare(b, a) }

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
