package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var qrRules = map[routine.FamilyID]rule{
	routine.Geqrf: geqrf,
	routine.Geqlf: geqlf,
	routine.Gelqf: rowsBlocked,
	routine.Gerqf: rowsBlocked,
	routine.Geqr2: geqr2,
	routine.Geql2: columnsUnblocked,
	routine.Gelq2: rowsUnblocked,
	routine.Gerq2: rowsUnblocked,
}

// orthogonalFactorization is the memory of a factorization like geqr2 and geqlf.
type orthogonalFactorization struct {
	scalars, work, applied, diagonal, pointers amount
	blocked                                    bool // by panels
}

// unblocked is geqr2 and its relatives: reflections of order length, applied from a side.
func (r *reflections) unblocked(s sides, m, n int64) (f orthogonalFactorization) {
	if m == 0 || n == 0 || r.batch == 0 {
		return f
	}
	length := m
	if s == rightSide {
		length = n
	}
	work, norms := r.make(length)
	return orthogonalFactorization{
		scalars:  r.scalars(),
		work:     larger(r.arrays, work),
		applied:  larger(r.apply(s, m, n), norms),
		diagonal: product(r.element, r.batch),
	}
}

// blocked is geqlf and its relatives by panels.
func (r *reflections) blocked(s sides, m, n int64) orthogonalFactorization {
	if m <= reflectionUnblocked || n <= reflectionUnblocked {
		return r.unblocked(s, m, n)
	}
	panelM, panelN, restM, restN, length := m, int64(reflectionBlock), m, n-reflectionBlock, m
	if s == rightSide {
		panelM, panelN, restM, restN, length = reflectionBlock, n, m-reflectionBlock, n, n
	}
	f := r.unblocked(s, panelM, panelN)
	f.work = larger(f.work, r.factor(length, reflectionBlock))
	f.applied = larger(f.applied, r.triangle())
	f.diagonal = larger(f.diagonal, r.applyBlock(s, restM, restN, reflectionBlock))
	f.pointers, f.blocked = r.arrays.times(2), true
	return f
}

func (f *orthogonalFactorization) demand() (d Demand) {
	d.Optimal.add(buffer.Scalars, f.scalars)
	if !f.blocked {
		d.Optimal.add(buffer.ReflectionOrPointers, f.work)
		d.Optimal.add(buffer.AppliedReflectionOrNorms, f.applied)
		d.Optimal.add(buffer.Diagonal, f.diagonal)
		return d
	}
	d.Optimal.add(buffer.ReflectionOrPanel, f.work)
	d.Optimal.add(buffer.TriangularFactor, f.applied)
	d.Optimal.add(buffer.BlockReflection, f.diagonal)
	d.Optimal.add(buffer.Pointers, f.pointers)
	return d
}

// unblockedQR is geqr2, which keeps the diagonal of R while it computes (roclapack_geqr2.hpp).
func (r *reflections) unblockedQR(m, n int64) orthogonalFactorization {
	f := r.unblocked(leftSide, m, n)
	f.diagonal = product(r.real, min(m, n), r.batch)
	return f
}

// qrOrLQ is geqrf of a tall matrix, without the solve of newer releases, and gelqf of a wide one.
func (r *reflections) qrOrLQ(m, n int64) orthogonalFactorization {
	switch {
	case m < n:
		return r.blocked(rightSide, m, n)
	case n <= reflectionUnblocked:
		return r.unblockedQR(m, n)
	}
	return r.blocked(leftSide, m, n)
}

func geqr2(t *Target, a *routine.Args) Demand {
	r := reflectionsOf(t, a)
	f := r.unblockedQR(a.Int(routine.M), a.Int(routine.N))
	return f.demand()
}

// columnsUnblocked is geql2, rowsUnblocked gelq2 and gerq2 (roclapack_geql2.hpp, roclapack_gelq2.hpp).
func columnsUnblocked(t *Target, a *routine.Args) Demand { return unblockedBy(t, a, leftSide) }
func rowsUnblocked(t *Target, a *routine.Args) Demand    { return unblockedBy(t, a, rightSide) }

func unblockedBy(t *Target, a *routine.Args, s sides) Demand {
	r := reflectionsOf(t, a)
	f := r.unblocked(s, a.Int(routine.M), a.Int(routine.N))
	return f.demand()
}

// geqrf is geqr2 while a side is at most 128, and works in panels beyond (roclapack_geqrf.hpp). Newer releases apply
// the inverse of the triangular factor of a panel by a solve.
func geqrf(t *Target, a *routine.Args) (d Demand) {
	r, m, n := reflectionsOf(t, a), a.Int(routine.M), a.Int(routine.N)
	if m <= reflectionUnblocked || n <= reflectionUnblocked {
		return geqr2(t, a)
	}
	f := r.blocked(leftSide, m, n)
	f.diagonal = larger(f.diagonal, r.unblockedQR(m, reflectionBlock).diagonal)
	if t.Release.GeqrfWithoutSolve {
		return f.demand()
	}
	w := r.solveWithFactor(t, leftSide, m, n-reflectionBlock)
	d.Optimal.add(buffer.Scalars, f.scalars)
	d.Optimal.add(buffer.ReflectionOrSolve, larger(f.work, w.x))
	d.Optimal.add(buffer.InvertedBlocks, w.inverse)
	d.Optimal.add(buffer.TriangularFactor, f.applied)
	d.Optimal.add(buffer.BlockReflection, f.diagonal)
	d.Optimal.add(buffer.Pointers, f.pointers)
	return d
}

// geqlf works by columns, rowsBlocked, which is gelqf and gerqf, by rows (roclapack_geqlf.hpp, roclapack_gelqf.hpp).
func geqlf(t *Target, a *routine.Args) Demand       { return blockedBy(t, a, leftSide) }
func rowsBlocked(t *Target, a *routine.Args) Demand { return blockedBy(t, a, rightSide) }

func blockedBy(t *Target, a *routine.Args, s sides) Demand {
	r := reflectionsOf(t, a)
	f := r.blocked(s, a.Int(routine.M), a.Int(routine.N))
	return f.demand()
}
