package lapack

import (
	"math"

	"roclua/hip/cpu/blas"
)

// The Bunch-Kaufman factorization of a symmetric matrix, also of a complex one: A = U D U^T or L D L^T with blocks of
// order 1 and 2 in D. A pivot k > 0 means a block of order 1 after the exchange with row and column k; two equal
// pivots -k mean a block of order 2, and an exchange of the row next to the diagonal with row k.
//
// The upper triangle is factorized as the lower triangle of the matrix in reverse order.

// The width of the panels of Sytrf, and the largest order of a matrix that is one panel.
const (
	indefiniteWidth = 64
	smallIndefinite = 128
)

// growthLimit is the ratio of Bunch and Kaufman that bounds the growth of elements.
var growthLimit = (1 + math.Sqrt(17)) / 8

// Sytrf factorizes the triangle uplo of a symmetric matrix. It returns the 1-based index of the first block of D that
// is zero, in the order of the factorization, or 0.
func Sytrf[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T], pivots []int32) (info int) {
	return forwards(uplo, n, a, pivots, func(s symmetric[T]) int {
		for k := 0; k < n; {
			width := n - k
			if width > smallIndefinite {
				width = indefiniteWidth
			}
			columns, at := s.from(k).panel(width, pivots[k:])
			if at != 0 && info == 0 {
				info = at + k
			}
			for i := k; i < k+columns; i++ {
				if pivots[i] < 0 {
					pivots[i] -= int32(k)
				} else {
					pivots[i] += int32(k)
				}
			}
			k += columns
		}
		return info
	})
}

// Lasyf factorizes kb columns, nb or one less, or all if nb is the order: the first ones of a lower triangle, the last
// ones of an upper triangle. It updates the rest of the triangle, and sets only the pivots of these columns.
func Lasyf[T blas.Number](uplo blas.Uplo, n, nb int, a blas.Matrix[T], pivots []int32) (kb, info int) {
	own := make([]int32, n)
	info = forwards(uplo, n, a, own, func(s symmetric[T]) int {
		var at int
		kb, at = s.panel(nb, own)
		return at
	})
	if uplo == blas.Upper {
		copy(pivots[n-kb:n], own[n-kb:])
	} else {
		copy(pivots[:kb], own)
	}
	return kb, info
}

// forwards calls a function with the lower triangle, or with a copy of the upper triangle in reverse order. It brings
// the results of the copy, the pivots and info, into their order.
func forwards[T blas.Number](
	uplo blas.Uplo, n int, a blas.Matrix[T], pivots []int32, factor func(symmetric[T]) int,
) (info int) {
	if uplo == blas.Lower {
		return factor(symmetric[T]{n, a, false})
	}
	reversed := blas.NewMatrix[T](n, n)
	reverseTriangle(blas.Upper, n, a, reversed)
	info = factor(symmetric[T]{n, reversed, true})
	reverseTriangle(blas.Lower, n, reversed, a)
	for i, j := 0, n-1; i <= j; i, j = i+1, j-1 {
		pivots[i], pivots[j] = mirrored(n, pivots[j]), mirrored(n, pivots[i])
	}
	if info != 0 {
		info = n + 1 - info
	}
	return info
}

// mirrored returns a pivot in the other order of rows; zero is not a pivot.
func mirrored(n int, pivot int32) int32 {
	switch {
	case pivot > 0:
		return int32(n) + 1 - pivot
	case pivot < 0:
		return -(int32(n) + 1 + pivot)
	}
	return 0
}

// symmetric is the lower triangle of a symmetric matrix, whose order may be reversed.
type symmetric[T blas.Number] struct {
	n        int
	a        blas.Matrix[T]
	reversed bool
}

func (s symmetric[T]) from(k int) symmetric[T] {
	return symmetric[T]{s.n - k, s.a.From(k, k), s.reversed}
}

// at returns an element of the symmetric matrix.
func (s symmetric[T]) at(i, j int) T { return s.a.At(max(i, j), min(i, j)) }

// largest returns the row, from low on but not skip, with the largest element of a column, and its size. Of equal ones
// it is the first row, in the original order.
func (s symmetric[T]) largest(low, skip int, column []T) (row int, size float64) {
	row = low
	for i := low; i < s.n; i++ {
		if v := blas.Abs1(column[i]); i != skip && (v > size || s.reversed && v == size) {
			row, size = i, v
		}
	}
	return row, size
}

// pivot chooses the pivot of column k by Bunch and Kaufman: the row to exchange, and the order of the block. other
// returns the elements of a later column. ok is false if the column is zero or has a NaN on the diagonal.
func (s symmetric[T]) pivot(k int, column []T, other func(row int) []T) (row, order int, ok bool) {
	diagonal := blas.Abs1(column[k])
	row, size := s.largest(k+1, -1, column)
	if max(diagonal, size) == 0 || math.IsNaN(diagonal) {
		return k, 1, false
	}
	if diagonal >= growthLimit*size {
		return k, 1, true
	}
	of := other(row)
	_, sizeOfRow := s.largest(k, row, of)
	switch {
	case diagonal >= growthLimit*size*(size/sizeOfRow):
		return k, 1, true
	case blas.Abs1(of[row]) >= growthLimit*sizeOfRow:
		return row, 1, true
	}
	return row, 2, true
}

// record stores the pivot of a block.
func record(pivots []int32, k, row, order int) {
	pivots[k] = int32(row + 1)
	if order == 2 {
		pivots[k], pivots[k+1] = -int32(row+1), -int32(row+1)
	}
}

// inverseOfBlock returns the product of a row of two elements and the inverse of the block [a b; b c]. It divides by b,
// which is the largest element.
func inverseOfBlock[T blas.Number](a, b, c T) func(x, y T) (T, T) {
	high, low := c/b, a/b
	factor := 1 / ((high*low - 1) * b)
	return func(x, y T) (T, T) { return factor * (high*x - y), factor * (low*y - x) }
}

// panel factorizes up to width columns, and updates the rest by a GEMM. The columns of W are the columns
// of L D.
func (s symmetric[T]) panel(width int, pivots []int32) (kb, info int) {
	n := s.n
	w := blas.NewMatrix[T](n, min(width, n)+1)
	k, order := 0, 1
	for ; k < n && (k < width-1 || width >= n); k += order {
		column := s.updated(w, k, k, k)
		var row int
		var ok bool
		row, order, ok = s.pivot(k, column, func(row int) []T { return s.updated(w, k, k+1, row) })
		record(pivots, k, row, order)
		if !ok {
			if info == 0 {
				info = k + 1
			}
			copy(s.a.Data[k+k*s.a.LD:], column[k:])
			continue
		}
		if order == 1 && row != k {
			copy(column[k:], w.Data[k+(k+1)*w.LD:])
		}
		s.exchangeInPanel(w, k, k+order-1, row)
		s.store(w, k, order)
	}
	if rest := n - k; rest > 0 {
		blas.RankK(blas.Lower, blas.None, false, rest, k, -1, s.a.From(k, 0), w.From(k, 0), 1, s.a.From(k, k))
	}
	s.standardize(k, pivots)
	return k, info
}

// updated stores a column of the matrix, from row k on, in a column of W, less the product of the columns before k, and
// returns the column of W.
func (s symmetric[T]) updated(w blas.Matrix[T], k, to, column int) []T {
	y := w.Data[to*w.LD:][:s.n]
	for i := k; i < s.n; i++ {
		y[i] = s.at(i, column)
	}
	blas.Gemm(blas.None, blas.Trans, s.n-k, 1, k, -1, s.a.From(k, 0), w.From(column, 0), 1, w.From(k, to))
	return y
}

// exchangeInPanel exchanges rows and columns i and j: in the rest of the matrix, and rows in the columns of the panel
// and of W. Columns k to i of the matrix need no values, because W has them.
func (s symmetric[T]) exchangeInPanel(w blas.Matrix[T], k, i, j int) {
	if i == j {
		return
	}
	s.a.Set(j, j, s.a.At(i, i))
	for c := i + 1; c < s.n; c++ {
		if c != j {
			s.a.Set(max(c, j), min(c, j), s.a.At(c, i))
		}
	}
	for c := range k {
		column := s.a.Data[c*s.a.LD:]
		column[i], column[j] = column[j], column[i]
	}
	for c := range i + 1 {
		column := w.Data[c*w.LD:]
		column[i], column[j] = column[j], column[i]
	}
}

// store computes columns of L from columns of W, and stores them with their block of D.
func (s symmetric[T]) store(w blas.Matrix[T], k, order int) {
	first := w.Data[k*w.LD:][:s.n]
	if order == 1 {
		inverse := 1 / first[k]
		s.a.Set(k, k, first[k])
		for i := k + 1; i < s.n; i++ {
			s.a.Set(i, k, inverse*first[i])
		}
		return
	}
	second := w.Data[(k+1)*w.LD:][:s.n]
	s.a.Set(k, k, first[k])
	s.a.Set(k+1, k, first[k+1])
	s.a.Set(k+1, k+1, second[k+1])
	solve := inverseOfBlock(first[k], first[k+1], second[k+1])
	for i := k + 2; i < s.n; i++ {
		x, y := solve(first[i], second[i])
		s.a.Set(i, k, x)
		s.a.Set(i, k+1, y)
	}
}

// standardize reverts the exchanges of rows in the columns of L that come before each exchange, as sytf2 of LAPACK
// leaves them.
func (s symmetric[T]) standardize(k int, pivots []int32) {
	for j := k - 1; j > 0; j-- {
		i, row := j, int(pivots[j])-1
		if pivots[j] < 0 {
			row = -int(pivots[j]) - 1
			j-- // the first column of the block
		}
		if row != i {
			for c := range j {
				column := s.a.Data[c*s.a.LD:]
				column[i], column[row] = column[row], column[i]
			}
		}
	}
}
