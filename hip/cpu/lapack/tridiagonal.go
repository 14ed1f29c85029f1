package lapack

import (
	"slices"

	"roclua/hip/cpu/blas"
)

// tridiagonalWidth is the number of columns that Sytrd reduces before it updates the columns to the right of them.
const tridiagonalWidth = 32

// Sytrd reduces a Hermitian matrix of order n, given by its triangle uplo, to a real tridiagonal matrix Q^H A Q with
// the diagonal d and the other diagonal e. As in LAPACK, Q is a product of n-1 reflections: tau gets their scalars, and
// their vectors replace the rest of the triangle.
func Sytrd[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T], d, e []float64, tau []T) {
	if uplo == blas.Lower {
		reduceLower(n, a, d, e, tau)
		return
	}
	// An upper triangle is a lower one in the reverse order of rows and columns.
	b := newMatrix[T](n, n)
	reverseTriangle(blas.Upper, n, a, b)
	reduceLower(n, b, d, e, tau)
	reverseTriangle(blas.Lower, n, b, a)
	slices.Reverse(d[:n])
	slices.Reverse(e[:n-1])
	slices.Reverse(tau[:n-1])
}

// reverseTriangle copies a triangle with its rows and columns in the reverse order to the other triangle.
func reverseTriangle[T blas.Number](uplo blas.Uplo, n int, from, to blas.Matrix[T]) {
	for j := range n {
		low, high := 0, j+1
		if uplo == blas.Lower {
			low, high = j, n
		}
		for i := low; i < high; i++ {
			to.Set(n-1-i, n-1-j, from.At(i, j))
		}
	}
}

// reduceLower is Sytrd for the lower triangle.
func reduceLower[T blas.Number](n int, a blas.Matrix[T], d, e []float64, tau []T) {
	w := newMatrix[T](n, min(n, tridiagonalWidth))
	for j := 0; j < n; j += tridiagonalWidth {
		width := min(tridiagonalWidth, n-j)
		part := a.From(j, j)
		latrdLower(n-j, width, part, e[j:], tau[j:], w)
		if rest := n - j - width; rest > 0 {
			blas.Rank2K(blas.Lower, blas.None, true, rest, width, -1, part.From(width, 0), w.From(width, 0), 1,
				part.From(width, width))
		}
		for i := j; i < j+width; i++ {
			d[i] = blas.Real(a.At(i, i))
			if i < n-1 {
				a.Set(i+1, i, blas.FromReal[T](e[i]))
			}
		}
	}
}

// Latrd reduces k rows and columns of a Hermitian matrix of order n to tridiagonal form, the first ones of a lower
// triangle or the last ones of an upper one. It computes W, n x k, with which V W^H + W V^H is to be subtracted from
// the rest of the matrix, V being the vectors of the reflections, with their ones. The ones replace the elements of the
// other diagonal in A, which are in e.
func Latrd[T blas.Number](uplo blas.Uplo, n, k int, a blas.Matrix[T], e []float64, tau []T, w blas.Matrix[T]) {
	if uplo == blas.Lower {
		latrdLower(n, k, a, e, tau, w)
		return
	}
	b := newMatrix[T](n, n)
	x := newMatrix[T](n, k)
	reverseTriangle(blas.Upper, n, a, b)
	reflections := min(k, n-1)
	someE, someTau := make([]float64, reflections), make([]T, reflections)
	latrdLower(n, k, b, someE, someTau, x)
	reverseTriangle(blas.Lower, n, b, a)
	for i := range reflections {
		e[n-2-i], tau[n-2-i] = someE[i], someTau[i]
	}
	for j := range k {
		for i := range n {
			w.Set(n-1-i, k-1-j, x.At(i, j))
		}
	}
}

// latrdLower is Latrd for the lower triangle.
func latrdLower[T blas.Number](n, k int, a blas.Matrix[T], e []float64, tau []T, w blas.Matrix[T]) {
	sums := make([]T, k)
	for i := range k {
		column := a.Data[i*a.LD:][i:n]
		for p := range i {
			blas.Axpy(-blas.Conj(w.At(i, p)), a.Data[p*a.LD:][i:n], column)
			blas.Axpy(-blas.Conj(a.At(i, p)), w.Data[p*w.LD:][i:n], column)
		}
		column[0] = blas.FromReal[T](blas.Real(column[0]))
		clear(w.Data[i*w.LD:][:n])
		if i == n-1 {
			return
		}
		v := column[1:]
		tau[i] = reflect(len(v), v)
		e[i] = blas.Real(v[0])
		v[0] = 1
		y := w.Data[i*w.LD:][i+1 : n]
		multiplyHermitian(len(v), a.From(i+1, i+1), v, y)
		// A without the updates so far is A + V W^H + W V^H.
		subtractProduct(i, a.From(i+1, 0), w.From(i+1, 0), v, y, sums)
		subtractProduct(i, w.From(i+1, 0), a.From(i+1, 0), v, y, sums)
		multiplyAll(tau[i], y)
		half := blas.FromReal[T](-0.5)
		blas.Axpy(half*tau[i]*blas.DotColumns(y, v), v, y)
	}
}

// multiplyHermitian stores A x in y, A being given by its lower triangle.
func multiplyHermitian[T blas.Number](n int, a blas.Matrix[T], x, y []T) {
	clear(y)
	for j := range n {
		below := a.Data[j*a.LD:][j+1 : n]
		y[j] += blas.FromReal[T](blas.Real(a.At(j, j)))*x[j] + blas.DotColumns(below, x[j+1:])
		blas.Axpy(x[j], below, y[j+1:])
	}
}

// subtractProduct subtracts A B^H x from y. A and B have k columns of the length of x; sums is memory for k elements.
func subtractProduct[T blas.Number](k int, a, b blas.Matrix[T], x, y, sums []T) {
	for p := range k {
		sums[p] = blas.DotColumns(b.Data[p*b.LD:][:len(x)], x)
	}
	for p := range k {
		blas.Axpy(-sums[p], a.Data[p*a.LD:][:len(y)], y)
	}
}

// Orgtr replaces the reflections of Sytrd in A by Q.
func Orgtr[T blas.Number](o *blas.OpenBLAS, uplo blas.Uplo, n int, a blas.Matrix[T], tau []T) {
	q := newMatrix[T](n, n)
	for i := range n {
		q.Set(i, i, 1)
	}
	Ormtr(o, blas.Left, uplo, blas.None, n, n, a, tau, q)
	copyPart(n, n, q, a)
}

// Ormtr multiplies C, m x n, by op(Q) from a side, Q being the product of the reflections of Sytrd in A.
func Ormtr[T blas.Number](
	o *blas.OpenBLAS, side blas.Side, uplo blas.Uplo, op blas.Op, m, n int, a blas.Matrix[T], tau []T,
	c blas.Matrix[T],
) {
	order := m
	if side == blas.Right {
		order = n
	}
	if order < 2 {
		return
	}
	// Q is the identity in the first row and column of a lower triangle, in the last ones of an upper triangle.
	form, v, from := QR, a.From(1, 0), 1
	if uplo == blas.Upper {
		form, v, from = QL, a.From(0, 1), 0
	}
	if side == blas.Left {
		Multiply(o, form, side, op, m-1, n, m-1, v, tau, c.From(from, 0))
	} else {
		Multiply(o, form, side, op, m, n-1, n-1, v, tau, c.From(0, from))
	}
}
