package lapack

import (
	"cmp"
	"math"
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
// triangle or the last ones of an upper one. It computes W, n x k; the caller subtracts V W^H + W V^H from the rest of
// the matrix, V being the vectors of the reflections, with their ones. The ones replace the elements of the other
// diagonal in A, which are in e. Elements of W that LAPACK uses as scratch become zero, and each column's element in
// the row of its reflection is not written.
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
	for j := range reflections {
		for i := range n {
			if i != j {
				w.Set(n-1-i, k-1-j, x.At(i, j))
			}
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
		if i == n-1 {
			return
		}
		v := column[1:]
		tau[i] = reflect(len(v), v)
		e[i] = blas.Real(v[0])
		v[0] = 1
		clear(w.Data[i*w.LD:][:i])
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

// Eigenvalue is an eigenvalue of a tridiagonal matrix and its block, from 0.
type Eigenvalue struct {
	Value float64
	Block int
}

// Stebz returns the eigenvalues of a real tridiagonal matrix with the diagonal d and the other diagonal e, ascending,
// with their blocks. An element of e splits blocks if it is negligible in T. It changes d and e.
func Stebz[T blas.Number](d, e []float64) (values []Eigenvalue, blocks []Block, unconverged int) {
	blocks = blocksOf(d, e, epsilonOf[T](), smallestSquareRoot[T]())
	for i, b := range blocks {
		unconverged += Steqr(b.To-b.From, d[b.From:b.To], e[b.From:max(b.From, b.To-1)], nil)
		for _, v := range d[b.From:b.To] {
			values = append(values, Eigenvalue{v, i})
		}
	}
	slices.SortStableFunc(values, func(x, y Eigenvalue) int { return cmp.Compare(x.Value, y.Value) })
	return values, blocks, unconverged
}

// smallestSquareRoot returns the root of the smallest normal number of T.
func smallestSquareRoot[T blas.Number]() float64 {
	if blas.IsSingle[T]() {
		return 0x1p-63
	}
	return 0x1p-511
}

// Stein stores in the columns of Z, n x len(values), the eigenvectors of a real tridiagonal matrix that belong to
// eigenvalues of its blocks. The eigenvalues of one block must differ but need not be exact: each
// represents the nearest exact eigenvalue that is not yet used. It returns the number of elements of e that did not
// converge.
func Stein[T blas.Number](
	n int, d, e []float64, values []Eigenvalue, blocks []Block, z blas.Matrix[T],
) (unconverged int) {
	for j := range values {
		clear(z.Data[j*z.LD:][:n])
	}
	for k, b := range blocks {
		if !slices.ContainsFunc(values, func(v Eigenvalue) bool { return v.Block == k }) {
			continue
		}
		size := b.To - b.From
		exact, rest := slices.Clone(d[b.From:b.To]), slices.Clone(e[b.From:b.To-1])
		vectors := make([]float64, size*size)
		unconverged += Steqr(size, exact, rest, vectors)
		used := make([]bool, size)
		for j, v := range values {
			if v.Block != k {
				continue
			}
			at := nearestUnused(exact, used, v.Value)
			for i, x := range vectors[at*size:][:size] {
				z.Set(b.From+i, j, blas.FromReal[T](x))
			}
		}
	}
	return unconverged
}

// nearestUnused returns the index of the unused value nearest to x, and marks it as used; 0 if all are used.
func nearestUnused(values []float64, used []bool, x float64) (place int) {
	place = -1
	for i, v := range values {
		if !used[i] && (place < 0 || math.Abs(v-x) < math.Abs(values[place]-x)) {
			place = i
		}
	}
	place = max(place, 0)
	used[place] = true
	return place
}
