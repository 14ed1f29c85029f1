package sizing

import (
	"math/bits"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var tridiagonalRules = map[routine.FamilyID]rule{
	routine.Sytrd: sytrd,
	routine.Sytd2: sytd2,
	routine.Latrd: latrd,
	routine.Sterf: sterf,
	routine.Steqr: steqr,
	routine.Stedc: stedc,
	routine.Stebz: stebz,
	routine.Stein: stein,
}

// Columns of a panel of sytrd, and the order from which on it uses panels (ideal_sizes.hpp).
const (
	tridiagonalPanel     = 64
	tridiagonalUnblocked = 256
)

// tridiagonalization is the memory of sytrd.
type tridiagonalization struct{ scalars, work, norms, tau, pointers amount }

// tridiagonalColumns is latrd, and most of sytd2 (rocauxiliary_latrd.hpp, roclapack_sytd2_hetd2.hpp).
func (r *reflections) tridiagonalColumns(n int64) (b tridiagonalization) {
	if n == 0 || r.batch == 0 {
		return b
	}
	b.scalars = r.scalars()
	work, _ := r.make(n)
	b.work = larger(larger(work, r.partialSums(n)), product(r.element, ceilDiv(n, 64), n, r.batch))
	b.norms = product(r.element, r.batch)
	return b
}

// tridiagonalUnblocked is sytd2 (roclapack_sytd2_hetd2.hpp).
func (r *reflections) tridiagonalUnblocked(n int64) tridiagonalization {
	b := r.tridiagonalColumns(n)
	if n > 0 {
		b.tau, b.pointers = product(r.element, r.batch), r.arrays
	}
	return b
}

// tridiagonal is sytrd. It keeps a copy of the triangle that it must not change. Beyond order 256 it works in panels
// and adds up products of blocks of four rows (roclapack_sytrd_hetrd.hpp).
func (r *reflections) tridiagonal(n int64) tridiagonalization {
	b := r.tridiagonalInPlace(n)
	b.work = b.work.plus(product(r.element, n, n, r.batch))
	return b
}

// tridiagonalInPlace is sytrd without the copy.
func (r *reflections) tridiagonalInPlace(n int64) tridiagonalization {
	b := r.tridiagonalUnblocked(n)
	if n > tridiagonalUnblocked {
		b.norms = product(r.element, n+tridiagonalPanel, ceilDiv(n, 4), r.batch)
		b.tau = larger(b.tau, unsigned32(n*tridiagonalPanel).times(r.element).times(r.batch))
		b.pointers = r.arrays.times(2)
	}
	return b
}

func latrd(t *Target, a *routine.Args) (d Demand) {
	if a.Int(routine.K) == 0 {
		return d
	}
	r := reflectionsOf(t, a)
	b := r.tridiagonalColumns(a.Int(routine.N))
	b.addTo(&d.Optimal)
	return d
}

func sytd2(t *Target, a *routine.Args) Demand {
	r := reflectionsOf(t, a)
	b := r.tridiagonalUnblocked(a.Int(routine.N))
	return b.demand()
}

func sytrd(t *Target, a *routine.Args) Demand {
	r := reflectionsOf(t, a)
	b := r.tridiagonal(a.Int(routine.N))
	return b.demand()
}

func (b *tridiagonalization) demand() (d Demand) {
	b.addTo(&d.Optimal)
	d.Optimal.add(buffer.ScalarReflection, b.tau)
	d.Optimal.add(buffer.ReflectionPointers, b.pointers)
	return d
}

func (b *tridiagonalization) addTo(list *Buffers) {
	list.add(buffer.Scalars, b.scalars)
	list.add(buffer.ReflectionOrProduct, b.work)
	list.add(buffer.ReflectionNorms, b.norms)
}

// stackedNumbers are the numbers in the stack of sterf.
const stackedNumbers = 64

// eigenStack is the stack of sterf, or the rotations of steqr (rocauxiliary_sterf.hpp, rocauxiliary_steqr.hpp).
func (r *reflections) eigenStack(vectors bool, n int64) amount {
	switch {
	case n == 0 || r.batch == 0:
		return zero
	case vectors:
		return product(r.real, 2, n, r.batch)
	}
	return product(4, stackedNumbers, r.batch)
}

func sterf(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	d.Optimal.add(buffer.EigenStack, r.eigenStack(false, a.Int(routine.N)))
	return d
}

func steqr(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	d.Optimal.add(buffer.EigenStack, r.eigenStack(a.Int(routine.Evect) != routine.EvectNone, a.Int(routine.N)))
	return d
}

// smallestDivided is the order from which on divide and conquer replaces QR iterations, Jacobi's method and bisection
// (ideal_sizes.hpp).
const smallestDivided = 16

// division is the memory of stedc.
type division struct{ vectors, products, stack, rankOne, splits, pointers amount }

// divide is stedc of order n for a job: sterf without vectors, steqr of a small matrix, otherwise divide and conquer
// (rocauxiliary_stedc.hpp).
func (r *reflections) divide(t *Target, job, n int64) (d division) {
	if n <= 1 || r.batch == 0 {
		return d
	}
	d.stack = r.eigenStack(job != routine.EvectNone, n)
	if job == routine.EvectNone || n < smallestDivided {
		return d
	}
	square := unsigned32(n * n).times(r.real).times(r.batch)
	if job == routine.EvectOriginal {
		d.vectors = square
	}
	if t.Release.StedcKeepsFewArrays {
		d.products = square.times(2)
		d.rankOne = product(r.real, 2, n, r.batch)
		d.splits = unsigned32(5*n + 2).times(4).times(r.batch)
		return d
	}
	d.products = unsigned32(2 * n * n).times(r.real).times(r.batch)
	d.rankOne = unsigned32(10 * n).times(r.real).times(r.batch)
	d.splits = unsigned32(13 * n).times(4).times(r.batch)
	d.pointers = product(8, max(3*merges(n), r.batch))
	return d
}

// merges returns the merges of blocks of the first level of stedc: half the blocks, which have at most 16 rows.
func merges(n int64) int64 {
	if n <= smallestDivided {
		return 0
	}
	return int64(1) << (bits.Len64(uint64(n-1)) - 5)
}

func stedc(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	s := r.divide(t, a.Int(routine.Evect), a.Int(routine.N))
	d.Optimal.add(buffer.EigenStack, s.stack)
	d.Optimal.add(buffer.DividedVectors, s.vectors)
	d.Optimal.add(buffer.DividedProducts, s.products)
	d.Optimal.add(buffer.RankOneUpdate, s.rankOne)
	d.Optimal.add(buffer.SplitMap, s.splits)
	d.Optimal.add(buffer.Pointers, s.pointers)
	return d
}

// stebz is bisection (rocauxiliary_stebz.hpp).
func stebz(_ *Target, a *routine.Args) (d Demand) {
	n, real := a.Int(routine.N), a.Routine.Type.RealSize()
	if n == 0 {
		return d
	}
	d.Optimal.add(buffer.BisectionCounts, product(4, n))
	d.Optimal.add(buffer.BisectionPivots, product(real))
	d.Optimal.add(buffer.BisectionSquares, product(real, n-1))
	d.Optimal.add(buffer.BisectionBounds, product(real, 2))
	d.Optimal.add(buffer.BisectionIntervals, product(real, 4, n))
	d.Optimal.add(buffer.BisectionNumbers, product(4, 4, n))
	return d
}

// stein is inverse iteration (rocauxiliary_stein.hpp).
func stein(_ *Target, a *routine.Args) (d Demand) {
	n := a.Int(routine.N)
	d.Optimal.add(buffer.EigenStack, product(a.Routine.Type.RealSize(), 5, n))
	d.Optimal.add(buffer.BisectionCounts, product(4, n))
	return d
}
