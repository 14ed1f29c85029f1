package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var svdPartialRules = map[routine.FamilyID]rule{
	routine.Bdsvdx: bdsvdx,
	routine.Gesvdx: gesvdx,
}

// bisection is the memory of bdsvdx, which computes eigenvalues and eigenvectors of a tridiagonal matrix of twice the
// order by stebz and stein.
type bisection struct {
	counts, work, squares, bounds, intervals, numbers amount // of stebz and stein
	blocks, blockMap, splits                          amount
	diagonal, other, values                           amount
}

// bisect is bdsvdx for matrices of order n (rocauxiliary_bdsvdx.hpp). The order of stebz and stein is computed in 32
// bits, with or without a sign.
func (r *reflections) bisect(n int64, in32Bits func(int64) amount) (b bisection) {
	if n == 0 || r.batch == 0 {
		return b
	}
	order := in32Bits(2 * n).times(r.batch)
	indices, reals := product(4, 2, n, r.batch), product(r.real, 2, n, r.batch)
	return bisection{
		counts: order.times(4), work: order.times(5).times(r.real),
		squares: in32Bits(2*n - 1).times(r.real).times(r.batch), bounds: product(r.real, 2, r.batch),
		intervals: order.times(4).times(r.real), numbers: order.times(4).times(4),
		blocks: product(4, r.batch), blockMap: indices, splits: indices,
		diagonal: reals, other: reals, values: reals,
	}
}

func bdsvdx(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	b := r.bisect(a.Int(routine.N), unsigned32)
	d.Optimal.add(buffer.BisectionCounts, b.counts)
	d.Optimal.add(buffer.EigenWork1, b.work)
	d.Optimal.add(buffer.BisectionSquares, b.squares)
	d.Optimal.add(buffer.BisectionBounds, b.bounds)
	d.Optimal.add(buffer.BisectionIntervals, b.intervals)
	d.Optimal.add(buffer.BisectionNumbers, b.numbers)
	d.Optimal.add(buffer.BlockCount, b.blocks)
	d.Optimal.add(buffer.BlockMap, b.blockMap)
	d.Optimal.add(buffer.SplitMap, b.splits)
	d.Optimal.add(buffer.TridiagonalDiagonal, b.diagonal)
	d.Optimal.add(buffer.TridiagonalSubdiagonal, b.other)
	d.Optimal.add(buffer.SingularValues, b.values)
	return d
}

// partialDecomposition is the memory of gesvdx, whose steps share it.
type partialDecomposition struct {
	reflections
	bisection
	m, n, k, found int64
	narrow         bool
	pointers       amount
}

// gesvdx reduces the matrix to bidiagonal form, a long or wide one after a QR or LQ factorization, and multiplies the
// vectors of the bidiagonal matrix (roclapack_gesvdx.hpp).
func gesvdx(t *Target, a *routine.Args) (d Demand) {
	m, n := a.Int(routine.M), a.Int(routine.N)
	if m == 0 || n == 0 || a.Batch() == 0 {
		return d
	}
	v := partialDecomposition{reflections: reflectionsOf(t, a), m: m, n: n, k: min(m, n)}
	v.narrow = isNarrow(m, n)
	v.found = v.k
	if a.Int(routine.Srange) == routine.SrangeIndex {
		v.found = a.Int(routine.UpperIndex) - a.Int(routine.LowerIndex) + 1
	}
	v.bisection = v.bisect(v.k, signed32)
	order := signed32(2 * v.k)
	v.reduce()
	long := v.vectors(a)
	tau, factor, arrays := zero, zero, zero
	if v.narrow {
		tau, factor = product(v.element, v.k, v.batch), unsigned32(v.k*v.k).times(v.element).times(v.batch)
		if long {
			arrays = v.arrays
		}
	}
	d.Optimal.add(buffer.Scalars, v.scalars())
	d.Optimal.add(buffer.BisectionCounts, v.counts)
	d.Optimal.add(buffer.EigenWork1, v.work)
	d.Optimal.add(buffer.EigenWork2, v.squares)
	d.Optimal.add(buffer.EigenWork3, v.bounds)
	d.Optimal.add(buffer.EigenWork4, v.intervals)
	d.Optimal.add(buffer.BisectionNumbers, v.numbers)
	d.Optimal.add(buffer.BlockCount, v.blocks)
	d.Optimal.add(buffer.BlockMap, v.blockMap)
	d.Optimal.add(buffer.SplitMap, v.splits)
	d.Optimal.add(buffer.EigenWork5, v.diagonal)
	d.Optimal.add(buffer.EigenWork6, v.other)
	d.Optimal.add(buffer.TriangularFactor, v.values)
	d.Optimal.add(buffer.BidiagonalForm, order.times(v.real).times(v.batch))
	d.Optimal.add(buffer.BidiagonalScalars, order.times(v.element).times(v.batch))
	d.Optimal.add(buffer.SingularVectors, signed32(2*v.k*v.found).times(v.real).times(v.batch))
	d.Optimal.add(buffer.EigenScalars, tau)
	d.Optimal.add(buffer.MatrixCopy, factor)
	d.Optimal.add(buffer.Pointers, v.pointers)
	d.Optimal.add(buffer.MatrixCopyPointers, arrays)
	return d
}

// reduce adds gebrd, and the factorization of a narrow matrix.
func (v *partialDecomposition) reduce() {
	r, m, n := v.reflections, v.m, v.n
	if v.narrow {
		f := v.qrOrLQ(m, n)
		v.use(f.work, f.applied, f.diagonal)
		v.pointers = f.pointers
		m, n, r.arrays = v.k, v.k, zero // the triangle is a copy
	}
	b := r.bidiagonal(m, n)
	v.use(b.work, b.applied, b.x)
	v.intervals = larger(v.intervals, b.y)
}

func (v *partialDecomposition) use(work, applied, x amount) {
	v.work, v.squares, v.bounds = larger(v.work, work), larger(v.squares, applied), larger(v.bounds, x)
}

// vectors adds the products with the reflections of gebrd and, for the vectors of the longer side of a narrow matrix,
// with the reflections of the factorization. It reports whether there are such vectors.
func (v *partialDecomposition) vectors(a *routine.Args) (long bool) {
	r, row := v.reflections, v.m >= v.n
	m, n := v.m, v.n
	if v.narrow {
		m, n, r.arrays = v.k, v.k, zero
	}
	if a.Int(routine.LeftSvect) == routine.SvectSingular {
		v.multiplyBy(r.multiply(leftSide, m, v.found, min(m, v.k)))
		if long = row; v.narrow && long {
			v.multiplyBy(v.multiply(leftSide, v.m, v.found, v.k))
		}
	}
	if a.Int(routine.RightSvect) == routine.SvectSingular {
		v.multiplyBy(r.multiply(rightSide, v.found, n, min(n, v.k)))
		if long = long || !row; v.narrow && !row {
			v.multiplyBy(v.multiply(rightSide, v.found, v.n, v.k))
		}
	}
	return long
}

func (v *partialDecomposition) multiplyBy(p multiplication) {
	v.diagonal, v.other = larger(v.diagonal, p.applied), larger(v.other, p.diagonal)
	v.values, v.pointers = larger(v.values, p.triangle), larger(v.pointers, p.pointers)
}
