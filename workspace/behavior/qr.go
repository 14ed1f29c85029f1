package behavior

import (
	"fmt"
	"slices"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Orthogonal factorizations, least squares, orthogonal matrices and reflections.
func qr() []family {
	return []family{
		{ID: routine.Geqrf, checks: standard, size: geqrf, steps: launchThen((*Steps).qr)},
		{ID: routine.GeqrfPointers, checks: standard, size: geqrfPointers, steps: launchThen((*Steps).qr)},
		{ID: routine.Geqlf, checks: standard, size: geqlf, steps: launchThen((*Steps).byColumns)},
		{ID: routine.Gelqf, also: ids{routine.Gerqf}, checks: standard, size: rowsBlocked,
			steps: launchThen((*Steps).byRows)},
		{ID: routine.Geqr2, checks: standard, size: geqr2, steps: launchThen((*Steps).qr)},
		{ID: routine.Geql2, checks: standard, size: columnsUnblocked, steps: launchThen((*Steps).byColumns)},
		{ID: routine.Gelq2, also: ids{routine.Gerq2}, checks: standard, size: rowsUnblocked,
			steps: launchThen((*Steps).byRows)},
		{ID: routine.Gels, checks: solverChecks{adjoint: true}.rules, size: gels,
			steps: launchThen((*Steps).leastSquares)},
		{ID: routine.GelsOutOfPlace, checks: solverChecks{adjoint: true}.rules, size: gelsOutOfPlace,
			steps: launchThen((*Steps).leastSquares)},

		{ID: routine.Org2r, also: ids{routine.Org2l}, checks: generateColumns, size: columnsGenerated,
			steps: noSteps},
		{ID: routine.Orgqr, also: ids{routine.Orgql}, checks: generateColumns, size: orgqr, steps: noSteps},
		{ID: routine.Orgl2, checks: generateRows, size: rowsGenerated, steps: noSteps},
		{ID: routine.Orglq, checks: generateRows, size: orglq, steps: noSteps},
		{ID: routine.Orgbr, checks: solverChecks{sizes: []condition{negative(k), bidiagonalShape}}.rules, size: orgbr,
			steps: noSteps},
		{ID: routine.Orgtr, checks: standard, size: orgtr, steps: noSteps},
		{ID: routine.Orm2r, also: ids{routine.Orm2l, routine.Orml2}, checks: multiply, size: multiplyUnblocked,
			steps: noSteps},
		{ID: routine.Ormqr, also: ids{routine.Ormql, routine.Ormlq}, checks: multiply, size: ormqr, steps: noSteps},
		{
			ID: routine.Ormbr,
			checks: solverChecks{adjoint: true, sizes: []condition{negative(k)},
				special: []condition{null(matA).unless(noReflections), null(pivots).unless(noReflections)}}.rules,
			size:  ormbr,
			steps: noSteps,
		},
		{ID: routine.Ormtr, checks: solverChecks{adjoint: true, special: []condition{vectorOfSide(matA)}}.rules,
			size: ormtr, steps: noSteps},

		{
			ID: routine.Larfg,
			checks: solverChecks{sizes: []condition{none(incX)},
				special: []condition{null(vecX).unless(fewerThanTwo), quadratic(matC), quadratic(routine.Tau)}}.rules,
			size:  larfg,
			steps: launchThen(func(w *Steps) { w.reflectIf(w.n == 1, buffer.ReflectionNorms) }),
		},
		{
			ID: routine.Larf,
			checks: solverChecks{sizes: []condition{zeroIncrement(incX)},
				special: []condition{rectangular(matA), vectorOfSide(vecX), vectorOfSide(matC)}}.rules,
			size:  larf,
			steps: noSteps,
		},
		{
			ID: routine.Larft,
			checks: solverChecks{sizes: []condition{none(k)},
				special: []condition{quadratic(routine.MatV), null(routine.Tau), null(routine.MatT)}}.rules,
			size:  larft,
			steps: noSteps,
		},
		{
			ID: routine.Larfb,
			checks: solverChecks{sizes: []condition{none(k)},
				special: []condition{vectorOfSide(routine.MatV), rectangular(matA), null(routine.MatT)}}.rules,
			size:  larfb,
			steps: noSteps,
		},
		{ID: routine.Lacgv, checks: solverChecks{sizes: []condition{zeroIncrement(incX)}}.rules, size: noWorkspace,
			steps: noSteps},
	}
}

// generateColumns has m >= n >= k, generateRows n >= m >= k.
var (
	generateColumns = solverChecks{sizes: []condition{negative(k), exceeds(n, m), exceeds(k, n)}}.rules
	generateRows    = solverChecks{sizes: []condition{negative(k), exceeds(m, n), exceeds(k, m)}}.rules
)

var multiply = solverChecks{adjoint: true, sizes: []condition{negative(k), tooManyReflections}}.rules

var fewerThanTwo = exception(func(a *routine.Args) bool { return a.Int(n) <= 1 })

var noReflections = exception(func(a *routine.Args) bool { return min(orderBySide(a), a.Int(k)) <= 0 })

var tooManyReflections = number(k, func(a *routine.Args) bool { return a.Int(k) > orderBySide(a) },
	func(a *routine.Args) string {
		return fmt.Sprintf(", must be at most the order of Q = %d", orderBySide(a))
	})

// bidiagonalShape holds for sizes that gebrd's reflections do not have.
var bidiagonalShape = condition{
	slot: n,
	test: func(a *routine.Args) bool {
		longer, shorter := a.Int(m), a.Int(n)
		if a.Int(routine.Storev) == routine.StorevRows {
			longer, shorter = shorter, longer
		}
		return shorter > longer || shorter < min(longer, a.Int(k))
	},
	message: func(a *routine.Args) string {
		return fmt.Sprintf("m is %d and n %d, which reflections of gebrd with k = %d do not have", a.Int(m), a.Int(n),
			a.Int(k))
	},
}

// orthogonalFactorization is the memory of a factorization like geqr2 and geqlf.
type orthogonalFactorization struct {
	scalars, work, applied, diagonal, pointers amount
	blocked                                    bool // by panels
}

// unblocked is geqr2 and its relatives: reflections of order length, applied from a side.
func (r *callSizes) unblocked(s sides, m, n int64) (f orthogonalFactorization) {
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
func (r *callSizes) blocked(s sides, m, n int64) orthogonalFactorization {
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

func (f orthogonalFactorization) addTo(r *request) {
	if !f.blocked {
		r.addAll([]piece{{buffer.Scalars, f.scalars}, {buffer.ReflectionOrPointers, f.work},
			{buffer.AppliedReflectionOrNorms, f.applied}, {buffer.Diagonal, f.diagonal}})
		return
	}
	r.addAll([]piece{{buffer.Scalars, f.scalars}, {buffer.ReflectionOrPanel, f.work},
		{buffer.TriangularFactor, f.applied}, {buffer.BlockReflection, f.diagonal}, {buffer.Pointers, f.pointers}})
}

// unblockedQR is geqr2, which keeps the diagonal of R while it computes (roclapack_geqr2.hpp).
func (r *callSizes) unblockedQR(m, n int64) orthogonalFactorization {
	f := r.unblocked(leftSide, m, n)
	f.diagonal = product(r.real, min(m, n), r.batch)
	return f
}

// qrOrLQ is geqrf of a tall matrix, without the solve of newer releases, and gelqf of a wide one.
func (r *callSizes) qrOrLQ(m, n int64) orthogonalFactorization {
	switch {
	case m < n:
		return r.blocked(rightSide, m, n)
	case n <= reflectionUnblocked:
		return r.unblockedQR(m, n)
	}
	return r.blocked(leftSide, m, n)
}

func geqr2(r *request) { r.unblockedQR(r.m, r.n).addTo(r) }

// columnsUnblocked is geql2, rowsUnblocked gelq2 and gerq2 (roclapack_geql2.hpp, roclapack_gelq2.hpp).
func columnsUnblocked(r *request) { r.unblocked(leftSide, r.m, r.n).addTo(r) }

func rowsUnblocked(r *request) { r.unblocked(rightSide, r.m, r.n).addTo(r) }

// geqrf is geqr2 while a side is at most 128, and works in panels beyond (roclapack_geqrf.hpp). Newer releases apply
// the inverse of the triangular factor of a panel by a solve.
func geqrf(r *request) {
	if r.m <= reflectionUnblocked || r.n <= reflectionUnblocked {
		geqr2(r)
		return
	}
	f := r.blocked(leftSide, r.m, r.n)
	f.diagonal = larger(f.diagonal, r.unblockedQR(r.m, reflectionBlock).diagonal)
	if r.Release.GeqrfWithoutSolve {
		f.addTo(r)
		return
	}
	w := r.solveWithFactor(leftSide, r.m, r.n-reflectionBlock)
	r.addAll([]piece{{buffer.Scalars, f.scalars}, {buffer.ReflectionOrSolve, larger(f.work, w.x)},
		{buffer.InvertedBlocks, w.inverse}, {buffer.TriangularFactor, f.applied}, {buffer.BlockReflection, f.diagonal},
		{buffer.Pointers, f.pointers}})
}

// geqlf works by columns, rowsBlocked, which is gelqf and gerqf, by rows (roclapack_geqlf.hpp, roclapack_gelqf.hpp).
func geqlf(r *request) { r.blocked(leftSide, r.m, r.n).addTo(r) }

func rowsBlocked(r *request) { r.blocked(rightSide, r.m, r.n).addTo(r) }

// generation is the memory of orgqr and its relatives.
type generation struct{ scalars, work, applied, triangle amount }

func (g generation) addTo(r *request) {
	r.addAll([]piece{{buffer.Scalars, g.scalars}, {buffer.FactorWork, g.work},
		{buffer.AppliedOrBlockReflection, g.applied}, {buffer.TriangularFactor, g.triangle}})
}

// generateColumns is orgqr and orgql: larfb updates the columns before the last block (rocauxiliary_orgqr_ungqr.hpp).
func (r *callSizes) generateColumns(m, n, k int64) generation {
	return r.generateFrom(leftSide, m, n, m, n-reflectionBlock, k)
}

// generateRows is orglq. It sizes the block reflection as if applied from the left, to as many columns as Q has
// (rocauxiliary_orglq_unglq.hpp).
func (r *callSizes) generateRows(m, n, k int64) generation {
	return r.generateFrom(rightSide, m, n, n, n, k)
}

// generateFrom makes the m x n matrix Q from k reflections of an order, which are applied from a side. A block of them
// is applied to a number of columns.
func (r *callSizes) generateFrom(s sides, m, n, order, columns, k int64) (g generation) {
	if m == 0 || n == 0 || r.batch == 0 {
		return g
	}
	g = generation{scalars: r.scalars(), applied: r.apply(s, m, n)}
	if k > reflectionUnblocked {
		g.work = r.factor(order, reflectionBlock)
		g.applied = larger(g.applied, r.applyBlock(leftSide, m, columns, reflectionBlock))
		g.triangle = r.triangle()
	}
	return g
}

// generateShifted makes a matrix of order n from n-1 reflections, which move by one column or row in a copy.
func (r *callSizes) generateShifted(s sides, n int64) generation {
	k := n - 1
	g := r.generateColumns(k, k, k)
	if s == rightSide {
		g = r.generateRows(k, k, k)
	}
	g.work = larger(g.work, product(r.element, r.batch, k, n).half())
	return g
}

// columnsGenerated is org2r and org2l, rowsGenerated orgl2: they apply one reflection after the other.
func columnsGenerated(r *request) { r.applied(leftSide) }

func rowsGenerated(r *request) { r.applied(rightSide) }

func orgqr(r *request) { r.generateColumns(r.m, r.n, r.k).addTo(r) }

func orglq(r *request) { r.generateRows(r.m, r.n, r.k).addTo(r) }

func orgbr(r *request) {
	r.generateBidiagonal(r.Int(routine.Storev), r.m, r.n, r.k).addTo(r)
}

// generateBidiagonal is orgbr: orgqr or orglq, of one order less if the reflections move
// (rocauxiliary_orgbr_ungbr.hpp).
func (r *callSizes) generateBidiagonal(storev, m, n, k int64) generation {
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
func orgtr(r *request) { r.generateShifted(leftSide, r.n).addTo(r) }

// multiplication is the memory of ormqr and its relatives.
type multiplication struct{ scalars, applied, diagonal, triangle, pointers amount }

// multiply is ormqr, ormql and ormlq with k reflections (rocauxiliary_ormqr_unmqr.hpp).
func (r *callSizes) multiply(s sides, m, n, k int64) (p multiplication) {
	if m == 0 || n == 0 || k == 0 {
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

func (p multiplication) addTo(r *request) {
	r.addAll([]piece{{buffer.Scalars, p.scalars}, {buffer.AppliedReflectionOrFactorWork, p.applied},
		{buffer.DiagonalOrBlockReflection, p.diagonal}, {buffer.TriangularFactor, p.triangle}})
}

func multiplyUnblocked(r *request) {
	r.applied(sideOf(r.Args))
	r.add(buffer.Diagonal, product(r.element, r.batch))
}

func ormqr(r *request) { r.multiply(sideOf(r.Args), r.m, r.n, r.k).addTo(r) }

// ormbr multiplies by at most as many reflections as Q has columns (rocauxiliary_ormbr_unmbr.hpp).
func ormbr(r *request) {
	r.multiply(sideOf(r.Args), r.m, r.n, min(orderBySide(r.Args), r.k)).addTo(r)
}

// ormtr is ormqr or ormql with all reflections (rocauxiliary_ormtr_unmtr.hpp).
func ormtr(r *request) {
	s, k := sideOf(r.Args), orderBySide(r.Args)
	p := r.multiply(s, r.m, r.n, k)
	if k <= reflectionBlock || r.Release.GeqrfWithoutSolve {
		p.addTo(r)
		return
	}
	w := r.solveWithFactor(s, r.m, r.n)
	r.addAll([]piece{{buffer.Scalars, p.scalars}, {buffer.ReflectionOrSolve, larger(p.applied, w.x)},
		{buffer.InvertedBlocks, w.inverse}, {buffer.DiagonalOrBlockReflection, p.diagonal},
		{buffer.TriangularFactor, p.triangle}})
}

// Blocks of reflections, and the number from which on a routine uses them (ideal_sizes.hpp).
const (
	reflectionBlock     = 64
	reflectionUnblocked = 128
)

// scalars are the constants -1, 0 and 1 of a solver in device memory.
func (r *callSizes) scalars() amount { return product(3, r.element) }

// make is larfg of order n: work and norms. A short column fits a wavefront of 64 lanes (rocauxiliary_larfg.hpp).
func (r *callSizes) make(n int64) (work, norms amount) {
	if n == 0 || r.batch == 0 || n <= 2048 && r.RunsOn().Wavefront == 64 {
		return zero, zero
	}
	return r.sumsOfColumn(n), product(r.element, r.batch)
}

// sumsOfColumn are the sums of the dot product of a column without its first element.
func (r *callSizes) sumsOfColumn(n int64) amount {
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
func (r *callSizes) apply(s sides, m, n int64) amount {
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

// factor is larft: k numbers for each problem (rocauxiliary_larft.hpp). As in larfb, sizes have 32 bits in the 64-bit
// forms too.
func (r *callSizes) factor(n, k int64) amount {
	if int32(n) == 0 {
		return zero
	}
	return signed32(r.batch).times(r.element).times(k)
}

// applyBlock is larfb on an m x n matrix: the product of the matrix and k vectors (rocauxiliary_larfb.hpp).
func (r *callSizes) applyBlock(s sides, m, n, k int64) amount {
	if int32(m) == 0 || int32(n) == 0 {
		return zero
	}
	if s == leftSide {
		m = n
	}
	return signed32(m).times(r.element).times(k).times(int64(int32(r.batch)))
}

// triangle is the triangular factor of one block.
func (r *callSizes) triangle() amount {
	return product(r.element, reflectionBlock*reflectionBlock, r.batch)
}

// solveWithFactor is the solve with the triangular factor of a block of reflections. Newer releases use it to apply the
// block to an m x n matrix, with 32-bit sizes (rocauxiliary_larfb.hpp).
func (r *callSizes) solveWithFactor(s sides, m, n int64) solveBuffers {
	m, n = int64(int32(m)), int64(int32(n))
	if m == 0 || n == 0 {
		return solveBuffers{}
	}
	if m = offMultiple(m); s == leftSide {
		m = reflectionBlock
	} else {
		n = reflectionBlock
	}
	w := r.triangular(s, m, n)
	w.batch, w.pointers, w.wide = int64(int32(r.batch)), false, false
	return w.solve(r.Target)
}

func larfg(r *request) {
	work, norms := r.make(r.n)
	r.addAll([]piece{{buffer.ReflectionWork, work}, {buffer.ReflectionNorms, norms}})
}

func larf(r *request) { r.applied(sideOf(r.Args)) }

// applied is a routine that applies reflections to an m x n matrix, one after the other.
func (r *request) applied(s sides) {
	r.addAll([]piece{{buffer.Scalars, r.scalars()}, {buffer.AppliedReflection, r.apply(s, r.m, r.n)}})
}

func larft(r *request) {
	r.addAll([]piece{{buffer.Scalars, r.scalars()}, {buffer.FactorWork, r.factor(r.n, r.k)}})
}

func larfb(r *request) {
	r.add(buffer.BlockReflection, r.applyBlock(sideOf(r.Args), r.m, r.n, r.k))
}

// gels factorizes, multiplies by the orthogonal factor and solves in the same memory (roclapack_gels.hpp).
func gels(r *request) {
	saved := r.m
	if r.Int(routine.TransA) == routine.OperationNone {
		saved = r.n
	}
	r.leastSquares(product(r.element, saved, r.nrhs, r.batch))
}

// gelsOutOfPlace keeps the scalars of the reflections and, if B is overwritten, a copy of B
// (roclapack_gels_outofplace.hpp).
func gelsOutOfPlace(r *request) {
	r.leastSquares(zero)
	r.add(buffer.EigenScalars, product(r.element, min(r.m, r.n)))
	if r.m >= r.n {
		r.add(buffer.SavedRightSide, product(r.element, r.m, r.nrhs))
	}
}

func (r *request) leastSquares(copied amount) {
	k, f := min(r.m, r.n), r.qrOrLQ(r.m, r.n)
	p := r.multiply(leftSide, max(r.m, r.n), r.nrhs, k)
	w := solveBuffers{}
	if callsBLAS(r.Args, k, r.nrhs) {
		s := r.triangular(leftSide, k, r.nrhs)
		s.none = r.Int(routine.TransA) == routine.OperationNone
		w = s.solve(r.Target)
	}
	r.addAll([]piece{{buffer.Scalars, f.scalars},
		{buffer.LeastSquaresWork, largest(f.work, p.applied, w.x)},
		{buffer.LeastSquaresSolvePointers, largest(f.applied, p.diagonal, w.xPointers)},
		{buffer.LeastSquaresInverse, largest(f.diagonal, p.triangle, w.inverse)},
		{buffer.LeastSquaresPointers, largest(f.pointers, p.pointers, w.inversePointers)},
		{buffer.RightSideCopy, copied}})
}

// geqrfPointers has the scalars of the reflections without gaps, before it stores them in the arrays of the problems.
func geqrfPointers(r *request) {
	geqrf(r)
	r.add(buffer.EigenScalars, product(r.element, min(r.m, r.n), r.batch))
}

// reflectIf adds the fill of a reflection of one element, if a call makes one.
func (w *Steps) reflectIf(oneElement bool, norms buffer.ID) {
	runsOn := w.Arch
	if w.Release.ReflectsByCurrent {
		runsOn = w.RunsOn()
	}
	if !oneElement || !w.Routine.Type.IsComplex() || runsOn.Wavefront == 64 {
		return
	}
	w.fill(Fill{ID: norms, Bytes: product(w.element, w.batch).n, Ignored: true})
}

// qr is byColumns, but newer releases leave out the last element of a square matrix.
func (w *Steps) qr() {
	if w.Release.ReflectsLast || w.m != w.n {
		w.byColumns()
	}
}

// byColumns is a factorization with a reflection for each column, whose shortest one has one element if there are as
// many columns as rows. byRows is one with a reflection for each row.
func (w *Steps) byColumns() { w.factorize(w.m, w.n) }

func (w *Steps) byRows() { w.factorize(w.n, w.m) }

func (w *Steps) factorize(length, reflected int64) {
	norms := buffer.AppliedReflectionOrNorms
	inPanels := slices.Contains(w.Routine.Family.Buffers, buffer.TriangularFactor)
	if inPanels && min(length, reflected) > reflectionUnblocked {
		norms = buffer.TriangularFactor
	}
	w.reflectIf(length != 0 && length <= reflected, norms)
}

// squareFactorization is geqrf or gelqf of a matrix by its longer side.
func (w *Steps) squareFactorization(norms buffer.ID) {
	w.reflectIf(w.Release.ReflectsLast && w.m > 0 && w.m == w.n, norms)
}

// leastSquares adds the waits of a factorization and of a solve with its triangle.
func (w *Steps) leastSquares() {
	if w.nrhs != 0 {
		w.squareFactorization(buffer.LeastSquaresSolvePointers)
	}
	w.rightSides(1, w.least())
}
