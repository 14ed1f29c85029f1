package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var orthogonalRules = map[routine.FamilyID]rule{
	routine.Org2r: generateUnblocked,
	routine.Org2l: generateUnblocked,
	routine.Orgl2: generateUnblocked,
	routine.Orgqr: orgqr,
	routine.Orgql: orgqr,
	routine.Orglq: orglq,
	routine.Orgbr: orgbr,
	routine.Orgtr: orgtr,
	routine.Orm2r: multiplyUnblocked,
	routine.Orm2l: multiplyUnblocked,
	routine.Orml2: multiplyUnblocked,
	routine.Ormqr: ormqr,
	routine.Ormql: ormqr,
	routine.Ormlq: ormqr,
	routine.Ormbr: ormbr,
	routine.Ormtr: ormtr,
}

// generation is the memory of orgqr and its relatives.
type generation struct{ scalars, work, applied, triangle, pointers amount }

func (g *generation) demand() (d Demand) {
	d.Optimal.add(buffer.Scalars, g.scalars)
	d.Optimal.add(buffer.FactorWork, g.work)
	d.Optimal.add(buffer.AppliedOrBlockReflection, g.applied)
	d.Optimal.add(buffer.TriangularFactor, g.triangle)
	return d
}

// generateColumns is orgqr and orgql: larfb updates the columns before the last block (rocauxiliary_orgqr_ungqr.hpp).
func (r *reflections) generateColumns(m, n, k int64) generation {
	return r.generateFrom(leftSide, m, n, m, n-reflectionBlock, k)
}

// generateRows is orglq. It sizes the block reflection as if applied from the left, to as many columns as Q has
// (rocauxiliary_orglq_unglq.hpp).
func (r *reflections) generateRows(m, n, k int64) generation {
	return r.generateFrom(rightSide, m, n, n, n, k)
}

// generateFrom makes the m x n matrix Q from k reflections of an order, which are applied from a side. A block of them
// is applied to a number of columns.
func (r *reflections) generateFrom(s sides, m, n, order, columns, k int64) (g generation) {
	if m == 0 || n == 0 || r.batch == 0 {
		return g
	}
	g = generation{scalars: r.scalars(), applied: r.apply(s, m, n), pointers: r.arrays}
	if k > reflectionUnblocked {
		g.work = r.factor(order, reflectionBlock)
		g.applied = larger(g.applied, r.applyBlock(leftSide, m, columns, reflectionBlock))
		g.triangle = r.triangle()
	}
	return g
}

// generateShifted makes a matrix of order n from n-1 reflections, which move by one column or row in a copy.
func (r *reflections) generateShifted(s sides, n int64) generation {
	k := n - 1
	g := r.generateColumns(k, k, k)
	if s == rightSide {
		g = r.generateRows(k, k, k)
	}
	g.work = larger(g.work, product(r.element, r.batch, k, n).half())
	return g
}

func generateUnblocked(t *Target, a *routine.Args) (d Demand) {
	m, n := a.Int(routine.M), a.Int(routine.N)
	if m == 0 || n == 0 {
		return d
	}
	s := leftSide
	if a.Routine.Family.ID == routine.Orgl2 {
		s = rightSide
	}
	r := reflectionsOf(t, a)
	d.Optimal.add(buffer.Scalars, r.scalars())
	d.Optimal.add(buffer.AppliedReflection, r.apply(s, m, n))
	return d
}

func orgqr(t *Target, a *routine.Args) Demand {
	r := reflectionsOf(t, a)
	g := r.generateColumns(a.Int(routine.M), a.Int(routine.N), a.Int(routine.K))
	return g.demand()
}

func orglq(t *Target, a *routine.Args) Demand {
	r := reflectionsOf(t, a)
	g := r.generateRows(a.Int(routine.M), a.Int(routine.N), a.Int(routine.K))
	return g.demand()
}

func orgbr(t *Target, a *routine.Args) Demand {
	r := reflectionsOf(t, a)
	g := r.generateBidiagonal(a.Int(routine.Storev), a.Int(routine.M), a.Int(routine.N), a.Int(routine.K))
	return g.demand()
}

// generateBidiagonal is orgbr: orgqr or orglq, of one order less if the reflections move
// (rocauxiliary_orgbr_ungbr.hpp).
func (r *reflections) generateBidiagonal(storev, m, n, k int64) generation {
	switch {
	case m == 0 || n == 0 || r.batch == 0:
		return generation{}
	case storev == routine.StorevColumns && m >= k:
		return r.generateColumns(m, n, k)
	case storev == routine.StorevColumns:
		return r.generateShifted(leftSide, m)
	case n > k:
		return r.generateRows(m, n, k)
	}
	return r.generateShifted(rightSide, n)
}

// orgtr is orgqr or orgql of one order less (rocauxiliary_orgtr_ungtr.hpp).
func orgtr(t *Target, a *routine.Args) Demand {
	r := reflectionsOf(t, a)
	g := r.generateTridiagonal(a.Int(routine.N))
	return g.demand()
}

func (r *reflections) generateTridiagonal(n int64) generation {
	if n == 0 || r.batch == 0 {
		return generation{}
	}
	return r.generateShifted(leftSide, n)
}

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
