package behavior

import (
	"math"
	"math/bits"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Eigenvalues of symmetric matrices, the reduction to tridiagonal form, and eigenvalues of tridiagonal matrices.
func eigen() []family {
	return []family{
		{ID: routine.Sygs2, checks: standard, size: sygs2, steps: sygs2Steps},
		{ID: routine.Sygst, checks: standard, size: sygst, steps: launchThen((*Steps).standardForm)},
		{ID: routine.Syev, checks: standard, size: syev, steps: launchThen((*Steps).tridiagonal)},
		{ID: routine.Syevd, checks: standard, size: syevd, steps: launchThen(syevdDivision.steps)},
		{ID: routine.Syevj, checks: jacobiChecks, size: syevj,
			steps: launchThen((*Steps).jacobi, (*Steps).checksWaits)},
		{ID: routine.Syevdj, checks: standard, size: syevdj, steps: launchThen(jacobiOr((*Steps).partialDivision))},
		{ID: routine.Sygv, checks: standard, size: sygv, steps: launchThen((*Steps).reduction, (*Steps).generalized)},
		{ID: routine.Sygvd, checks: standard, size: sygvd,
			steps: launchThen((*Steps).reduction, sygvdDivision.steps, (*Steps).backTransformation)},
		{ID: routine.Sygvj, checks: jacobiChecks, size: sygvj,
			steps: launchThen((*Steps).reduction, (*Steps).jacobi, (*Steps).backTransformation)},
		{ID: routine.Sygvdj, checks: standard, size: sygvdj,
			steps: launchThen((*Steps).reduction, jacobiOr((*Steps).generalized))},
		{ID: routine.Syevx, checks: rangeChecks, size: syevx, steps: launchThen((*Steps).tridiagonal)},
		{ID: routine.Syevdx, checks: rangeChecks, size: syevdx, steps: launchThen((*Steps).partialDivision)},
		{ID: routine.Sygvx, checks: rangeChecks, size: sygvx,
			steps: launchThen((*Steps).reduction, (*Steps).generalized)},
		{ID: routine.Sygvdx, checks: rangeChecks, size: sygvdx,
			steps: launchThen((*Steps).reduction, (*Steps).generalized)},
		{ID: routine.SyevdxInPlace, checks: rangeChecks, size: syevdxInPlace,
			steps: launchThen((*Steps).partialDivision, (*Steps).eigenvalueCount)},
		{ID: routine.SygvdxInPlace, checks: rangeChecks, size: sygvdxInPlace,
			steps: launchThen((*Steps).reduction, (*Steps).generalized, (*Steps).eigenvalueCount)},

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

var emptyInterval = badInterval(routine.Erange, routine.ErangeValue, math.Inf(-1), "must be less than vu")

var badEigenIndices = badIndices(routine.Erange, routine.ErangeIndex, n)

// perProblem are arrays of Jacobi methods with one number for each problem, needed unless the batch is empty.
var perProblem = []condition{null(routine.Residual).unless(isZero(batchCount)),
	null(routine.Sweeps).unless(isZero(batchCount))}

// jacobiChecks checks a routine that computes eigenvalues by a Jacobi method.
var jacobiChecks = solverChecks{sizes: []condition{none(routine.MaxSweeps)}, special: perProblem}.rules

// rangeChecks checks a routine that computes the eigenvalues in a range.
var rangeChecks = solverChecks{sizes: []condition{emptyInterval, badEigenIndices},
	special: []condition{ldWhenVectors(routine.LDZ), null(routine.Nev).unless(isZero(batchCount)),
		wantedVectors(routine.MatZ), wantedVectors(routine.Ifail)}}.rules

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
var tridiagonalVectors = solverChecks{special: []condition{ldWhenVectors(routine.LDC), wantedVectors(matC)}}.rules

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
func (r *callSizes) standardUnblocked(n int64) standardization {
	s := standardization{scalars: r.scalars(), store: product(r.element, 3, r.batch), pointers: r.arrays}
	if r.Int(routine.Itype) != routine.EformAx {
		s.work = product(r.element, n, r.batch)
	}
	return s
}

// standard is sygst, which solves with the blocks of the factor (roclapack_sygst_hegst.hpp). The solve with a block on
// the diagonal needs no memory: its order is small enough for rocSOLVER's own kernels.
func (r *callSizes) standard() standardization {
	if r.n < standardBlock || r.batch == 0 {
		return r.standardUnblocked(r.n)
	}
	s := r.standardUnblocked(standardBlock)
	if r.Int(routine.Itype) != routine.EformAx {
		return s
	}
	w := r.reducedSolve(r.n-standardBlock, standardBlock)
	s.work, s.pointers = larger(s.work, w.x), larger(s.pointers, w.xPointers)
	s.store, s.inverse = larger(s.store, w.inverse), w.inversePointers
	return s
}

func (s standardization) addTo(r *request) {
	r.addAll([]piece{{buffer.Scalars, s.scalars}, {buffer.EigenWork1, s.work}, {buffer.EigenWork2, s.pointers},
		{buffer.EigenWork3, s.store}})
}

func sygs2(r *request) { r.standardUnblocked(r.n).addTo(r) }

// sygst has the library's scalars, work_x_temp, workArr_temp_arr, store_wcs_invA and invA_arr.
func sygst(r *request) {
	s := r.standard()
	s.addTo(r)
	r.add(buffer.EigenWork4, s.inverse)
}

// spectrum is the memory of syev.
type spectrum struct{ scalars, work, applied, triangle, tau, pointers amount }

// eigenvalues is syev: sytrd, then sterf, or orgtr and steqr (roclapack_syev_heev.hpp).
func (r *callSizes) eigenvalues() (s spectrum) {
	if r.n <= 1 || r.batch == 0 {
		return s
	}
	b := r.tridiagonalInPlace(r.n)
	s = spectrum{scalars: b.scalars, work: larger(b.work, r.eigenStack(r.vectors(), r.n)), applied: b.norms,
		triangle: b.tau, pointers: b.pointers, tau: product(r.element, r.n, r.batch)}
	if r.vectors() {
		g := r.generateShifted(leftSide, r.n)
		s.work, s.applied = larger(s.work, g.work), larger(s.applied, g.applied)
		s.triangle = larger(s.triangle, g.triangle)
	}
	return s
}

// syev has the library's scalars, work_stack, Abyx_norms_tmptr, tmptau_trfact, tau and workArr.
func syev(r *request) {
	s := r.eigenvalues()
	r.addAll([]piece{{buffer.Scalars, s.scalars}, {buffer.EigenWork1, s.work}, {buffer.EigenWork2, s.applied},
		{buffer.EigenWork3, s.triangle}, {buffer.EigenScalars, s.tau}, {buffer.Pointers, s.pointers}})
}

// jacobi is the memory of syevj.
type jacobi struct{ copied, rotations, norms, top, bottom, done amount }

// jacobiRotations is syevj (roclapack_syevj_heevj.hpp).
func (r *callSizes) jacobiRotations(vectors bool, n int64) (j jacobi) {
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

func syevj(r *request) {
	j := r.jacobiRotations(r.vectors(), r.n)
	r.addAll([]piece{{buffer.MatrixCopy, j.copied}, {buffer.JacobiRotations, j.rotations},
		{buffer.JacobiNorms, j.norms}, {buffer.JacobiTop, j.top}, {buffer.JacobiBottom, j.bottom},
		{buffer.JacobiDone, j.done}})
}

// generalized is the memory of a generalized problem. potrf, sygst, the standard problem and the solve that transforms
// its vectors back share it.
type generalized struct{ work1, work2, work3, work4 amount }

// generalized returns the memory without the standard problem.
func (r *callSizes) generalized() (g generalized) {
	solve, s := r.choleskySolve(), r.standard()
	g.share(solve.x, solve.xPointers, solve.inverse, solve.inversePointers)
	g.share(s.work, s.pointers, s.store, s.inverse)
	if r.vectors() && r.Int(routine.Itype) != routine.EformBax {
		w := r.reducedSolve(r.n, r.n)
		g.share(w.x, w.xPointers, w.inverse, w.inversePointers)
	}
	return g
}

// share makes the memory large enough for a further step.
func (g *generalized) share(work1, work2, work3, work4 amount) {
	g.work1, g.work2 = larger(g.work1, work1), larger(g.work2, work2)
	g.work3, g.work4 = larger(g.work3, work3), larger(g.work4, work4)
}

// general makes the demand of a generalized problem whose standard problem has four buffers that it shares, and others.
func (r *request) general(work1, work2, work3, work4 amount, others ...piece) {
	g := r.generalized()
	g.share(work1, work2, work3, work4)
	r.ofEigenvalues(r.scalars(), g.work1, g.work2, g.work3, g.work4, others)
	r.add(buffer.PanelInfo, product(4, r.batch))
}

// ofEigenvalues adds the buffers that most solvers have, and others.
func (r *request) ofEigenvalues(scalars, work1, work2, work3, work4 amount, others []piece) {
	r.addAll([]piece{{buffer.Scalars, scalars}, {buffer.EigenWork1, work1}, {buffer.EigenWork2, work2},
		{buffer.EigenWork3, work3}, {buffer.EigenWork4, work4}})
	r.addAll(others)
}

func sygv(r *request) {
	s := r.eigenvalues()
	r.general(s.work, s.applied, s.triangle, s.tau, piece{buffer.EigenWork5, s.pointers})
}

func sygvj(r *request) {
	j := r.jacobiRotations(r.vectors(), r.n)
	work5 := j.bottom
	if r.vectors() && r.Int(routine.Itype) == routine.EformBax {
		work5 = larger(work5, r.arrays)
	}
	r.general(j.copied, j.rotations, j.norms, j.top, piece{buffer.EigenWork5, work5},
		piece{buffer.EigenWork6, j.done})
}

// Columns of a panel of sytrd, and the order from which on it uses panels (ideal_sizes.hpp).
const (
	tridiagonalPanel     = 64
	tridiagonalUnblocked = 256
)

// tridiagonalization is the memory of sytrd.
type tridiagonalization struct{ scalars, work, norms, tau, pointers amount }

// tridiagonalColumns is latrd, and most of sytd2 (rocauxiliary_latrd.hpp, roclapack_sytd2_hetd2.hpp).
func (r *callSizes) tridiagonalColumns(n int64) (b tridiagonalization) {
	b.scalars = r.scalars()
	work, _ := r.make(n)
	b.work = largest(work, r.sumsOfColumn(n), product(r.element, ceilDiv(n, 64), n, r.batch))
	b.norms = product(r.element, r.batch)
	return b
}

// tridiagonalUnblocked is sytd2 (roclapack_sytd2_hetd2.hpp).
func (r *callSizes) tridiagonalUnblocked(n int64) tridiagonalization {
	b := r.tridiagonalColumns(n)
	if n > 0 {
		b.tau, b.pointers = product(r.element, r.batch), r.arrays
	}
	return b
}

// tridiagonal is sytrd. It keeps a copy of the triangle that it must not change. Beyond order 256 it works in panels
// and adds up products of blocks of four rows (roclapack_sytrd_hetrd.hpp).
func (r *callSizes) tridiagonal(n int64) tridiagonalization {
	b := r.tridiagonalInPlace(n)
	b.work = b.work.plus(product(r.element, n, n, r.batch))
	return b
}

// tridiagonalInPlace is sytrd without the copy.
func (r *callSizes) tridiagonalInPlace(n int64) tridiagonalization {
	b := r.tridiagonalUnblocked(n)
	if n > tridiagonalUnblocked {
		b.norms = product(r.element, n+tridiagonalPanel, ceilDiv(n, 4), r.batch)
		b.tau = larger(b.tau, unsigned32(n*tridiagonalPanel).times(r.element).times(r.batch))
		b.pointers = r.arrays.times(2)
	}
	return b
}

func latrd(r *request) {
	if r.k == 0 {
		return
	}
	r.tridiagonalColumns(r.n).columns(r)
}

func sytd2(r *request) { r.tridiagonalUnblocked(r.n).addTo(r) }

func sytrd(r *request) { r.tridiagonal(r.n).addTo(r) }

func (b tridiagonalization) columns(r *request) {
	r.addAll([]piece{{buffer.Scalars, b.scalars}, {buffer.ReflectionOrProduct, b.work},
		{buffer.ReflectionNorms, b.norms}})
}

func (b tridiagonalization) addTo(r *request) {
	b.columns(r)
	r.add(buffer.ScalarReflection, b.tau)
	r.add(buffer.ReflectionPointers, b.pointers)
}

const stackedNumbers = 64

// eigenStack is the stack of sterf, or the rotations of steqr (rocauxiliary_sterf.hpp, rocauxiliary_steqr.hpp).
func (r *callSizes) eigenStack(vectors bool, n int64) amount {
	switch {
	case n == 0 || r.batch == 0:
		return zero
	case vectors:
		return product(r.real, 2, n, r.batch)
	}
	return product(4, stackedNumbers, r.batch)
}

func sterf(r *request) { r.add(buffer.EigenStack, r.eigenStack(false, r.n)) }

func steqr(r *request) { r.add(buffer.EigenStack, r.eigenStack(r.vectors(), r.n)) }

// division is the memory of stedc.
type division struct{ vectors, products, stack, rankOne, splits, pointers amount }

// divide is stedc of order n for a job: sterf without vectors, steqr of a small matrix, otherwise divide and conquer
// (rocauxiliary_stedc.hpp).
func (r *callSizes) divide(job, n int64) (d division) {
	if n <= 1 || r.batch == 0 {
		return d
	}
	d.stack = r.eigenStack(job != routine.EvectNone, n)
	if job == routine.EvectNone || n < divided {
		return d
	}
	square := unsigned32(n * n).times(r.real).times(r.batch)
	if job == routine.EvectOriginal {
		d.vectors = square
	}
	if r.Release.StedcKeepsFewArrays {
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
	if n <= divided {
		return 0
	}
	return int64(1) << (bits.Len64(uint64(n-1)) - 5)
}

func stedc(r *request) {
	s := r.divide(r.Int(routine.Evect), r.n)
	r.addAll([]piece{{buffer.EigenStack, s.stack}, {buffer.DividedVectors, s.vectors},
		{buffer.DividedProducts, s.products}, {buffer.RankOneUpdate, s.rankOne}, {buffer.SplitMap, s.splits},
		{buffer.Pointers, s.pointers}})
}

// stebz is bisection (rocauxiliary_stebz.hpp).
func stebz(r *request) {
	if r.n == 0 {
		return
	}
	r.addAll([]piece{{buffer.BisectionCounts, product(4, r.n)}, {buffer.BisectionPivots, product(r.real)},
		{buffer.BisectionSquares, product(r.real, r.n-1)}, {buffer.BisectionBounds, product(r.real, 2)},
		{buffer.BisectionIntervals, product(r.real, 4, r.n)}, {buffer.BisectionNumbers, product(4, 4, r.n)}})
}

// stein is inverse iteration (rocauxiliary_stein.hpp).
func stein(r *request) {
	r.addAll([]piece{{buffer.EigenStack, product(r.real, 5, r.n)}, {buffer.BisectionCounts, product(4, r.n)}})
}

// dividedSpectrum is the memory of syevd, without its scalars.
type dividedSpectrum struct {
	work1, work2, work3, rankOne, splits, triangle, tau, pointers amount
}

// dividedEigenvalues is syevd: sytrd, then stedc, which is sized even if the device computes only eigenvalues, and
// ormtr (roclapack_syevd_heevd.hpp).
func (r *callSizes) dividedEigenvalues(vectors bool, n int64) (s dividedSpectrum) {
	if n <= 1 || r.batch == 0 {
		return s
	}
	b, v := r.tridiagonalInPlace(n), division{}
	if vectors || !r.HostSterf {
		v = r.divide(routine.EvectTridiagonal, n)
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
func (r *callSizes) spectrum(n int64, b byDivision) dividedSpectrum {
	vectors := b.ownMatrices || r.vectors()
	s := r.dividedEigenvalues(vectors, n)
	if b.solves && vectors && n > reflectionBlock && !r.Release.GeqrfWithoutSolve {
		w := r.solveWithFactor(leftSide, n, n)
		s.work2, s.splits = larger(s.work2, w.x), larger(s.splits, w.inverse)
	}
	return s
}

// syevd has the library's scalars, work1 to work3, tmpz, splits, tmptau_W, tau and workArr.
func syevd(r *request) {
	if r.n <= 1 || r.batch == 0 {
		return
	}
	s := r.spectrum(r.n, syevdDivision)
	r.addAll([]piece{{buffer.Scalars, r.scalars()}, {buffer.EigenWork1, s.work1}, {buffer.EigenWork2, s.work2},
		{buffer.EigenWork3, s.work3}, {buffer.RankOneUpdate, s.rankOne}, {buffer.SplitMap, s.splits},
		{buffer.EigenWork4, s.triangle}, {buffer.EigenScalars, s.tau}, {buffer.Pointers, s.pointers}})
}

// sygvd has the library's scalars, work1 to work4, tmpz, splits, tau, pivots_workArr and iinfo.
func sygvd(r *request) {
	if r.n > 1 && r.HostSterf && !r.vectors() && !r.Release.StedcKeepsFewArrays {
		r.Unknown = "the library adds a number that it never sets, so the size is different in each process"
		return
	}
	s := r.spectrum(r.n, sygvdDivision)
	r.general(s.work1, s.work2, s.work3, s.triangle, piece{buffer.RankOneUpdate, s.rankOne},
		piece{buffer.SplitMap, s.splits}, piece{buffer.EigenScalars, s.tau}, piece{buffer.EigenWork5, s.pointers})
}

// divideByJacobi is stedcj of order n: divide and conquer whose small blocks are solved by Jacobi's method
// (rocauxiliary_stedcj.hpp).
func (r *callSizes) divideByJacobi(n int64) (d division) {
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

func dividesByJacobi(vectors bool, n int64) bool { return vectors && n >= divided }

// dividedJacobiEigenvalues is syevdj: syevj of a small matrix or without vectors, otherwise sytrd, stedcj and ormtr
// (roclapack_syevdj_heevdj.hpp).
func (r *callSizes) dividedJacobiEigenvalues() (s dividedJacobi) {
	n := r.n
	if n <= 1 || r.batch == 0 {
		return s
	}
	if !dividesByJacobi(r.vectors(), n) {
		j := r.jacobiRotations(r.vectors(), n)
		return dividedJacobi{other: product(r.real, r.batch), tau: j.rotations, copied: j.copied,
			splits: product(4, r.batch), work1: j.norms, work2: j.top, work3: j.bottom, work4: j.done}
	}
	b, v, p := r.tridiagonalInPlace(n), r.divideByJacobi(n), r.multiply(leftSide, n, n, n)
	return dividedJacobi{
		scalars: b.scalars, other: product(r.real, n, r.batch), tau: product(r.element, n, r.batch),
		copied: product(r.element, n, n, r.batch), splits: v.splits,
		work1: largest(b.work, v.stack, p.applied), work2: largest(b.norms, v.vectors, p.diagonal),
		work3: largest(b.tau, v.products, p.triangle), work4: v.rankOne, pointers: r.arrays.times(2),
	}
}

func syevdj(r *request) {
	s := r.dividedJacobiEigenvalues()
	r.ofEigenvalues(s.scalars, s.work1, s.work2, s.work3, s.work4, s.pieces())
}

func (s *dividedJacobi) pieces() []piece {
	return []piece{{buffer.TridiagonalSubdiagonal, s.other}, {buffer.EigenScalars, s.tau},
		{buffer.MatrixCopy, s.copied}, {buffer.SplitMap, s.splits}, {buffer.Pointers, s.pointers}}
}

func sygvdj(r *request) {
	s := r.dividedJacobiEigenvalues()
	r.general(s.work1, s.work2, s.work3, s.work4, s.pieces()...)
}

// partialSpectrum is the memory of syevx, which syevdx shares.
type partialSpectrum struct {
	scalars, work1, work2, work3, work4, work5, work6  amount
	diagonal, other, blocks, ends, tau, splitsOrArrays amount
}

// partialEigenvalues is the part that syevx and syevdx share: sytrd, the tridiagonal matrix and, if vectors are
// transformed back, ormtr.
func (r *callSizes) partialEigenvalues(transforms bool) partialSpectrum {
	n := r.n
	b, reals := r.tridiagonalInPlace(n), product(r.real, n, r.batch)
	s := partialSpectrum{scalars: b.scalars, work1: b.work, work2: b.norms, work3: b.tau, splitsOrArrays: b.pointers,
		diagonal: reals, other: reals, tau: product(r.element, n, r.batch)}
	if transforms {
		p := r.multiply(leftSide, n, n, n)
		s.work1, s.work2 = larger(s.work1, p.applied), larger(s.work2, p.diagonal)
		s.work3 = larger(s.work3, p.triangle)
	}
	return s
}

// bisect adds stebz, which is sized with complex numbers for a complex matrix, and stein for vectors.
func (s *partialSpectrum) bisect(r *callSizes) {
	n, integers := r.n, product(4, r.n, r.batch)
	s.work1, s.work2 = larger(s.work1, integers), larger(s.work2, product(r.element, r.batch))
	s.work3 = larger(s.work3, product(r.element, n-1, r.batch))
	s.work4 = product(r.element, 2, r.batch)
	s.work5, s.work6 = product(r.element, 4, n, r.batch), product(4, 4, n, r.batch)
	if r.vectors() {
		s.work1, s.work2 = larger(s.work1, product(r.real, 5, n, r.batch)), larger(s.work2, integers)
	}
	s.blocks, s.ends = integers, integers
	s.splitsOrArrays = larger(s.splitsOrArrays, product(4, r.batch))
}

// byBisection is syevx (roclapack_syevx_heevx.hpp).
func (r *callSizes) byBisection() partialSpectrum {
	s := r.partialEigenvalues(r.vectors())
	s.bisect(r)
	return s
}

// byDivision is syevdx: bisection of a small matrix or without vectors, otherwise stedcx
// (roclapack_syevdx_heevdx.hpp). ormtr is sized even if only eigenvalues are computed.
func (r *callSizes) byDivision() partialSpectrum {
	n, s := r.n, r.partialEigenvalues(true)
	if !r.vectors() || n < divided {
		s.bisect(r)
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

func (s partialSpectrum) standard(r *request) {
	r.ofEigenvalues(s.scalars, s.work1, s.work2, s.work3, s.work4, s.pieces())
}

// general is sygvx and sygvdx (roclapack_sygvx_hegvx.hpp, roclapack_sygvdx_hegvdx.hpp).
func (s partialSpectrum) general(r *request) {
	r.general(s.work1, s.work2, s.work3, s.work4, s.pieces()...)
}

func syevx(r *request)  { r.byBisection().standard(r) }
func syevdx(r *request) { r.byDivision().standard(r) }
func sygvx(r *request)  { r.byBisection().general(r) }
func sygvdx(r *request) { r.byDivision().general(r) }

func syevdxInPlace(r *request) {
	syevdx(r)
	r.eigenInPlace()
}

func sygvdxInPlace(r *request) {
	sygvdx(r)
	r.eigenInPlace()
}

// eigenInPlace is for solvers that store vectors in A. They keep a copy of it, and the number of eigenvalues
// (roclapack_syevdx_heevdx_inplace.hpp).
func (r *request) eigenInPlace() {
	place := buffer.EigenWork4
	if r.n >= divided {
		place = buffer.BlockMap
	}
	if r.vectors() {
		r.Optimal.raise(place, product(r.element, r.n, r.n))
	}
	r.add(buffer.EigenvalueCount, product(4))
}

// partialDivision adds the waits of some eigenvalues by division.
func (w *Steps) partialDivision() {
	w.tridiagonal()
	w.division()
}

// jacobiOr divides large problems for vectors, and computes others by Jacobi's method.
func jacobiOr(divided func(*Steps)) func(*Steps) {
	return func(w *Steps) {
		if dividesByJacobi(w.vectors(), w.n) {
			divided(w)
			return
		}
		w.jacobi()
	}
}

// eigenvalueCount copies the number of eigenvalues to the host.
func (w *Steps) eigenvalueCount() { w.do(CopyResult) }

// jacobi waits in each sweep, and the data decide how many sweeps it makes.
func (w *Steps) jacobi() { w.iteration(w.n > jacobiWaits, countBytes) }

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
	if !w.OnDevice || !w.vectors() || w.n < divided {
		return
	}
	s := Step{Times: 1, Scalars: scalarsOfProduct, ScalarBytes: w.element}
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
	n, vectors := w.n, w.n
	if w.Routine.Has(routine.Erange) && w.Int(routine.Erange) == routine.ErangeIndex {
		vectors = w.Int(routine.UpperIndex) - w.Int(routine.LowerIndex) + 1
	}
	w.solve(1, n, vectors)
}

// tridiagonalPanel is latrd.
func (w *Steps) tridiagonalPanel() {
	w.reflectIf(w.n > 1 && w.k >= w.n-1, buffer.ReflectionNorms)
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
	for rest := w.n - standardBlock; rest > 0; rest -= standardBlock {
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
	r := w.callSizes
	if b.ownMatrices {
		r.arrays = zero
	}
	s := r.spectrum(n, b)
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
	if n := w.least(); n >= divided {
		w.fill(Fill{ID: at, Bytes: product(2, n, n, w.real, w.batch).n, Checked: isChecked})
	}
}

// sygs2Steps solves with single columns.
func sygs2Steps(w *Steps) {
	w.Vectors = columnSolves(w.Args, w.n)
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
