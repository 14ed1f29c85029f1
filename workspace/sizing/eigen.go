package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var eigenRules = map[routine.FamilyID]rule{
	routine.Sygs2: sygs2,
	routine.Sygst: sygst,
	routine.Syev:  syev,
	routine.Syevj: syevj,
	routine.Sygv:  sygv,
	routine.Sygvj: sygvj,
}

const (
	standardBlock = 64 // of sygst
	jacobiSingle  = 58 // the order up to which syevj computes in one kernel
	jacobiBlock   = 32
)

// standardization is the memory of sygst.
type standardization struct {
	scalars, work, pointers, store, inverse amount
}

// standardUnblocked is sygs2 (roclapack_sygs2_hegs2.hpp).
func (r *reflections) standardUnblocked(form, n int64) (s standardization) {
	if n == 0 || r.batch == 0 {
		return s
	}
	s = standardization{scalars: r.scalars(), store: product(r.element, 3, r.batch), pointers: r.arrays}
	if form != routine.EformAx {
		s.work = product(r.element, n, r.batch)
	}
	return s
}

// standard is sygst, which solves with the blocks of the factor (roclapack_sygst_hegst.hpp). The solve with a block on
// the diagonal needs no memory: its order is small enough for rocSOLVER's own kernels.
func (r *reflections) standard(t *Target, a *routine.Args, n int64) standardization {
	form := a.Int(routine.Itype)
	if n < standardBlock || r.batch == 0 {
		return r.standardUnblocked(form, n)
	}
	s := r.standardUnblocked(form, standardBlock)
	if form != routine.EformAx {
		return s
	}
	w := reducedSolve(t, a, n-standardBlock, standardBlock)
	s.work, s.pointers = larger(s.work, w.x), larger(s.pointers, w.xPointers)
	s.store, s.inverse = larger(s.store, w.inverse), w.inversePointers
	return s
}

func (s *standardization) addTo(list *Buffers) {
	list.add(buffer.Scalars, s.scalars)
	list.add(buffer.EigenWork1, s.work)
	list.add(buffer.EigenWork2, s.pointers)
	list.add(buffer.EigenWork3, s.store)
}

func sygs2(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	s := r.standardUnblocked(a.Int(routine.Itype), a.Int(routine.N))
	s.addTo(&d.Optimal)
	return d
}

func sygst(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	s := r.standard(t, a, a.Int(routine.N))
	s.addTo(&d.Optimal)
	d.Optimal.add(buffer.EigenWork4, s.inverse)
	return d
}

// spectrum is the memory of syev.
type spectrum struct{ scalars, work, applied, triangle, tau, pointers amount }

// eigenvalues is syev: sytrd, then sterf, or orgtr and steqr (roclapack_syev_heev.hpp).
func (r *reflections) eigenvalues(vectors bool, n int64) (s spectrum) {
	if n <= 1 || r.batch == 0 {
		return s
	}
	b := r.tridiagonalInPlace(n)
	s = spectrum{scalars: b.scalars, work: b.work, applied: b.norms, triangle: b.tau, pointers: b.pointers,
		tau: product(r.element, n, r.batch)}
	if vectors {
		g := r.generateTridiagonal(n)
		s.work = larger(s.work, g.work)
		s.applied, s.triangle = larger(s.applied, g.applied), larger(s.triangle, g.triangle)
	}
	s.work = larger(s.work, r.eigenStack(vectors, n))
	return s
}

func syev(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	s := r.eigenvalues(a.Int(routine.Evect) == routine.EvectOriginal, a.Int(routine.N))
	d.Optimal.add(buffer.Scalars, s.scalars)
	d.Optimal.add(buffer.EigenWork1, s.work)
	d.Optimal.add(buffer.EigenWork2, s.applied)
	d.Optimal.add(buffer.EigenWork3, s.triangle)
	d.Optimal.add(buffer.EigenScalars, s.tau)
	d.Optimal.add(buffer.Pointers, s.pointers)
	return d
}

// jacobi is the memory of syevj.
type jacobi struct{ copied, rotations, norms, top, bottom, done amount }

// jacobiRotations is syevj (roclapack_syevj_heevj.hpp).
func (r *reflections) jacobiRotations(vectors bool, n int64) (j jacobi) {
	if n <= 1 || r.batch == 0 {
		return j
	}
	j.copied = product(r.element, n, n, r.batch)
	if n <= jacobiSingle {
		return j
	}
	blocks := ceilDiv(n, jacobiBlock)
	half := ceilDiv(blocks, 2)
	j.rotations = product(r.element, half*4*jacobiBlock*jacobiBlock, r.batch)
	if half == 1 && !vectors {
		j.rotations = product(r.element, blocks*jacobiBlock*jacobiBlock, r.batch)
	}
	j.norms = product(r.real, r.batch)
	j.top, j.bottom = product(4, half, r.batch), product(4, half, r.batch)
	j.done = product(4, r.batch+1)
	return j
}

func syevj(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	j := r.jacobiRotations(a.Int(routine.Evect) == routine.EvectOriginal, a.Int(routine.N))
	d.Optimal.add(buffer.MatrixCopy, j.copied)
	d.Optimal.add(buffer.JacobiRotations, j.rotations)
	d.Optimal.add(buffer.JacobiNorms, j.norms)
	d.Optimal.add(buffer.JacobiTop, j.top)
	d.Optimal.add(buffer.JacobiBottom, j.bottom)
	d.Optimal.add(buffer.JacobiDone, j.done)
	return d
}

// generalized is the memory of sygv and sygvj: potrf, sygst, the eigenvalue problem and a solve share it.
type generalized struct {
	scalars, work1, work2, work3, work4, pivots, info amount
}

func (r *reflections) generalized(t *Target, a *routine.Args, n int64) (g generalized) {
	solve := choleskySolve(t, a)
	g = generalized{scalars: product(3, r.element), work1: solve.x, work2: solve.xPointers, work3: solve.inverse,
		work4: solve.inversePointers, info: product(4, r.batch)}
	s := r.standard(t, a, n)
	g.share(s.work, s.pointers, s.store, s.inverse)
	return g
}

// share makes the work large enough for a further step.
func (g *generalized) share(work1, work2, work3, work4 amount) {
	g.work1, g.work2 = larger(g.work1, work1), larger(g.work2, work2)
	g.work3, g.work4 = larger(g.work3, work3), larger(g.work4, work4)
}

// backsolve adds the solve that transforms eigenvectors of the reduced problem back.
func (g *generalized) backsolve(t *Target, a *routine.Args, n int64) {
	if a.Int(routine.Evect) != routine.EvectOriginal || a.Int(routine.Itype) == routine.EformBax {
		return
	}
	w := reducedSolve(t, a, n, n)
	g.share(w.x, w.xPointers, w.inverse, w.inversePointers)
}

func (g *generalized) addTo(list *Buffers) {
	list.add(buffer.Scalars, g.scalars)
	list.add(buffer.EigenWork1, g.work1)
	list.add(buffer.EigenWork2, g.work2)
	list.add(buffer.EigenWork3, g.work3)
	list.add(buffer.EigenWork4, g.work4)
}

func sygv(t *Target, a *routine.Args) (d Demand) {
	r, n := reflectionsOf(t, a), a.Int(routine.N)
	if n == 0 || r.batch == 0 {
		return d
	}
	g := r.generalized(t, a, n)
	s := r.eigenvalues(a.Int(routine.Evect) == routine.EvectOriginal, n)
	g.share(s.work, s.applied, s.triangle, s.tau)
	g.backsolve(t, a, n)
	g.addTo(&d.Optimal)
	d.Optimal.add(buffer.EigenWork5, larger(g.pivots, s.pointers))
	d.Optimal.add(buffer.PanelInfo, g.info)
	return d
}

func sygvj(t *Target, a *routine.Args) (d Demand) {
	r, n := reflectionsOf(t, a), a.Int(routine.N)
	if n == 0 || r.batch == 0 {
		return d
	}
	g := r.generalized(t, a, n)
	j := r.jacobiRotations(a.Int(routine.Evect) == routine.EvectOriginal, n)
	g.share(j.copied, j.rotations, j.norms, j.top)
	work5 := larger(g.pivots, j.bottom)
	g.backsolve(t, a, n)
	if a.Int(routine.Evect) == routine.EvectOriginal && a.Int(routine.Itype) == routine.EformBax {
		work5 = larger(work5, r.arrays)
	}
	g.addTo(&d.Optimal)
	d.Optimal.add(buffer.EigenWork5, work5)
	d.Optimal.add(buffer.EigenWork6, j.done)
	d.Optimal.add(buffer.PanelInfo, g.info)
	return d
}
