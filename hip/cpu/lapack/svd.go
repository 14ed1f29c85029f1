package lapack

import (
	"math"
	"slices"

	"roclua/hip/cpu/blas"
)

// Vectors are the singular vectors that Gesvd and Gesvdj compute for A, m x n: the columns of U, m x Left, become the
// first left ones, the rows of V, Right x n, the first right ones, conjugated. Left is 0, min(m, n) or m, Right is 0,
// min(m, n) or n. Which vectors they are does not depend on rounding: see settle.
type Vectors[T blas.Number] struct {
	Left, Right int
	U, V        blas.Matrix[T]
}

// Gesvd replaces s by the min(m, n) singular values, descending, of A, m x n, and destroys A. e has min(m, n) elements
// and gets the other diagonal of the bidiagonal form, zero unless the iteration does not converge. It returns the
// number of elements that did not converge.
//
// If an element is not finite, all results are NaN and no element has converged.
func Gesvd[T blas.Number](m, n int, a blas.Matrix[T], s, e []float64, to Vectors[T]) (unconverged int) {
	k := min(m, n)
	clear(e[:k])
	scale := scaledSVD(m, n, a, s, to, func(m, n int, a blas.Matrix[T], to Vectors[T]) bool {
		unconverged = gesvd(m, n, a, s, e, to)
		return unconverged == 0
	})
	if scale == 0 {
		fill(math.NaN(), e[:k-1])
		return k - 1
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
		turned := Vectors[T]{to.Right, to.Left, newMatrix[T](n, to.Right), newMatrix[T](to.Left, m)}
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
	unconverged = bdsdc(n, s, e, ofLeft, ofRight)
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
	r := newMatrix[T](n, n)
	for j := range n {
		copy(r.Data[j*n:][:j+1], a.Data[j*a.LD:][:j+1])
	}
	left := min(to.Left, n)
	ofTriangle := Vectors[T]{left, to.Right, newMatrix[T](n, left), to.V}
	unconverged = gesvd(n, n, r, s, e, ofTriangle)
	if left > 0 {
		widen(m, n, to.Left, ofTriangle.U, to.U)
		Multiply(QR, blas.Left, blas.None, m, to.Left, n, a, tau, to.U)
	}
	return unconverged
}

// widen stores in U, m x left, a matrix of order n and to the right of and below it the identity.
func widen[T blas.Number](m, n, left int, from, u blas.Matrix[T]) {
	for j := range left {
		column := u.Data[j*u.LD:][:m]
		clear(column)
		if j < n {
			copy(column, from.Data[j*from.LD:][:n])
		} else {
			column[j] = 1
		}
	}
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
	x, y := newMatrix[T](m, min(n, bidiagonalWidth)), newMatrix[T](n, min(n, bidiagonalWidth))
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
	u, sums := newMatrix[T](n, k), make([]T, k)
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

// The iteration on bidiagonal matrices is LAPACK's algorithm, which computes small singular values to high relative
// precision. It rotates many columns of the vectors at once, which takes a tenth of the time of gonum's implementation.

// bidiagonal is a matrix with the diagonal d and the superdiagonal e, which the iteration makes zero.
type bidiagonal struct {
	d, e        []float64
	left, right *blas.Rotated // get the singular vectors, or are nil
	small       float64       // elements of e that are at most this become zero
}

const (
	// bidiagonalPrecision is the distance from 1 to the next number, halved.
	bidiagonalPrecision = 0x1p-53
	// bidiagonalTolerance is the relative error of singular values.
	bidiagonalTolerance = 100 * bidiagonalPrecision
	// bidiagonalSweeps is the number of sweeps over the matrix for each element of d after which the iteration ends.
	bidiagonalSweeps = 6
)

// newBidiagonal returns a matrix of order n, which is not zero. The largest elements should be near 1.
func newBidiagonal(d, e []float64, vectorsLeft, vectorsRight bool) *bidiagonal {
	n := len(d)
	b := &bidiagonal{d: d, e: e}
	least := math.Abs(d[0]) // a bound of the smallest singular value
	for i, reach := 1, least; i < n && least > 0; i++ {
		reach = nextReach(reach, e[i-1], d[i])
		least = min(least, reach)
	}
	b.small = max(bidiagonalTolerance*least/math.Sqrt(float64(n)), bidiagonalSweeps*float64(n*n)*0x1p-1022)
	if vectorsLeft {
		b.left = blas.NewRotated(n)
	}
	if vectorsRight {
		b.right = blas.NewRotated(n)
	}
	return b
}

// nextReach returns a bound of the smallest singular value of the rows up to one with the diagonal element d, from that
// of the rows before it and the element of e between them.
func nextReach(reach, e, d float64) float64 { return math.Abs(d) * (reach / (reach + math.Abs(e))) }

// iterate makes e zero, except for elements that do not converge, and d the singular values, in any order and with any
// signs.
func (b *bidiagonal) iterate() {
	rest := bidiagonalSweeps * len(b.d) * len(b.d)
	up, lastFirst, lastEnd := false, 0, -1
	for end := len(b.d) - 1; end > 0 && rest >= 0; {
		first, largest := b.connected(end)
		switch {
		case first == end:
			end--
		case first == end-1:
			b.solvePair(first)
			end -= 2
		default:
			if first > lastEnd || end < lastFirst { // rows that no sweep has changed: to the smaller end
				up = math.Abs(b.d[first]) < math.Abs(b.d[end])
			}
			if b.step(first, end, largest, up) {
				lastFirst, lastEnd = first, end
				rest -= end - first + 1
			}
		}
	}
}

// connected returns the first of the rows up to end between which e has no zeros, and their largest element.
func (b *bidiagonal) connected(end int) (first int, largest float64) {
	largest = math.Abs(b.d[end])
	for first = end; first > 0; first-- {
		size := math.Abs(b.e[first-1])
		if size <= b.small {
			b.e[first-1] = 0
			break
		}
		largest = max(largest, size, math.Abs(b.d[first-1]))
	}
	return first, largest
}

// solvePair computes the singular values of two rows.
func (b *bidiagonal) solvePair(first int) {
	smaller, larger, sinRight, cosRight, sinLeft, cosLeft := iterations.Dlasv2(b.d[first], b.e[first], b.d[first+1])
	b.d[first], b.e[first], b.d[first+1] = larger, 0, smaller
	setRotation(b.right.Sweep(true, first, 1), 0, cosRight, sinRight)
	setRotation(b.left.Sweep(true, first, 1), 0, cosLeft, sinLeft)
}

// step makes an element of e between the rows from first to end zero, if it is negligible. Otherwise it does a sweep,
// from the last row to the first if up is true, and returns true.
//
// The transposed matrix with its rows and columns in reverse order is of the same form, so there is one sweep.
func (b *bidiagonal) step(first, end int, largest float64, up bool) (swept bool) {
	d, e := b.d[first:end+1], b.e[first:end]
	right, left := b.right, b.left
	if up {
		reverse := func() {
			slices.Reverse(d)
			slices.Reverse(e)
		}
		reverse()
		defer reverse()
		right, left = left, right
	}
	smallest, ok := dropNegligible(d, e)
	if !ok {
		return false
	}
	ofColumns, ofRows := right.Sweep(!up, first, len(e)), left.Sweep(!up, first, len(e))
	if shift := shiftOf(len(b.d), d, e, smallest, largest); shift == 0 {
		sweepWithoutShift(d, e, ofColumns, ofRows)
	} else {
		sweepWithShift(d, e, shift, ofColumns, ofRows)
	}
	if last := &e[len(e)-1]; math.Abs(*last) <= b.small {
		*last = 0
	}
	return true
}

// dropNegligible makes an element of e zero if that changes no singular value by more than the tolerance. If there is
// none, ok is true, and smallest is about the smallest singular value.
func dropNegligible(d, e []float64) (smallest float64, ok bool) {
	last := len(e) - 1
	if math.Abs(e[last]) <= bidiagonalTolerance*math.Abs(d[last+1]) {
		e[last] = 0
		return 0, false
	}
	reach := math.Abs(d[0])
	smallest = reach
	for i, v := range e {
		if math.Abs(v) <= bidiagonalTolerance*reach {
			e[i] = 0
			return 0, false
		}
		reach = nextReach(reach, v, d[i+1])
		smallest = min(smallest, reach)
	}
	return smallest, true
}

// shiftOf returns the smaller singular value of the last two rows, or zero if a shift by it would change small singular
// values of the matrix of order n, or have no effect.
func shiftOf(n int, d, e []float64, smallest, largest float64) float64 {
	if float64(n)*bidiagonalTolerance*(smallest/largest) <= bidiagonalPrecision {
		return 0
	}
	last := len(e) - 1
	shift, _ := iterations.Dlas2(d[last], e[last], d[last+1])
	if ratio := shift / d[0]; ratio*ratio < bidiagonalPrecision {
		return 0
	}
	return shift
}

// sweepWithShift does a step of the QR iteration for the product of the transposed matrix and the matrix, with the
// square of a shift.
func sweepWithShift(d, e []float64, shift float64, ofColumns, ofRows []blas.Rotation) {
	f, g := (math.Abs(d[0])-shift)*(math.Copysign(1, d[0])+shift/d[0]), e[0]
	for i := range e {
		c, s, r := iterations.Dlartg(f, g)
		if i > 0 {
			e[i-1] = r
		}
		setRotation(ofColumns, i, c, s)
		f, e[i] = c*d[i]+s*e[i], c*e[i]-s*d[i]
		g, d[i+1] = s*d[i+1], c*d[i+1]
		c, s, d[i] = iterations.Dlartg(f, g)
		setRotation(ofRows, i, c, s)
		f, d[i+1] = c*e[i]+s*d[i+1], c*d[i+1]-s*e[i]
		if i+1 < len(e) {
			g, e[i+1] = s*e[i+1], c*e[i+1]
		}
	}
	e[len(e)-1] = f
}

// sweepWithoutShift is sweepWithShift for a shift of zero. It subtracts no numbers, so that the relative errors of all
// elements remain small.
func sweepWithoutShift(d, e []float64, ofColumns, ofRows []blas.Rotation) {
	last := len(e)
	c, cosRow, sinRow := 1.0, 1.0, 0.0
	for i := range e {
		var s, r float64
		c, s, r = iterations.Dlartg(d[i]*c, e[i])
		setRotation(ofColumns, i, c, s)
		if i > 0 {
			e[i-1] = sinRow * r
		}
		cosRow, sinRow, d[i] = iterations.Dlartg(cosRow*r, d[i+1]*s)
		setRotation(ofRows, i, cosRow, sinRow)
	}
	rest := d[last] * c
	d[last], e[last-1] = rest*cosRow, rest*sinRow
}

// setRotation stores a rotation unless the list is nil.
func setRotation(list []blas.Rotation, at int, c, s float64) {
	if list != nil {
		list[at] = blas.Rotation{C: c, S: s}
	}
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
	turned := right         // as in LAPACK, vectors of negative values change their signs on the right
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
			if turned != nil {
				multiplyAll(-1, turned[i*n:][:n])
			}
		}
	}
	sortColumns(d, descending, blas.Matrix[float64]{Data: left, LD: n}, blas.Matrix[float64]{Data: right, LD: n})
	multiplyAll(scale, d)
	multiplyAll(scale, e)
	return countNonzero(e)
}

// bdsdc is Bdsqr of a matrix whose other diagonal is above the diagonal, with the vectors of both sides or none. It
// computes vectors by divide and conquer, which is faster, but small singular values less precisely.
func bdsdc(n int, d, e []float64, left, right []float64) (unconverged int) {
	scale, ok := scaleOf(d[:n], e[:n-1])
	if !ok || left == nil {
		return Bdsqr(blas.Upper, n, d, e, left, right)
	}
	d, e = d[:n], e[:n-1]
	multiplyAll(1/scale, d)
	multiplyAll(1/scale, e)
	u, v := blas.Matrix[float64]{Data: left, LD: n}, blas.Matrix[float64]{Data: right, LD: n}
	if bidiagonalVectors(d, e, u, v) {
		clear(e)
	}
	sortColumns(d, descending, u, v)
	multiplyAll(scale, d)
	multiplyAll(scale, e)
	return countNonzero(e)
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
	w, p := newMatrix[T](m, n), newMatrix[T](n, n)
	blas.CopyMatrix(m, n, a, w)
	for i := range n {
		p.Set(i, i, 1)
	}
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
		widen(m, 0, to.Left, w, to.U)
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
	products := newMatrix[T](n, n)
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
