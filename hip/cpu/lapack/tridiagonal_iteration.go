package lapack

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/lapack/gonum"

	"roclua/hip/cpu/blas"
)

// The iteration on tridiagonal matrices, with vectors. gonum stores vectors by rows and rotates their columns element
// by element, which takes 50 times as long for large matrices.

// sweepsOfElement is the number of sweeps for each element of a diagonal after which the iteration ends.
const sweepsOfElement = 30

// implicitQL replaces d by the eigenvalues, in any order, of the tridiagonal matrix with the diagonal d and the other
// diagonal e, and multiplies v with the eigenvectors. The elements of e become zero, except elements that do not
// converge. The largest elements should be near 1.
func implicitQL(d, e []float64, v *blas.Rotated) {
	last := len(d) - 1
	sweeps := sweepsOfElement * len(d)
	for first := 0; first < last; {
		end := first
		for end < last && !negligible(d, e, end) {
			end++
		}
		if end < last {
			e[end] = 0
		}
		switch {
		case end == first:
			first++
		case sweeps == 0:
			return
		default:
			sweepQL(d[first:end+1], e[first:end], v, first)
			sweeps--
		}
	}
}

// negligible reports whether an element of e does not change the eigenvalues by more than rounding does.
func negligible(d, e []float64, at int) bool {
	const eps, smallest = 0x1p-53, 0x1p-1022
	return e[at]*e[at] <= eps*eps*math.Abs(d[at])*math.Abs(d[at+1])+smallest
}

// sweepQL does one step of the QL iteration, with the shift of Wilkinson, on a matrix whose e has no zeros. The
// rotations act on the columns of v from the one numbered first.
func sweepQL(d, e []float64, v *blas.Rotated, first int) {
	last := len(d) - 1
	ratio := (d[1] - d[0]) / (2 * e[0])
	bulge := d[last] - d[0] + e[0]/(ratio+math.Copysign(math.Hypot(ratio, 1), ratio))
	rotations := v.Sweep(false, first, last)
	c, s, moved := 1.0, 1.0, 0.0 // moved is what the diagonal lost so far
	for i := last - 1; i >= 0; i-- {
		below, across := s*e[i], c*e[i]
		size := math.Hypot(bulge, below)
		if i < last-1 {
			e[i+1] = size
		}
		if c, s = 1, 0; size > 0 {
			c, s = bulge/size, below/size
		}
		at := d[i+1] - moved
		change := (d[i]-at)*s + 2*c*across
		moved = s * change
		d[i+1] = at + moved
		bulge = c*change - across
		rotations[last-1-i] = blas.Rotation{C: c, S: s}
	}
	d[0] -= moved
	e[0] = bulge
}

// Without vectors, gonum iterates on real tridiagonal matrices: its variant without square roots takes half as long as
// implicitQL and is as accurate.
var iterations gonum.Implementation

// Block is the rows [From, To) of a tridiagonal matrix, which no element of the other diagonal connects to the rest.
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
