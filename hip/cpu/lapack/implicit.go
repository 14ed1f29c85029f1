package lapack

import (
	"math"

	"roclua/hip/cpu/blas"
)

// The iteration on tridiagonal matrices, with vectors. That of gonum rotates vectors that are stored by rows, element
// by element of their columns, which takes 50 times as long for large matrices.

// sweepsOfElement is the number of sweeps for each element of a diagonal after which the iteration ends.
const sweepsOfElement = 30

// implicitQL replaces d by the eigenvalues, in any order, of the tridiagonal matrix with the diagonal d and the other
// diagonal e, and multiplies v with the eigenvectors. The elements of e become zero, except for those that do not
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
