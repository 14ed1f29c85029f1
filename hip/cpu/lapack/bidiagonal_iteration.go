package lapack

import (
	"math"
	"slices"

	"roclua/hip/cpu/blas"
)

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
