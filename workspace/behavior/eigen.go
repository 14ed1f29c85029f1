package behavior

import (
	"math/bits"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Eigenvalues of symmetric matrices, the reduction to tridiagonal form, and eigenvalues of tridiagonal matrices.
func eigen() []family {
	return []family{
		{ID: routine.Sygs2, checks: standard, size: sygs2, steps: sygs2Steps},
		{ID: routine.Sygst, checks: standard, size: sygst, steps: launchThen((*Steps).standardForm)},
		{ID: routine.Syev, checks: eigenvectors, size: syev, steps: launchThen((*Steps).tridiagonal)},
		{ID: routine.Syevd, checks: eigenvectors, size: syevd, steps: launchThen(syevdDivision.steps)},
		{ID: routine.Syevj, checks: jacobiChecks, size: syevj,
			steps: launchThen((*Steps).jacobi, (*Steps).checksWaits)},
		{ID: routine.Syevdj, checks: eigenvectors, size: syevdj, steps: launchThen((*Steps).jacobiOrDivision)},
		{ID: routine.Sygv, checks: eigenvectors, size: sygv,
			steps: launchThen((*Steps).reduction, (*Steps).generalized)},
		{ID: routine.Sygvd, checks: eigenvectors, size: sygvd,
			steps: launchThen((*Steps).reduction, sygvdDivision.steps, (*Steps).backTransformation)},
		{ID: routine.Sygvj, checks: jacobiChecks, size: sygvj,
			steps: launchThen((*Steps).reduction, (*Steps).jacobi, (*Steps).backTransformation)},
		{ID: routine.Sygvdj, checks: eigenvectors, size: sygvdj,
			steps: launchThen((*Steps).reduction, (*Steps).jacobiOrGeneralized)},
		{ID: routine.Syevx, checks: rangeChecks, size: partialSolver((*reflections).byBisection).standard,
			steps: launchThen((*Steps).tridiagonal)},
		{ID: routine.Syevdx, checks: rangeChecks, size: partialSolver((*reflections).byDivision).standard,
			steps: launchThen((*Steps).partialDivision)},
		{ID: routine.Sygvx, checks: rangeChecks, size: partialSolver((*reflections).byBisection).general,
			steps: launchThen((*Steps).reduction, (*Steps).generalized)},
		{ID: routine.Sygvdx, checks: rangeChecks, size: partialSolver((*reflections).byDivision).general,
			steps: launchThen((*Steps).reduction, (*Steps).generalized)},
		{
			ID:     routine.SyevdxInPlace,
			checks: rangeChecks,
			size:   eigenInPlace(partialSolver((*reflections).byDivision).standard),
			steps:  launchThen((*Steps).partialDivision, (*Steps).eigenvalueCount),
		},
		{
			ID:     routine.SygvdxInPlace,
			checks: rangeChecks,
			size:   eigenInPlace(partialSolver((*reflections).byDivision).general),
			steps:  launchThen((*Steps).reduction, (*Steps).generalized, (*Steps).eigenvalueCount),
		},

		{
			ID: routine.Latrd,
			checks: solverChecks{sizes: []condition{negative(k), exceeds(k, n)},
				special: []condition{quadratic(routine.VecE), quadratic(routine.Tau)}}.rules,
			size:  latrd,
			steps: launchThen((*Steps).tridiagonalPanel),
		},
		{ID: routine.Sytd2, checks: standard, size: sytd2,
			steps: launchThen(func(w *Steps) { w.lastOfTridiagonal(buffer.ReflectionNorms) })},
		{ID: routine.Sytrd, checks: standard, size: sytrd,
			steps: launchThen(func(w *Steps) { w.tridiagonalWith(buffer.ReflectionNorms) })},
		{ID: routine.Sterf, checks: standard, size: sterf, steps: noSteps},
		{ID: routine.Steqr, checks: tridiagonalVectors, size: steqr, steps: noSteps},
		{ID: routine.Stedc, checks: tridiagonalVectors, size: stedc, steps: launchThen((*Steps).stedc)},
		{ID: routine.Stebz, checks: solverChecks{sizes: []condition{emptyInterval, badEigenIndices}}.rules,
			size: stebz, steps: noSteps},
		{ID: routine.Stein, checks: solverChecks{special: []condition{quadratic(routine.VecE)}}.rules, size: stein,
			steps: noSteps},
		{ID: routine.Lasr, checks: standard, size: noWorkspace, steps: noSteps},
	}
}

var badEigenIndices = badIndices(routine.Erange, routine.ErangeIndex, n)

var badFullEvect = notOneOf(routine.Evect, routine.EigenvectorJob, routine.EvectOriginal, routine.EvectNone)

// eigenvectors checks a routine that computes the eigenvectors of a full matrix, if any.
var eigenvectors = solverChecks{special: []condition{badFullEvect}}.rules

// perProblem are arrays of Jacobi methods with one number for each problem, needed unless the batch is empty.
var perProblem = []condition{null(routine.Residual).unless(isZero(batchCount)),
	null(routine.Sweeps).unless(isZero(batchCount))}

// jacobiChecks checks a routine that computes eigenvalues by a Jacobi method.
var jacobiChecks = solverChecks{sizes: []condition{none(routine.MaxSweeps)},
	special: append(perProblem, badFullEvect)}.rules

// rangeChecks checks a routine that computes the eigenvalues in a range.
func rangeChecks(o operands) []rule {
	rows := func(a *routine.Args) int64 { return a.Int(n) }
	sizes := []condition{ldBelow(routine.LDA, rows), emptyInterval, badEigenIndices}
	if o.r.Has(routine.MatZ) {
		sizes = append(sizes, ldWhenVectors(routine.LDZ))
	}
	if o.r.Has(matB) {
		sizes = append(sizes, ldBelow(routine.LDB, rows))
	}
	return solverChecks{freeLD: true, sizes: sizes, special: []condition{badFullEvect,
		null(routine.Nev).unless(isZero(batchCount)), wantedVectors(routine.MatZ), wantedVectors(routine.Ifail),
	}}.rules(o)
}

// ldWhenVectors holds for a leading dimension below n when eigenvectors are computed.
func ldWhenVectors(ld routine.Slot) condition {
	return ldBelow(ld, func(a *routine.Args) int64 {
		if a.Int(routine.Evect) == routine.EvectNone {
			return a.Int(ld)
		}
		return a.Int(n)
	})
}

// wantedVectors holds for a null array of eigenvectors that are computed.
func wantedVectors(array routine.Slot) condition {
	return nullIf(array, func(a *routine.Args) bool {
		return a.Int(routine.Evect) != routine.EvectNone && a.Int(n) != 0
	})
}

// tridiagonalVectors checks a routine that multiplies C by the eigenvectors of a tridiagonal matrix.
var tridiagonalVectors = solverChecks{freeLD: true, sizes: []condition{ldWhenVectors(routine.LDC)},
	special: []condition{wantedVectors(matC)}}.rules

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
	list.addAll([]piece{{buffer.Scalars, s.scalars}, {buffer.EigenWork1, s.work}, {buffer.EigenWork2, s.pointers},
		{buffer.EigenWork3, s.store}})
}

func sygs2(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	s := r.standardUnblocked(a.Int(routine.Itype), a.Int(routine.N))
	s.addTo(&d.Optimal)
	return d
}

// sygst has the library's scalars, work_x_temp, workArr_temp_arr, store_wcs_invA and invA_arr.
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

// syev has the library's scalars, work_stack, Abyx_norms_tmptr, tmptau_trfact, tau and workArr.
func syev(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	s := r.eigenvalues(a.Int(routine.Evect) == routine.EvectOriginal, a.Int(routine.N))
	d.Optimal.addAll([]piece{{buffer.Scalars, s.scalars}, {buffer.EigenWork1, s.work}, {buffer.EigenWork2, s.applied},
		{buffer.EigenWork3, s.triangle}, {buffer.EigenScalars, s.tau}, {buffer.Pointers, s.pointers}})
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
	d.Optimal.addAll([]piece{{buffer.MatrixCopy, j.copied}, {buffer.JacobiRotations, j.rotations},
		{buffer.JacobiNorms, j.norms}, {buffer.JacobiTop, j.top}, {buffer.JacobiBottom, j.bottom},
		{buffer.JacobiDone, j.done}})
	return d
}

// generalized is the memory of a generalized problem. potrf, sygst, the standard problem and the solve that transforms
// its vectors back share it.
type generalized struct {
	reflections
	n       int64
	vectors bool

	first, work1, work2, work3, work4 amount
}

// start sets the memory of a generalized problem without the standard one.
func (g *generalized) start(t *Target, a *routine.Args) {
	g.reflections, g.n, g.vectors = reflectionsOf(t, a), a.Int(routine.N), a.Int(routine.Evect) == routine.EvectOriginal
	solve := choleskySolve(t, a)
	g.first = product(3, g.element)
	g.share(solve.x, solve.xPointers, solve.inverse, solve.inversePointers)
	s := g.standard(t, a, g.n)
	g.share(s.work, s.pointers, s.store, s.inverse)
	if g.vectors && a.Int(routine.Itype) != routine.EformBax {
		w := reducedSolve(t, a, g.n, g.n)
		g.share(w.x, w.xPointers, w.inverse, w.inversePointers)
	}
}

// share makes the memory large enough for a further step.
func (g *generalized) share(work1, work2, work3, work4 amount) {
	g.work1, g.work2 = larger(g.work1, work1), larger(g.work2, work2)
	g.work3, g.work4 = larger(g.work3, work3), larger(g.work4, work4)
}

// addTo adds the shared memory, and the other buffers of the standard problem.
func (g *generalized) addTo(list *Buffers, others ...piece) {
	list.addEigen(g.first, g.work1, g.work2, g.work3, g.work4)
	list.addAll(others)
	list.add(buffer.PanelInfo, product(4, g.batch))
}

func (b *Buffers) addEigen(scalars, work1, work2, work3, work4 amount) {
	b.addAll([]piece{{buffer.Scalars, scalars}, {buffer.EigenWork1, work1}, {buffer.EigenWork2, work2},
		{buffer.EigenWork3, work3}, {buffer.EigenWork4, work4}})
}

func sygv(t *Target, a *routine.Args) (d Demand) {
	var g generalized
	g.start(t, a)
	s := g.eigenvalues(g.vectors, g.n)
	g.share(s.work, s.applied, s.triangle, s.tau)
	g.addTo(&d.Optimal, piece{buffer.EigenWork5, s.pointers})
	return d
}

func sygvj(t *Target, a *routine.Args) (d Demand) {
	var g generalized
	g.start(t, a)
	j := g.jacobiRotations(g.vectors, g.n)
	g.share(j.copied, j.rotations, j.norms, j.top)
	work5 := j.bottom
	if g.vectors && a.Int(routine.Itype) == routine.EformBax {
		work5 = larger(work5, g.arrays)
	}
	g.addTo(&d.Optimal, piece{buffer.EigenWork5, work5}, piece{buffer.EigenWork6, j.done})
	return d
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
	list.addAll([]piece{{buffer.Scalars, b.scalars}, {buffer.ReflectionOrProduct, b.work},
		{buffer.ReflectionNorms, b.norms}})
}

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
	d.Optimal.addAll([]piece{{buffer.EigenStack, s.stack}, {buffer.DividedVectors, s.vectors},
		{buffer.DividedProducts, s.products}, {buffer.RankOneUpdate, s.rankOne}, {buffer.SplitMap, s.splits},
		{buffer.Pointers, s.pointers}})
	return d
}

// stebz is bisection (rocauxiliary_stebz.hpp).
func stebz(_ *Target, a *routine.Args) (d Demand) {
	n, real := a.Int(routine.N), a.Routine.Type.RealSize()
	if n == 0 {
		return d
	}
	d.Optimal.addAll([]piece{{buffer.BisectionCounts, product(4, n)}, {buffer.BisectionPivots, product(real)},
		{buffer.BisectionSquares, product(real, n-1)}, {buffer.BisectionBounds, product(real, 2)},
		{buffer.BisectionIntervals, product(real, 4, n)}, {buffer.BisectionNumbers, product(4, 4, n)}})
	return d
}

// stein is inverse iteration (rocauxiliary_stein.hpp).
func stein(_ *Target, a *routine.Args) (d Demand) {
	n := a.Int(routine.N)
	d.Optimal.add(buffer.EigenStack, product(a.Routine.Type.RealSize(), 5, n))
	d.Optimal.add(buffer.BisectionCounts, product(4, n))
	return d
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
func (r *reflections) spectrum(t *Target, a *routine.Args, n int64, b byDivision) dividedSpectrum {
	vectors := b.ownMatrices || a.Int(routine.Evect) == routine.EvectOriginal
	s := r.dividedEigenvalues(t, vectors, n)
	if b.solves && vectors && n > reflectionBlock && !t.Release.GeqrfWithoutSolve {
		w := r.solveWithFactor(t, leftSide, n, n)
		s.work2, s.splits = larger(s.work2, w.x), larger(s.splits, w.inverse)
	}
	return s
}

// syevd has the library's scalars, work1 to work3, tmpz, splits, tmptau_W, tau and workArr.
func syevd(t *Target, a *routine.Args) (d Demand) {
	r, n := reflectionsOf(t, a), a.Int(routine.N)
	if n <= 1 || r.batch == 0 {
		return d
	}
	s := r.spectrum(t, a, n, syevdDivision)
	d.Optimal.addAll([]piece{{buffer.Scalars, r.scalars()}, {buffer.EigenWork1, s.work1}, {buffer.EigenWork2, s.work2},
		{buffer.EigenWork3, s.work3}, {buffer.RankOneUpdate, s.rankOne}, {buffer.SplitMap, s.splits},
		{buffer.EigenWork4, s.triangle}, {buffer.EigenScalars, s.tau}, {buffer.Pointers, s.pointers}})
	return d
}

// sygvd has the library's scalars, work1 to work4, tmpz, splits, tau, pivots_workArr and iinfo.
func sygvd(t *Target, a *routine.Args) (d Demand) {
	var g generalized
	g.start(t, a)
	if g.n > 1 && t.HostSterf && !g.vectors && !t.Release.StedcKeepsFewArrays {
		d.Unknown = "the library adds a number that it never sets, so the size is different in each process"
		return d
	}
	s := g.spectrum(t, a, g.n, sygvdDivision)
	g.share(s.work1, s.work2, s.work3, s.triangle)
	g.addTo(&d.Optimal, piece{buffer.RankOneUpdate, s.rankOne}, piece{buffer.SplitMap, s.splits},
		piece{buffer.EigenScalars, s.tau}, piece{buffer.EigenWork5, s.pointers})
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
	d.Optimal.addEigen(s.scalars, s.work1, s.work2, s.work3, s.work4)
	d.Optimal.addAll(s.pieces())
	return d
}

func (s *dividedJacobi) pieces() []piece {
	return []piece{{buffer.TridiagonalSubdiagonal, s.other}, {buffer.EigenScalars, s.tau},
		{buffer.MatrixCopy, s.copied}, {buffer.SplitMap, s.splits}, {buffer.Pointers, s.pointers}}
}

func sygvdj(t *Target, a *routine.Args) (d Demand) {
	var g generalized
	g.start(t, a)
	s := g.dividedJacobiEigenvalues(g.vectors, g.n)
	g.share(s.work1, s.work2, s.work3, s.work4)
	g.addTo(&d.Optimal, s.pieces()...)
	return d
}

// partialSpectrum is the memory of syevx, which syevdx shares.
type partialSpectrum struct {
	scalars, work1, work2, work3, work4, work5, work6  amount
	diagonal, other, blocks, ends, tau, splitsOrArrays amount
}

// partialEigenvalues is the part that syevx and syevdx share: sytrd and the tridiagonal matrix.
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

// pieces are the library's work5, work6, D, E, iblock, isplit_map, tau and nsplit_workArr.
func (s *partialSpectrum) pieces() []piece {
	return []piece{{buffer.EigenWork5, s.work5}, {buffer.EigenWork6, s.work6},
		{buffer.TridiagonalDiagonal, s.diagonal}, {buffer.TridiagonalSubdiagonal, s.other}, {buffer.BlockMap, s.blocks},
		{buffer.SplitMap, s.ends}, {buffer.EigenScalars, s.tau}, {buffer.Pointers, s.splitsOrArrays}}
}

// partialSolver is the memory of a solver for some eigenvalues: by bisection or by division.
type partialSolver func(r *reflections, vectors bool, n int64) partialSpectrum

// standard is syevx and syevdx.
func (of partialSolver) standard(t *Target, a *routine.Args) (d Demand) {
	r, n := reflectionsOf(t, a), a.Int(routine.N)
	s := of(&r, a.Int(routine.Evect) == routine.EvectOriginal, n)
	d.Optimal.addEigen(s.scalars, s.work1, s.work2, s.work3, s.work4)
	d.Optimal.addAll(s.pieces())
	return d
}

// general is sygvx and sygvdx (roclapack_sygvx_hegvx.hpp, roclapack_sygvdx_hegvdx.hpp).
func (of partialSolver) general(t *Target, a *routine.Args) (d Demand) {
	var g generalized
	g.start(t, a)
	r := g.reflections
	s := of(&r, g.vectors, g.n)
	g.share(s.work1, s.work2, s.work3, s.work4)
	g.addTo(&d.Optimal, s.pieces()...)
	return d
}

// eigenInPlace is syevdx_inplace and sygvdx_inplace, which store vectors in A. They keep a copy of it, and the number
// of eigenvalues (roclapack_syevdx_heevdx_inplace.hpp).
func eigenInPlace(partial sizeRule) sizeRule {
	return func(t *Target, a *routine.Args) Demand {
		d := partial(t, a)
		if d.Optimal.n == 0 {
			return d
		}
		n := a.Int(routine.N)
		square, place := product(a.Routine.Type.Size(), n, n), buffer.EigenWork4
		if n >= smallestDivided {
			place = buffer.BlockMap
		}
		if a.Int(routine.Evect) == routine.EvectOriginal {
			d.Optimal.set(place, larger(d.Optimal.of(place), square))
		}
		d.Optimal.add(buffer.EigenvalueCount, product(4))
		return d
	}
}

// partialDivision adds the waits of some eigenvalues by division.
func (w *Steps) partialDivision() {
	w.tridiagonal()
	w.division()
}

// jacobiOrDivision is syevdj, which divides large problems for vectors.
func (w *Steps) jacobiOrDivision() {
	if dividesByJacobi(w.vectors(), w.Int(routine.N)) {
		w.partialDivision()
		return
	}
	w.jacobi()
}

// jacobiOrGeneralized is sygvdj after the reduction.
func (w *Steps) jacobiOrGeneralized() {
	if dividesByJacobi(w.vectors(), w.Int(routine.N)) {
		w.generalized()
		return
	}
	w.jacobi()
}

// eigenvalueCount copies the number of eigenvalues to the host.
func (w *Steps) eigenvalueCount() { w.do(CopyResult) }

// jacobi waits in each sweep, and the data decide how many sweeps it makes.
func (w *Steps) jacobi() { w.iteration(w.Int(routine.N) > jacobiWaits, countBytes) }

// tridiagonal adds the waits of sytrd inside a routine for eigenvalues.
func (w *Steps) tridiagonal() { w.tridiagonalWith(buffer.EigenWork2) }

// tridiagonalWith adds the waits of sytrd, which computes in device pointer mode: two products for each panel.
func (w *Steps) tridiagonalWith(norms buffer.ID) {
	if n := w.least(); w.Release.TridiagonalWaits && n > tridiagonalUnblocked {
		w.products(2 * ceilDiv(n-tridiagonalUnblocked, tridiagonalPanel))
	}
	w.lastOfTridiagonal(norms)
}

// division adds the waits for the vectors of a divided problem in device pointer mode. Complex ones take two products,
// of real matrices.
func (w *Steps) division() {
	if !w.OnDevice || !w.vectors() || w.Int(routine.N) < Divided {
		return
	}
	s := Step{Times: 1, Scalars: scalarsOfProduct, ScalarBytes: w.Routine.Type.Size()}
	if w.Routine.Type.IsComplex() {
		s.Times, s.ScalarBytes = 2, s.ScalarBytes/2
	}
	w.step(s)
}

// generalized adds the waits of a generalized problem after its reduction.
func (w *Steps) generalized() {
	w.tridiagonal()
	w.backTransformation()
}

// backTransformation adds the waits of the solve for the vectors of a generalized problem of type 1 or 2.
func (w *Steps) backTransformation() {
	if !w.vectors() || w.Int(routine.Itype) == routine.EformBax {
		return
	}
	n, vectors := w.Int(routine.N), w.Int(routine.N)
	if w.Routine.Has(routine.Erange) && w.Int(routine.Erange) == routine.ErangeIndex {
		vectors = w.Int(routine.UpperIndex) - w.Int(routine.LowerIndex) + 1
	}
	w.solve(1, n, vectors)
}

// tridiagonalPanel is latrd.
func (w *Steps) tridiagonalPanel() {
	n := w.Int(routine.N)
	w.reflectIf(n > 1 && w.Int(routine.K) >= n-1, buffer.ReflectionNorms)
}

// lastOfTridiagonal is the last reflection of sytd2.
func (w *Steps) lastOfTridiagonal(norms buffer.ID) {
	w.reflectIf(w.Release.ReflectsLast && w.least() > 1, norms)
}

// standardForm adds the waits of sygst, which solves with each block on the diagonal but the last, and with the rest
// of the triangle after it.
func (w *Steps) standardForm() {
	w.Vectors = columnSolves(w.Args, standardBlock)
	if !w.waitsInSolves() || w.Int(routine.Itype) != routine.EformAx {
		return
	}
	for rest := w.Int(routine.N) - standardBlock; rest > 0; rest -= standardBlock {
		w.solve(1, standardBlock, rest)
		w.solve(1, rest, standardBlock)
	}
}

// reduction adds the waits of the reduction of a generalized problem to a standard one.
func (w *Steps) reduction() {
	w.cholesky()
	w.standardForm()
}

// byDivision is the solver of symmetric eigenvalues by division in a routine.
type byDivision struct {
	memory      [8]buffer.ID // the buffers of the routine that have the solver's memory
	checked     bool         // the routine returns the error of a fill, and fills its empty memory too
	ownMatrices bool         // it solves for its own copy of the matrices, without their addresses, always for vectors
	solves      bool         // some releases apply the inverse of the triangular factor of ormtr by a solve
}

var (
	syevdDivision = byDivision{checked: true, solves: true, memory: [...]buffer.ID{buffer.EigenWork1, buffer.EigenWork2,
		buffer.EigenWork3, buffer.RankOneUpdate, buffer.SplitMap, buffer.EigenWork4, buffer.EigenScalars,
		buffer.Pointers}}
	sygvdDivision = byDivision{memory: [...]buffer.ID{buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3,
		buffer.RankOneUpdate, buffer.SplitMap, buffer.EigenWork4, buffer.EigenScalars, buffer.EigenWork5}}
	gesddDivision = byDivision{ownMatrices: true, memory: [...]buffer.ID{buffer.EigenWork1, buffer.EigenWork2,
		buffer.EigenWork3, buffer.SecondCopy, buffer.SplitMap, buffer.EigenWork5, buffer.EigenScalars,
		buffer.Pointers}}
)

// steps fills the memory and then computes eigenvalues and vectors. If a fill fails, it ends.
func (b byDivision) steps(w *Steps) {
	n := w.least()
	if n == 0 && !b.checked {
		return
	}
	r := reflectionsOf(w.Target, w.Args)
	if b.ownMatrices {
		r.arrays = zero
	}
	s := r.spectrum(w.Target, w.Args, n, b)
	defer w.begin()()
	for i, bytes := range [...]amount{s.work1, s.work2, s.work3, s.rankOne, s.splits, s.triangle, s.tau, s.pointers} {
		w.fill(Fill{ID: b.memory[i], Bytes: bytes.n, Checked: b.checked})
		if b.checked && i == 2 && !w.Release.StedcKeepsFewArrays {
			w.fill(Fill{Checked: true}) // memory that no call of the routine needs
		}
	}
	w.tridiagonal()
	if b.ownMatrices || w.vectors() || !w.HostSterf {
		w.divide(buffer.EigenWork1, false)
	}
}

// stedc divides problems for vectors.
func (w *Steps) stedc() {
	if w.vectors() {
		w.divide(buffer.DividedProducts, true)
	}
}

// divide fills the memory for the products of a divided problem.
func (w *Steps) divide(at buffer.ID, isChecked bool) {
	if n := w.least(); n >= Divided {
		w.fill(Fill{ID: at, Bytes: product(2, n, n, w.Routine.Type.RealSize(), w.Batch()).n, Checked: isChecked})
	}
}

// sygs2Steps solves with single columns.
func sygs2Steps(w *Steps) {
	w.Vectors = columnSolves(w.Args, w.Int(routine.N))
	w.launch()
}

// columnSolves counts the solves of the unblocked reduction to standard form, which solves with each column after the
// first in one of the three forms.
func columnSolves(a *routine.Args, block int64) int64 {
	if a.Int(routine.Itype) != routine.EformAx {
		return 0
	}
	n := a.Int(routine.N)
	if n < 2 {
		return 0
	}
	return n - (n+block-1)/block
}
