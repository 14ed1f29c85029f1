package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var reflectionRules = map[routine.FamilyID]rule{
	routine.Larfg: larfg,
	routine.Larf:  larf,
	routine.Larft: larft,
	routine.Larfb: larfb,
	routine.Geqr2: geqr2,
	routine.Geql2: columnsUnblocked,
	routine.Gelq2: rowsUnblocked,
	routine.Gerq2: rowsUnblocked,
	routine.Geqlf: geqlf,
	routine.Gelqf: rowsBlocked,
	routine.Gerqf: rowsBlocked,
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

// Blocks of reflections, and the number from which on a routine uses them (ideal_sizes.hpp).
const (
	reflectionBlock     = 64
	reflectionUnblocked = 128
)

// reflections are the building blocks of routines that make or apply Householder reflections.
type reflections struct {
	element, real, batch int64
	wave64               bool   // wavefronts have 64 lanes
	arrays               amount // one pointer for each problem in the batched form, otherwise nothing
}

func reflectionsOf(t *Target, a *routine.Args) reflections {
	r := reflections{element: a.Routine.Type.Size(), real: a.Routine.Type.RealSize(), batch: a.Batch(),
		wave64: !hasWave32(t.Arch)}
	if a.Routine.Variant == routine.Batched {
		r.arrays = product(8, r.batch)
	}
	return r
}

func (r *reflections) scalars() amount { return product(3, r.element) }

// make is larfg of order n: work and norms. A short column fits a wavefront of 64 lanes (rocauxiliary_larfg.hpp).
func (r *reflections) make(n int64) (work, norms amount) {
	if n == 0 || r.batch == 0 || n <= 2048 && r.wave64 {
		return zero, zero
	}
	return r.partialSums(n), product(r.element, r.batch)
}

// partialSums are those of a dot product of a column without its first element.
func (r *reflections) partialSums(n int64) amount {
	cells := int64(1)
	if n > 2 {
		cells = (n-2)/512 + 2
	}
	return product(r.element, r.batch, cells)
}

// sides of a matrix to which reflections are applied.
type sides uint8

const (
	leftSide sides = iota
	rightSide
	bothSides
)

func sideOf(a *routine.Args) sides {
	if a.Int(routine.Side) == routine.SideLeft {
		return leftSide
	}
	return rightSide
}

// apply is larf on an m x n matrix: the product of the matrix and the vector, unless one kernel applies the reflection
// (rocauxiliary_larf.hpp).
func (r *reflections) apply(s sides, m, n int64) amount {
	switch {
	case m == 0 || n == 0 || r.batch == 0:
		return zero
	case s == leftSide && m <= 2048 && n <= 64, s == rightSide && m <= 64 && n <= 2048:
		return zero
	case s == leftSide:
		return product(r.element, n, r.batch)
	case s == rightSide:
		return product(r.element, m, r.batch)
	}
	return product(r.element, max(m, n), r.batch)
}

// factor is larft: k numbers for each problem (rocauxiliary_larft.hpp).
func (r *reflections) factor(n, k int64) amount {
	if n == 0 {
		return zero
	}
	return product(r.element, k, r.batch)
}

// applyBlock is larfb on an m x n matrix: the product of the matrix and k vectors (rocauxiliary_larfb.hpp).
func (r *reflections) applyBlock(s sides, m, n, k int64) amount {
	if m == 0 || n == 0 {
		return zero
	}
	if s == leftSide {
		return product(r.element, n, k, r.batch)
	}
	return product(r.element, m, k, r.batch)
}

// triangle is the triangular factor of one block.
func (r *reflections) triangle() amount {
	return product(r.element, reflectionBlock*reflectionBlock, r.batch)
}

func larfg(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	work, norms := r.make(a.Int(routine.N))
	d.Optimal.add(buffer.ReflectionWork, work)
	d.Optimal.add(buffer.ReflectionNorms, norms)
	return d
}

func larf(t *Target, a *routine.Args) (d Demand) {
	m, n := a.Int(routine.M), a.Int(routine.N)
	if m == 0 || n == 0 {
		return d
	}
	r := reflectionsOf(t, a)
	d.Optimal.add(buffer.Scalars, r.scalars())
	d.Optimal.add(buffer.AppliedReflection, r.apply(sideOf(a), m, n))
	return d
}

func larft(t *Target, a *routine.Args) (d Demand) {
	if a.Int(routine.N) == 0 {
		return d
	}
	r := reflectionsOf(t, a)
	d.Optimal.add(buffer.Scalars, r.scalars())
	d.Optimal.add(buffer.FactorWork, r.factor(a.Int(routine.N), a.Int(routine.K)))
	return d
}

func larfb(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	d.Optimal.add(buffer.BlockReflection, r.applyBlock(sideOf(a), a.Int(routine.M), a.Int(routine.N), a.Int(routine.K)))
	return d
}

// factorization is the memory of a factorization like geqr2 and geqlf.
type orthogonalFactorization struct{ scalars, work, applied, diagonal, pointers amount }

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
	f.pointers = r.arrays.times(2)
	return f
}

func (f *orthogonalFactorization) demand(blocked bool) (d Demand) {
	d.Optimal.add(buffer.Scalars, f.scalars)
	if !blocked {
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

// geqr2 keeps the diagonal of R while it computes (roclapack_geqr2.hpp).
func geqr2(t *Target, a *routine.Args) Demand {
	r, m, n := reflectionsOf(t, a), a.Int(routine.M), a.Int(routine.N)
	f := r.unblocked(leftSide, m, n)
	f.diagonal = product(r.real, min(m, n), r.batch)
	return f.demand(false)
}

// columnsUnblocked is geql2, rowsUnblocked gelq2 and gerq2 (roclapack_geql2.hpp, roclapack_gelq2.hpp).
func columnsUnblocked(t *Target, a *routine.Args) Demand { return unblockedBy(t, a, leftSide) }
func rowsUnblocked(t *Target, a *routine.Args) Demand    { return unblockedBy(t, a, rightSide) }

func unblockedBy(t *Target, a *routine.Args, s sides) Demand {
	r := reflectionsOf(t, a)
	f := r.unblocked(s, a.Int(routine.M), a.Int(routine.N))
	return f.demand(false)
}

// geqlf works by columns, rowsBlocked, which is gelqf and gerqf, by rows (roclapack_geqlf.hpp, roclapack_gelqf.hpp).
func geqlf(t *Target, a *routine.Args) Demand       { return blockedBy(t, a, leftSide) }
func rowsBlocked(t *Target, a *routine.Args) Demand { return blockedBy(t, a, rightSide) }

func blockedBy(t *Target, a *routine.Args, s sides) Demand {
	r, m, n := reflectionsOf(t, a), a.Int(routine.M), a.Int(routine.N)
	f := r.blocked(s, m, n)
	return f.demand(m > reflectionUnblocked && n > reflectionUnblocked)
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
func (r *reflections) generateColumns(m, n, k int64) (g generation) {
	if m == 0 || n == 0 || r.batch == 0 {
		return g
	}
	g = generation{scalars: r.scalars(), applied: r.apply(leftSide, m, n), pointers: r.arrays}
	if k > reflectionUnblocked {
		g.work = r.factor(m, reflectionBlock)
		g.applied = larger(g.applied, r.applyBlock(leftSide, m, n-reflectionBlock, reflectionBlock))
		g.triangle = r.triangle()
	}
	return g
}

// generateRows is orglq. It sizes the block reflection as if applied from the left (rocauxiliary_orglq_unglq.hpp).
func (r *reflections) generateRows(m, n, k int64) (g generation) {
	if m == 0 || n == 0 || r.batch == 0 {
		return g
	}
	g = generation{scalars: r.scalars(), applied: r.apply(rightSide, m, n), pointers: r.arrays}
	if k > reflectionUnblocked {
		g.work = r.factor(n, reflectionBlock)
		g.applied = larger(g.applied, r.applyBlock(leftSide, m-reflectionBlock, n, reflectionBlock))
		g.triangle = r.triangle()
	}
	return g
}

// shifted adds the copy of the reflections of a matrix of order n, which move by one column or row.
func (r *reflections) shifted(g generation, n int64) generation {
	g.work = larger(g.work, product(r.element, r.batch, (n-1)*n/2))
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
		return r.shifted(r.generateColumns(m-1, m-1, m-1), m)
	case n > k:
		return r.generateRows(m, n, k)
	}
	return r.shifted(r.generateRows(n-1, n-1, n-1), n)
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
	return r.shifted(r.generateColumns(n-1, n-1, n-1), n)
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
	w := r.solveWithFactor(s, m, n)
	d.Optimal.add(buffer.Scalars, p.scalars)
	d.Optimal.add(buffer.ReflectionOrSolve, larger(p.applied, w.x))
	d.Optimal.add(buffer.InvertedBlocks, w.inverse)
	d.Optimal.add(buffer.DiagonalOrBlockReflection, p.diagonal)
	d.Optimal.add(buffer.TriangularFactor, p.triangle)
	return d
}

// solveWithFactor is the solve with the triangular factor by which newer releases apply a block of reflections to an
// m x n matrix (rocauxiliary_larfb.hpp).
func (r *reflections) solveWithFactor(s sides, m, n int64) solveBuffers {
	w := triangular{left: s == leftSide, none: true, m: reflectionBlock, n: n, element: r.element, batch: r.batch}
	if s == rightSide {
		w.m, w.n = offMultiple(m), reflectionBlock
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
