package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// multiplication is the memory of ormqr and its relatives.
type multiplication struct{ scalars, applied, diagonal, triangle, pointers amount }

// multiply is ormqr, ormql and ormlq with k reflections (rocauxiliary_ormqr_unmqr.hpp).
func (r *reflections) multiply(s sides, m, n, k int64) (p multiplication) {
	if m == 0 || n == 0 || k == 0 || r.batch == 0 {
		return p
	}
	p = multiplication{scalars: r.scalars(), applied: r.apply(s, m, n), diagonal: product(r.element, r.batch),
		pointers: r.arrays}
	if k > reflectionBlock {
		p.applied = r.factor(max(m, n), reflectionBlock)
		p.diagonal = r.applyBlock(s, m, n, reflectionBlock)
		p.triangle = r.triangle()
	}
	return p
}

func (p *multiplication) demand() (d Demand) {
	d.Optimal.add(buffer.Scalars, p.scalars)
	d.Optimal.add(buffer.AppliedReflectionOrFactorWork, p.applied)
	d.Optimal.add(buffer.DiagonalOrBlockReflection, p.diagonal)
	d.Optimal.add(buffer.TriangularFactor, p.triangle)
	return d
}

func multiplyUnblocked(t *Target, a *routine.Args) (d Demand) {
	m, n := a.Int(routine.M), a.Int(routine.N)
	if m == 0 || n == 0 || a.Int(routine.K) == 0 {
		return d
	}
	r := reflectionsOf(t, a)
	d.Optimal.add(buffer.Scalars, r.scalars())
	d.Optimal.add(buffer.AppliedReflection, r.apply(sideOf(a), m, n))
	d.Optimal.add(buffer.Diagonal, product(r.element, r.batch))
	return d
}

func ormqr(t *Target, a *routine.Args) Demand { return multiplyBy(t, a, a.Int(routine.K)) }

// ormbr multiplies by at most as many reflections as Q has columns (rocauxiliary_ormbr_unmbr.hpp).
func ormbr(t *Target, a *routine.Args) Demand {
	return multiplyBy(t, a, min(orderOfQ(a), a.Int(routine.K)))
}

// ormtr is ormqr or ormql with all reflections (rocauxiliary_ormtr_unmtr.hpp).
func ormtr(t *Target, a *routine.Args) (d Demand) {
	r, s, k := reflectionsOf(t, a), sideOf(a), orderOfQ(a)
	m, n := a.Int(routine.M), a.Int(routine.N)
	p := r.multiply(s, m, n, k)
	if k <= reflectionBlock || t.Release.GeqrfWithoutSolve || m == 0 || n == 0 {
		return p.demand()
	}
	w := r.solveWithFactor(t, s, m, n)
	d.Optimal.add(buffer.Scalars, p.scalars)
	d.Optimal.add(buffer.ReflectionOrSolve, larger(p.applied, w.x))
	d.Optimal.add(buffer.InvertedBlocks, w.inverse)
	d.Optimal.add(buffer.DiagonalOrBlockReflection, p.diagonal)
	d.Optimal.add(buffer.TriangularFactor, p.triangle)
	return d
}

// solveWithFactor is the solve with the triangular factor by which newer releases apply a block of reflections to an
// m x n matrix, with sizes of 32 bits (rocauxiliary_larfb.hpp).
func (r *reflections) solveWithFactor(t *Target, s sides, m, n int64) solveBuffers {
	m, n = int64(int32(m)), int64(int32(n))
	if m == 0 || n == 0 {
		return solveBuffers{}
	}
	w := triangular{left: s == leftSide, none: true, m: reflectionBlock, n: n, element: r.element,
		batch: int64(int32(r.batch))}
	if s == rightSide {
		w.m, w.n = offMultiple(m), reflectionBlock
	}
	if t.Release.SolveSizedByTrsm {
		return w.sizeOfTrsm(t)
	}
	return w.solveBound()
}

func multiplyBy(t *Target, a *routine.Args, k int64) Demand {
	r := reflectionsOf(t, a)
	p := r.multiply(sideOf(a), a.Int(routine.M), a.Int(routine.N), k)
	return p.demand()
}

// orderOfQ returns the order of the orthogonal matrix that multiplies C.
func orderOfQ(a *routine.Args) int64 {
	if sideOf(a) == leftSide {
		return a.Int(routine.M)
	}
	return a.Int(routine.N)
}
