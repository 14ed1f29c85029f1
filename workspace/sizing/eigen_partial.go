package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var eigenPartialRules = map[routine.FamilyID]rule{
	routine.Syevx:  standardPartial,
	routine.Syevdx: standardPartial,
	routine.Sygvx:  generalPartial,
	routine.Sygvdx: generalPartial,
}

// partialSpectrum is the memory of syevx, which syevdx shares.
type partialSpectrum struct {
	scalars, work1, work2, work3, work4, work5, work6  amount
	diagonal, other, blocks, ends, tau, splitsOrArrays amount
}

// partialEigenvalues is what syevx and syevdx have in common: sytrd and the tridiagonal matrix.
func (r *reflections) partialEigenvalues(n int64) partialSpectrum {
	b, reals := r.tridiagonalInPlace(n), product(r.real, n, r.batch)
	return partialSpectrum{scalars: b.scalars, work1: b.work, work2: b.norms, work3: b.tau, splitsOrArrays: b.pointers,
		diagonal: reals, other: reals, tau: product(r.element, n, r.batch)}
}

// transform adds ormtr, which transforms eigenvectors of the tridiagonal matrix back.
func (s *partialSpectrum) transform(r *reflections, n int64) {
	p := r.multiply(leftSide, n, n, n)
	s.work1, s.work2, s.work3 = larger(s.work1, p.applied), larger(s.work2, p.diagonal), larger(s.work3, p.triangle)
}

// bisect adds stebz, which is sized with complex numbers for a complex matrix, and stein for vectors.
func (s *partialSpectrum) bisect(r *reflections, vectors bool, n int64) {
	integers := product(4, n, r.batch)
	s.work1, s.work2 = larger(s.work1, integers), larger(s.work2, product(r.element, r.batch))
	s.work3 = larger(s.work3, product(r.element, n-1, r.batch))
	s.work4 = product(r.element, 2, r.batch)
	s.work5, s.work6 = product(r.element, 4, n, r.batch), product(4, 4, n, r.batch)
	if vectors {
		s.work1, s.work2 = larger(s.work1, product(r.real, 5, n, r.batch)), larger(s.work2, integers)
	}
	s.blocks, s.ends = integers, integers
	s.splitsOrArrays = larger(s.splitsOrArrays, product(4, r.batch))
}

// byBisection is syevx (roclapack_syevx_heevx.hpp).
func (r *reflections) byBisection(vectors bool, n int64) partialSpectrum {
	s := r.partialEigenvalues(n)
	s.bisect(r, vectors, n)
	if vectors {
		s.transform(r, n)
	}
	return s
}

// byDivision is syevdx: bisection of a small matrix or without vectors, otherwise stedcx
// (roclapack_syevdx_heevdx.hpp). ormtr is sized even if only eigenvalues are computed.
func (r *reflections) byDivision(vectors bool, n int64) partialSpectrum {
	s := r.partialEigenvalues(n)
	s.transform(r, n)
	if !vectors || n < smallestDivided {
		s.bisect(r, vectors, n)
		return s
	}
	square := signed32(n * n * r.batch).times(r.real)
	s.work1 = larger(s.work1, unsigned32(4*n+2).times(r.real).times(r.batch))
	if r.element != r.real {
		s.work1 = larger(s.work1, square)
	}
	s.work2 = larger(s.work2, product(r.real, 2, n, r.batch))
	s.work3, s.work4 = larger(s.work3, square), signed32(2*n*n*r.batch).times(r.real)
	s.work5, s.work6 = unsigned32(3*n).times(r.real).times(r.batch), unsigned32(5*n+2).times(4).times(r.batch)
	return s
}

func (s *partialSpectrum) addTo(list *Buffers) {
	list.add(buffer.EigenWork5, s.work5)
	list.add(buffer.EigenWork6, s.work6)
	list.add(buffer.TridiagonalDiagonal, s.diagonal)
	list.add(buffer.TridiagonalSubdiagonal, s.other)
	list.add(buffer.BlockMap, s.blocks)
	list.add(buffer.SplitMap, s.ends)
	list.add(buffer.EigenScalars, s.tau)
	list.add(buffer.Pointers, s.splitsOrArrays)
}

// partialSpectrum returns the memory of the eigenvalue problem in a call.
func (r *reflections) partialSpectrum(a *routine.Args) partialSpectrum {
	vectors := a.Int(routine.Evect) == routine.EvectOriginal
	switch a.Routine.Family.ID {
	case routine.Syevdx, routine.Sygvdx, routine.SyevdxInPlace, routine.SygvdxInPlace:
		return r.byDivision(vectors, a.Int(routine.N))
	}
	return r.byBisection(vectors, a.Int(routine.N))
}

// standardPartial is syevx and syevdx.
func standardPartial(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	if a.Int(routine.N) == 0 || r.batch == 0 {
		return d
	}
	s := r.partialSpectrum(a)
	g := generalized{scalars: s.scalars, work1: s.work1, work2: s.work2, work3: s.work3, work4: s.work4}
	g.addTo(&d.Optimal)
	s.addTo(&d.Optimal)
	return d
}

// generalPartial is sygvx and sygvdx (roclapack_sygvx_hegvx.hpp, roclapack_sygvdx_hegvdx.hpp).
func generalPartial(t *Target, a *routine.Args) (d Demand) {
	r, n := reflectionsOf(t, a), a.Int(routine.N)
	if n == 0 || r.batch == 0 {
		return d
	}
	g, s := r.generalized(t, a, n), r.partialSpectrum(a)
	g.share(s.work1, s.work2, s.work3, s.work4)
	g.backsolve(t, a, n)
	g.addTo(&d.Optimal)
	s.addTo(&d.Optimal)
	d.Optimal.add(buffer.PanelInfo, g.info)
	return d
}
