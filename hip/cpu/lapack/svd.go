package lapack

import (
	"math"
	"slices"

	gonumblas "gonum.org/v1/gonum/blas"

	"roclua/hip/cpu/blas"
)

// Vectors are the singular vectors that Gesvd and Gesvdj compute for A, m x n: the columns of U, m x Left, become the
// first left ones, the rows of V, Right x n, the first right ones, conjugated. Left is 0, min(m, n) or m, Right is 0,
// min(m, n) or n. Which vectors they are does not depend on rounding: see settle.
type Vectors[T blas.Number] struct {
	Left, Right int
	U, V        blas.Matrix[T]
}

// Gesvd replaces s by the min(m, n) singular values, descending, of A, m x n, and destroys A. e has min(m, n) - 1
// elements and gets the other diagonal of the bidiagonal form, zero unless the iteration does not converge. It returns
// the number of elements that did not converge.
//
// If an element is not finite, all results are NaN and no element has converged.
func Gesvd[T blas.Number](m, n int, a blas.Matrix[T], s, e []float64, to Vectors[T]) (unconverged int) {
	e = e[:min(m, n)-1]
	clear(e)
	scale := scaledSVD(m, n, a, s, to, func(m, n int, a blas.Matrix[T], to Vectors[T]) bool {
		unconverged = gesvd(m, n, a, s, e, to)
		return unconverged == 0
	})
	if scale == 0 {
		fill(math.NaN(), e)
		return len(e)
	}
	return unconverged
}

// scaledSVD divides A by a power of two, decomposes it, or its adjoint if it has fewer rows than columns, by a method
// that reports whether it converged, and settles the vectors. It returns the power, or 0 if an element is not finite.
func scaledSVD[T blas.Number](
	m, n int, a blas.Matrix[T], s []float64, to Vectors[T],
	method func(m, n int, a blas.Matrix[T], to Vectors[T]) (converged bool),
) float64 {
	s = s[:min(m, n)]
	scale, ok := scaleOfMatrix(m, n, a, func(int, int) bool { return true })
	if !ok {
		fill(math.NaN(), s)
		fillMatrix(m, to.Left, to.U)
		fillMatrix(to.Right, n, to.V)
		return 0
	}
	if scale != 1 {
		multiplyMatrix(1/scale, m, n, a)
	}
	var converged bool
	if m >= n {
		converged = method(m, n, a, to)
	} else {
		turned := Vectors[T]{to.Right, to.Left, blas.NewMatrix[T](n, to.Right), blas.NewMatrix[T](to.Left, m)}
		converged = method(n, m, adjoint(m, n, a), turned)
		copyAdjoint(n, to.Right, turned.U, to.V)
		copyAdjoint(to.Left, m, turned.V, to.U)
	}
	if converged {
		settleSingular(m, n, s, to)
	}
	multiplyAll(scale, s)
	return scale
}

// gesvd is Gesvd for m >= n.
func gesvd[T blas.Number](m, n int, a blas.Matrix[T], s, e []float64, to Vectors[T]) (unconverged int) {
	if m >= 2*n {
		return tallSVD(m, n, a, s, e, to)
	}
	tauq, taup := make([]T, n), make([]T, n)
	Gebrd(m, n, a, s, e, tauq, taup)
	var ofLeft, ofRight []float64
	if to.Left+to.Right > 0 {
		ofLeft, ofRight = make([]float64, n*n), make([]float64, n*n)
	}
	unconverged = bdsdc(false, n, s, e, ofLeft, ofRight)
	if to.Left > 0 {
		widen(m, n, to.Left, Converted[T](n, n, ofLeft), to.U)
		Ormbr(false, blas.Left, blas.None, m, to.Left, n, a, tauq, to.U)
	}
	if to.Right > 0 {
		copyAdjoint(n, n, Converted[T](n, n, ofRight), to.V)
		Ormbr(true, blas.Right, blas.ConjTrans, n, n, m, a, taup, to.V)
	}
	return unconverged
}

// tallSVD is gesvd of a matrix with many more rows than columns, by decomposing the triangle of its QR factorization.
func tallSVD[T blas.Number](m, n int, a blas.Matrix[T], s, e []float64, to Vectors[T]) (unconverged int) {
	tau := make([]T, n)
	Factor(QR, m, n, a, tau)
	r := blas.NewMatrix[T](n, n)
	for j := range n {
		copy(r.Data[j*n:][:j+1], a.Data[j*a.LD:][:j+1])
	}
	left := min(to.Left, n)
	ofTriangle := Vectors[T]{left, to.Right, blas.NewMatrix[T](n, left), to.V}
	unconverged = gesvd(n, n, r, s, e, ofTriangle)
	if left > 0 {
		widen(m, n, to.Left, ofTriangle.U, to.U)
		Multiply(QR, blas.Left, blas.None, m, to.Left, n, a, tau, to.U)
	}
	return unconverged
}

// widen stores in U, m x left, a matrix of order n and to the right of and below it the identity.
func widen[T blas.Number](m, n, left int, from, u blas.Matrix[T]) {
	blas.SetIdentity(m, left, u)
	blas.CopyMatrix(n, min(n, left), from, u)
}

// bidiagonalWidth is the number of rows and columns that Gebrd reduces before it updates the rest.
const bidiagonalWidth = 32

// Gebrd reduces A, m x n, to a real bidiagonal matrix Q^H A P with the diagonal d and the other diagonal e, which is
// above the diagonal if m >= n and below it otherwise. As in LAPACK, Q and P are products of reflections with the
// scalars tauq and taup. The vectors of Q are in the columns below the bidiagonal matrix; the vectors of P, conjugated,
// are in the rows to the right of it.
func Gebrd[T blas.Number](m, n int, a blas.Matrix[T], d, e []float64, tauq, taup []T) {
	if m < n { // the adjoint matrix has the adjoint form
		b := adjoint(m, n, a)
		Gebrd(n, m, b, d, e, taup, tauq)
		copyAdjoint(n, m, b, a)
		return
	}
	x, y := blas.NewMatrix[T](m, min(n, bidiagonalWidth)), blas.NewMatrix[T](n, min(n, bidiagonalWidth))
	taup[n-1] = 0
	for j := 0; j < n; j += bidiagonalWidth {
		width := min(bidiagonalWidth, n-j)
		part := a.From(j, j)
		u := labrd(m-j, n-j, width, part, d[j:], e[j:], tauq[j:], taup[j:], x, y)
		if rest := n - j - width; rest > 0 {
			corner := part.From(width, width)
			blas.Gemm(blas.None, blas.ConjTrans, m-j-width, rest, width, -1, part.From(width, 0), y.From(width, 0),
				1, corner)
			blas.Gemm(blas.None, blas.ConjTrans, m-j-width, rest, width, -1, x.From(width, 0), u.From(width, 0), 1,
				corner)
		}
		for i := j; i < j+width; i++ {
			a.Set(i, i, blas.FromReal[T](d[i]))
			if i < n-1 {
				a.Set(i, i+1, blas.FromReal[T](e[i]))
			}
		}
	}
}

// Labrd reduces the first k rows and columns of A, m x n, to bidiagonal form. It computes X, m x k, and Y, n x k, with
// which V Y^H + X U^H is to be subtracted from the rest of the matrix, V and U being the vectors of the reflections,
// with their ones. The ones replace the elements of the bidiagonal matrix in A, which are in d and e. Elements of X and
// Y that LAPACK uses as scratch become zero. If k is min(m, n), the last step has only the reflection of one side: then
// A has the last element of d, and the last columns of X and Y and the scalar of the other side are not written.
func Labrd[T blas.Number](
	m, n, k int, a blas.Matrix[T], d, e []float64, tauq, taup []T, x, y blas.Matrix[T],
) {
	if m < n {
		b := adjoint(m, n, a)
		labrd(n, m, k, b, d, e, taup, tauq, y, x)
		copyAdjoint(n, m, b, a)
		return
	}
	labrd(m, n, k, a, d, e, tauq, taup, x, y)
}

// labrd is Labrd for m >= n. It returns U, n x k.
func labrd[T blas.Number](
	m, n, k int, a blas.Matrix[T], d, e []float64, tauq, taup []T, x, y blas.Matrix[T],
) blas.Matrix[T] {
	u, sums := blas.NewMatrix[T](n, k), make([]T, k)
	for i := range k {
		column := a.Data[i*a.LD:][i:m]
		subtractRow(i, a.From(i, 0), y.From(i, 0), column)
		subtractRow(i, x.From(i, 0), u.From(i, 0), column)
		tauq[i] = reflect(len(column), column)
		d[i] = blas.Real(column[0])
		if i == n-1 {
			break
		}
		column[0] = 1
		clear(y.Data[i*y.LD:][:i])
		clear(x.Data[i*x.LD:][:m])
		yi := y.Data[i*y.LD:][i+1 : n]
		multiplyAdjoint(len(yi), column, a.From(i, i+1), yi)
		subtractProduct(i, y.From(i+1, 0), a.From(i, 0), column, yi, sums)
		subtractProduct(i, u.From(i+1, 0), x.From(i, 0), column, yi, sums)
		multiplyAll(tauq[i], yi)

		row := u.Data[i*u.LD:][i+1 : n] // conjugated
		for c := range row {
			row[c] = blas.Conj(a.At(i, i+1+c))
		}
		subtractRow(i+1, y.From(i+1, 0), a.From(i, 0), row)
		subtractRow(i, u.From(i+1, 0), x.From(i, 0), row)
		taup[i] = reflect(len(row), row)
		e[i] = blas.Real(row[0])
		row[0] = 1
		for c, v := range row {
			a.Set(i, i+1+c, blas.Conj(v))
		}

		xi := x.Data[i*x.LD:][i+1 : m]
		for c := 0; c < len(row); c += bidiagonalWidth {
			addProduct(len(xi), min(bidiagonalWidth, len(row)-c), a.From(i+1, i+1+c), row[c:], xi)
		}
		subtractProduct(i+1, a.From(i+1, 0), y.From(i+1, 0), row, xi, sums)
		subtractProduct(i, x.From(i+1, 0), u.From(i+1, 0), row, xi, sums)
		multiplyAll(taup[i], xi)
	}
	return u
}

// Bdsqr replaces d by the singular values, descending, of the real bidiagonal matrix of order n with the diagonal d and
// the other diagonal e, which is above the diagonal if uplo is blas.Upper, and e by zeros. Unless left and right are
// nil, their n*n elements get the left and the right singular vectors, by columns. It returns the number of elements of
// e that did not converge to zero.
//
// The errors of the values are relative to each value: gonum computes them by the qd algorithm, as LAPACK does. The
// errors of the vectors, which divide and conquer computes, are relative to the largest value.
//
// If an element is not finite, all results are NaN and no element has converged.
func Bdsqr(uplo blas.Uplo, n int, d, e []float64, left, right []float64) (unconverged int) {
	if uplo == blas.Lower && n > 1 { // the transposed matrix is above the diagonal
		left, right = right, left
	}
	return bdsdc(true, n, d, e, left, right)
}

// bdsdc is Bdsqr of a matrix whose other diagonal is above the diagonal. Unless precise is true, it takes values from
// divide and conquer if there are vectors, which saves up to a fifth of the time of Gesvd.
func bdsdc(precise bool, n int, d, e []float64, left, right []float64) (unconverged int) {
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
	defer func() {
		multiplyAll(scale, d)
		multiplyAll(scale, e)
	}()
	vectors, values := left != nil || right != nil, slices.Clone(d)
	switch {
	case vectors && !sortedVectors(values, slices.Clone(e), left, right):
		return countNonzero(e)
	case vectors && !precise:
		copy(d, values)
	case !iterations.Dbdsqr(gonumblas.Upper, n, 0, 0, 0, d, e, nil, 1, nil, 1, nil, 1, make([]float64, 4*n)):
		return countNonzero(e)
	}
	clear(e)
	return 0
}

// sortedVectors replaces d by the singular values of a bidiagonal matrix, descending, and stores the vectors;
// one side may be nil. It returns false like bidiagonalVectors.
func sortedVectors(d, e, left, right []float64) bool {
	n := len(d)
	var sides [2]blas.Matrix[float64]
	for i, data := range [][]float64{left, right} {
		if data == nil {
			data = make([]float64, n*n)
		}
		clear(data)
		sides[i] = blas.Matrix[float64]{Data: data, LD: n}
	}
	ok := bidiagonalVectors(d, e, sides[0], sides[1])
	sortColumns(d, descending, sides[0], sides[1])
	return ok
}

// Gesvdj computes singular values and vectors like Gesvd, by Jacobi's method for A^H A, or for A A^H if m < n: it
// rotates columns of A until their products are at most abstol times the products of their norms, or most sweeps are
// done. Products of rounding errors remain. The residual is computed from A^H A.
func Gesvdj[T blas.Number](
	m, n int, a blas.Matrix[T], abstol float64, most int, s []float64, to Vectors[T],
) Sweeps {
	done := Sweeps{math.NaN(), 0, 1}
	scale := scaledSVD(m, n, a, s, to, func(m, n int, a blas.Matrix[T], to Vectors[T]) bool {
		done = gesvdj(m, n, a, abstol, most, s, to)
		return done.Info == 0
	})
	done.Residual *= scale * scale
	return done
}

// gesvdj is Gesvdj for m >= n.
func gesvdj[T blas.Number](
	m, n int, a blas.Matrix[T], abstol float64, most int, s []float64, to Vectors[T],
) Sweeps {
	w, p := blas.NewMatrix[T](m, n), blas.NewMatrix[T](n, n)
	blas.CopyMatrix(m, n, a, w)
	blas.SetIdentity(n, n, p)
	done := orthogonalize(m, n, w, p, toleranceOf[T](abstol), most)
	for j := range n {
		s[j] = norm(w, j, m)
	}
	sortColumns(s[:n], descending, p, w)
	for j, v := range s[:n] {
		if isTiny[T](v) { // a reflection would not be unitary
			clear(w.Data[j*m:][:m])
		}
	}
	tau := make([]T, n)
	Factor(QR, m, n, w, tau) // the left vectors are orthonormal even for columns of zeros
	for j := range n {
		if blas.Real(w.At(j, j)) < 0 {
			multiplyAll(blas.FromReal[T](-1), p.Data[j*n:][:n])
		}
	}
	if to.Left > 0 {
		blas.SetIdentity(m, to.Left, to.U)
		Multiply(QR, blas.Left, blas.None, m, to.Left, n, w, tau, to.U)
	}
	if to.Right > 0 {
		copyAdjoint(n, n, p, to.V)
	}
	return done
}

// norm returns the norm of the first m elements of a column.
func norm[T blas.Number](a blas.Matrix[T], column, m int) float64 {
	return blas.Nrm2(blas.Vector[T]{Data: a.Data[column*a.LD:], N: m, Inc: 1}, 0, m)
}

// orthogonalize rotates the columns of W, m x n, and in the same way the columns of P, n x n.
func orthogonalize[T blas.Number](m, n int, w, p blas.Matrix[T], tolerance float64, most int) (done Sweeps) {
	small := max(tolerance, epsilonOf[T]()*float64(m))
	least := 0.0 // the norm up to which columns of a singular matrix are rounding errors
	for j := range n {
		least = max(least, epsilonOf[T]()*float64(m)*norm(w, j, m))
	}
	pairs := newBlockPairs[T](n)
	rotated := n > 1
	for done.Count < most && rotated {
		rotated = false
		pairs.sweep(func(first bool) {
			blas.Parallel(blas.Threads(), len(pairs.list), func(i int) {
				pairs.list[i].orthogonalize(first, m, n, w, p, small, least)
			})
			rotated = rotated || slices.ContainsFunc(pairs.list, func(b blockPair[T]) bool { return b.rotated })
		})
		done.Count++
	}
	products := blas.NewMatrix[T](n, n)
	blas.Gemm(blas.ConjTrans, blas.None, n, n, m, 1, w, w, 0, products)
	off, diagonal := norms(n, products)
	done.Residual = off
	if rotated && off > small*math.Hypot(off, diagonal) {
		done.Info = 1
	}
	return done
}

// orthogonalize rotates columns of the blocks whose products are more than small times the product of their norms, and
// more than the square of least.
func (b *blockPair[T]) orthogonalize(first bool, m, n int, w, p blas.Matrix[T], small, least float64) {
	k := b.order()
	blas.WithScratch(m*k, func(memory []T) {
		x := b.columnsOf(m, w, memory)
		blas.Gemm(blas.ConjTrans, blas.None, k, k, m, 1, x, x, 0, b.m)
		b.norms = b.norms[:0]
		for i := range k {
			b.norms = append(b.norms, math.Sqrt(max(blas.Real(b.m.At(i, i)), 0)))
		}
		if b.rotate(first, least*least, small); b.rotated {
			b.storeProduct(m, x, w)
			b.rotateAll(n, p)
		}
	})
}
