package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var eigenDividedRules = map[routine.FamilyID]rule{
	routine.Syevd:  syevd,
	routine.Sygvd:  sygvd,
	routine.Syevdj: syevdj,
	routine.Sygvdj: sygvdj,
}

// dividedSpectrum is the memory of syevd, without its scalars.
type dividedSpectrum struct {
	work1, work2, work3, rankOne, splits, triangle, tau, pointers amount
}

// dividedEigenvalues is syevd: sytrd, then stedc, which is sized even if the device computes only eigenvalues, and
// ormtr (roclapack_syevd_heevd.hpp).
func (r *reflections) dividedEigenvalues(t *Target, vectors bool, n int64) (s dividedSpectrum) {
	if n <= 1 || r.batch == 0 {
		return s
	}
	b, v := r.tridiagonalInPlace(n), division{}
	if vectors || !t.HostSterf {
		v = r.divide(t, routine.EvectTridiagonal, n)
	}
	s = dividedSpectrum{
		work1: larger(b.work, v.products), work2: larger(b.norms, v.vectors), work3: v.stack,
		rankOne: v.rankOne, splits: v.splits,
		triangle: larger(b.tau, product(r.element, n, n, r.batch)), tau: product(r.element, n, r.batch),
		pointers: larger(v.pointers, r.arrays.times(2)),
	}
	if vectors {
		p := r.multiply(leftSide, n, n, n)
		s.work1, s.work2 = larger(s.work1, p.diagonal), larger(s.work2, p.applied)
		s.work3 = larger(s.work3, p.triangle)
	}
	return s
}

// spectrum is the solver of symmetric eigenvalues by division that a routine calls. syevd applies the inverse of the
// triangular factor of ormtr by a solve in newer releases. sygvd never does.
func (r *reflections) spectrum(t *Target, a *routine.Args, n int64) dividedSpectrum {
	id := a.Routine.Family.ID
	vectors := id == routine.Gesdd || a.Int(routine.Evect) == routine.EvectOriginal
	s := r.dividedEigenvalues(t, vectors, n)
	if id == routine.Syevd && vectors && n > reflectionBlock && !t.Release.GeqrfWithoutSolve {
		w := r.solveWithFactor(t, leftSide, n, n)
		s.work2, s.splits = larger(s.work2, w.x), larger(s.splits, w.inverse)
	}
	return s
}

func syevd(t *Target, a *routine.Args) (d Demand) {
	r, n := reflectionsOf(t, a), a.Int(routine.N)
	if n <= 1 || r.batch == 0 {
		return d
	}
	s := r.spectrum(t, a, n)
	d.Optimal.add(buffer.Scalars, r.scalars())
	d.Optimal.add(buffer.EigenWork1, s.work1)
	d.Optimal.add(buffer.EigenWork2, s.work2)
	d.Optimal.add(buffer.EigenWork3, s.work3)
	d.Optimal.add(buffer.RankOneUpdate, s.rankOne)
	d.Optimal.add(buffer.SplitMap, s.splits)
	d.Optimal.add(buffer.EigenWork4, s.triangle)
	d.Optimal.add(buffer.EigenScalars, s.tau)
	d.Optimal.add(buffer.Pointers, s.pointers)
	return d
}

func sygvd(t *Target, a *routine.Args) (d Demand) {
	r, n := reflectionsOf(t, a), a.Int(routine.N)
	if n == 0 || r.batch == 0 {
		return d
	}
	g, vectors := r.generalized(t, a, n), a.Int(routine.Evect) == routine.EvectOriginal
	if n > 1 && t.HostSterf && !vectors && !t.Release.StedcKeepsFewArrays {
		d.Unknown = "the library adds a number that it never sets, so the size is different in each process"
		return d
	}
	s := r.spectrum(t, a, n)
	g.share(s.work1, s.work2, s.work3, s.triangle)
	g.backsolve(t, a, n)
	g.addTo(&d.Optimal)
	d.Optimal.add(buffer.RankOneUpdate, s.rankOne)
	d.Optimal.add(buffer.SplitMap, s.splits)
	d.Optimal.add(buffer.EigenScalars, s.tau)
	d.Optimal.add(buffer.EigenWork5, larger(g.pivots, s.pointers))
	d.Optimal.add(buffer.PanelInfo, g.info)
	return d
}

// divideByJacobi is stedcj of order n: divide and conquer whose small blocks are solved by Jacobi's method
// (rocauxiliary_stedcj.hpp).
func (r *reflections) divideByJacobi(n int64) (d division) {
	square := signed32(n * n * r.batch).times(r.real)
	d.stack = unsigned32(n*n + 2).times(r.real).times(r.batch)
	if r.element != r.real {
		d.stack = larger(d.stack, square)
	}
	d.vectors, d.products = square, signed32(2*n*n*r.batch).times(r.real)
	d.splits = unsigned32(5*n + 2).times(4).times(r.batch)
	d.rankOne = product(r.real, 2, n, r.batch)
	return d
}

// dividedJacobi is the memory of syevdj.
type dividedJacobi struct {
	scalars, other, tau, copied, splits, work1, work2, work3, work4, pointers amount
}

// dividesByJacobi reports whether syevdj divides the problem.
func dividesByJacobi(vectors bool, n int64) bool { return vectors && n >= smallestDivided }

// dividedJacobiEigenvalues is syevdj: syevj of a small matrix or without vectors, otherwise sytrd, stedcj and ormtr
// (roclapack_syevdj_heevdj.hpp).
func (r *reflections) dividedJacobiEigenvalues(vectors bool, n int64) (s dividedJacobi) {
	if n <= 1 || r.batch == 0 {
		return s
	}
	if !dividesByJacobi(vectors, n) {
		j := r.jacobiRotations(vectors, n)
		return dividedJacobi{other: product(r.real, r.batch), tau: j.rotations, copied: j.copied,
			splits: product(4, r.batch), work1: j.norms, work2: j.top, work3: j.bottom, work4: j.done}
	}
	b, v, p := r.tridiagonalInPlace(n), r.divideByJacobi(n), r.multiply(leftSide, n, n, n)
	return dividedJacobi{
		scalars: b.scalars, other: product(r.real, n, r.batch), tau: product(r.element, n, r.batch),
		copied: product(r.element, n, n, r.batch), splits: v.splits,
		work1: larger(larger(b.work, v.stack), p.applied), work2: larger(larger(b.norms, v.vectors), p.diagonal),
		work3: larger(larger(b.tau, v.products), p.triangle), work4: v.rankOne, pointers: r.arrays.times(2),
	}
}

func syevdj(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	s := r.dividedJacobiEigenvalues(a.Int(routine.Evect) == routine.EvectOriginal, a.Int(routine.N))
	g := generalized{scalars: s.scalars, work1: s.work1, work2: s.work2, work3: s.work3, work4: s.work4}
	g.addTo(&d.Optimal)
	s.addTo(&d.Optimal)
	return d
}

func (s *dividedJacobi) addTo(list *Buffers) {
	list.add(buffer.TridiagonalSubdiagonal, s.other)
	list.add(buffer.EigenScalars, s.tau)
	list.add(buffer.MatrixCopy, s.copied)
	list.add(buffer.SplitMap, s.splits)
	list.add(buffer.Pointers, s.pointers)
}

func sygvdj(t *Target, a *routine.Args) (d Demand) {
	r, n := reflectionsOf(t, a), a.Int(routine.N)
	if n == 0 || r.batch == 0 {
		return d
	}
	g := r.generalized(t, a, n)
	s := r.dividedJacobiEigenvalues(a.Int(routine.Evect) == routine.EvectOriginal, n)
	g.share(s.work1, s.work2, s.work3, s.work4)
	g.backsolve(t, a, n)
	g.addTo(&d.Optimal)
	s.addTo(&d.Optimal)
	d.Optimal.add(buffer.PanelInfo, g.info)
	return d
}
