package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

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
