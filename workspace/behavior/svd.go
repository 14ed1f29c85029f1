package behavior

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Singular values, and the reduction to bidiagonal form.
func svd() []family {
	return []family{
		{
			ID: routine.Gesvd,
			checks: solverChecks{vectors: true, special: []condition{nullRightVectors,
				either(notOneOf(routine.RightSvect, routine.SingularVectorJob), bothOverwrite)}}.rules,
			size:  gesvd,
			steps: launchThen((*Steps).singularValues, (*Steps).qrIteration, (*Steps).waitsLast),
		},
		{ID: routine.Gesvdj, checks: singularJacobi, size: gesvdj,
			steps: launchThen((*Steps).singularValuesByJacobi)},
		{ID: routine.GesvdjNotTransposed, checks: singularJacobi, size: gesvdjNotTransposed,
			steps: launchThen((*Steps).singularValuesByJacobi)},
		{
			ID: routine.Gesdd,
			checks: solverChecks{vectors: true, special: []condition{nullVectors(routine.MatU, routine.LeftSvect, m),
				nullVectors(routine.MatV, routine.RightSvect, n)}}.rules,
			size:  gesdd,
			steps: launchThen(gesddDivision.steps, func(w *Steps) { w.squareFactorization(buffer.EigenWork3) }),
		},
		{ID: routine.Gesvdx, also: ids{routine.GesvdxNotTransposed}, checks: partialSingular, size: gesvdx,
			steps: launchThen((*Steps).singularValues)},
		{
			ID: routine.Bdsqr,
			checks: solverChecks{sizes: []condition{negative(routine.NV), negative(routine.NU), negative(routine.NC)},
				special: []condition{ldWhenColumns(routine.LDV, routine.NV),
					ldWhenColumns(routine.LDC, routine.NC)}}.rules,
			size:  bdsqr,
			steps: launchThen((*Steps).qrIteration, (*Steps).checksWaits),
		},
		{
			ID: routine.Bdsvdx,
			checks: solverChecks{sizes: []condition{emptySingularInterval, badSingularIndices(n)},
				special: []condition{ldBelow(routine.LDZ, stackedRows),
					quadratic(routine.MatZ).unless(withoutVectors(routine.Svect)),
					quadratic(routine.Ifail).unless(withoutVectors(routine.Svect))}}.rules,
			size:  bdsvdx,
			steps: noSteps,
		},

		{ID: routine.Labrd, checks: solverChecks{sizes: []condition{negative(k), exceeds(k, m), exceeds(k, n)}}.rules,
			size: labrd, steps: launchThen((*Steps).bidiagonalPanel)},
		{ID: routine.Gebd2, checks: standard, size: gebd2, steps: launchThen((*Steps).bidiagonal)},
		{ID: routine.Gebrd, checks: standard, size: gebrd, steps: launchThen((*Steps).bidiagonal)},
	}
}

// singularJacobi are the checks of gesvdj, partialSingular of gesvdx.
var (
	singularJacobi = solverChecks{vectors: true, sizes: []condition{none(routine.MaxSweeps)}, special: perProblem}.rules

	partialSingular = solverChecks{vectors: true, sizes: []condition{emptySingularInterval, badSingularIndices(m, n)},
		special: []condition{null(routine.Nsv).unless(isZero(batchCount)),
			rectangular(routine.Ifail).unless(noSingularVectors)}}.rules
)

var emptySingularInterval = badInterval(routine.Srange, routine.SrangeValue, 0,
	"must not be negative and be less than vu")

func badSingularIndices(dims ...routine.Slot) condition {
	return badIndices(routine.Srange, routine.SrangeIndex, dims...)
}

var bothOverwrite = condition{
	slot: routine.RightSvect,
	test: func(a *routine.Args) bool {
		return a.Int(routine.LeftSvect) == routine.SvectOverwrite && a.Int(routine.RightSvect) == routine.SvectOverwrite
	},
	message: func(*routine.Args) string { return "left_svect and right_svect are both svect_overwrite" },
}

func stored(job int64) bool { return job == routine.SvectAll || job == routine.SvectSingular }

// stackedRows returns the rows of Z of bdsvdx: left vectors above right vectors.
func stackedRows(a *routine.Args) int64 {
	if a.Int(routine.Svect) == routine.SvectNone {
		return 1
	}
	return in32Bits(2 * a.Int(n))
}

// nullRightVectors holds for a null V that is needed. gesvd looks at n only.
var nullRightVectors = nullIf(routine.MatV, func(a *routine.Args) bool {
	return stored(a.Int(routine.RightSvect)) && a.Int(n) != 0
})

// nullVectors holds for a null array of singular vectors that gesdd stores. All vectors of an empty matrix are still
// stored, if their side is not empty.
func nullVectors(array, job, side routine.Slot) condition {
	return nullIf(array, func(a *routine.Args) bool {
		switch a.Int(job) {
		case routine.SvectAll:
			return a.Int(side) > 0
		case routine.SvectSingular:
			return min(a.Int(m), a.Int(n)) > 0
		}
		return false
	})
}

// ldWhenColumns holds for a leading dimension below 1, or below n of a matrix that has columns.
func ldWhenColumns(ld, columns routine.Slot) condition {
	return ldBelow(ld, func(a *routine.Args) int64 {
		if a.Int(columns) == 0 {
			return 1
		}
		return max(1, a.Int(n))
	})
}

// withoutVectors holds when a job computes no vectors.
func withoutVectors(job routine.Slot) condition {
	return exception(func(a *routine.Args) bool { return a.Int(job) == routine.SvectNone })
}

var noSingularVectors = both(withoutVectors(routine.LeftSvect), withoutVectors(routine.RightSvect))

// bidiagonalQR is bdsqr for a matrix of order n with columns of V, rows of U and columns of C: the map of blocks, the
// rotations, and the finished problems (rocauxiliary_bdsqr.hpp). Inside gesvd the library computes the numbers of the
// rotations in 32 bits, alone it adds 4 in 64 bits.
func (r *callSizes) bidiagonalQR(n, nv, nu, nc int64, alone bool) (splits, work, done amount) {
	rotations := int64(0)
	if nv != 0 {
		rotations += 2
	}
	if nu != 0 || nc != 0 {
		rotations += 2
	}
	splits = signed32(2 * n).times(4).times(r.batch)
	work = signed32(4 + rotations*n)
	if alone {
		work = signed32(rotations * n).plus(product(4))
	}
	return splits, work.times(r.real).times(r.batch), product(4, r.batch+2)
}

func bdsqr(r *request) {
	splits, work, done := r.bidiagonalQR(r.n, r.Int(routine.NV), r.Int(routine.NU), r.Int(routine.NC), true)
	r.addAll([]piece{{buffer.SplitMap, splits}, {buffer.RotationWork, work}, {buffer.JacobiDone, done}})
}

// decomposition is the memory of gesvd that its steps share.
type decomposition struct{ work, applied, x, y amount }

func (v *decomposition) use(work, applied, x, y amount) {
	v.work, v.applied = larger(v.work, work), larger(v.applied, applied)
	v.x, v.y = larger(v.x, x), larger(v.y, y)
}

func (v *decomposition) generate(g generation) { v.use(g.work, g.applied, g.triangle, zero) }

// gesvd reduces the matrix to bidiagonal form, a long or wide one after a QR or LQ factorization (roclapack_gesvd.hpp).
// The library's names are scalars, work_workArr, Abyx_norms_tmptr_cmplt, Abyx_norms_trfact_X, diag_tmptr_Y, tau_splits,
// tempArrayT, tempArrayC and workArr.
func gesvd(r *request) {
	var v decomposition
	narrow, square, whole := isNarrow(r.m, r.n), zero, zero
	scalars, splits := v.reduce(&r.callSizes, narrow)
	if narrow {
		fast := r.Int(routine.FastAlg) == routine.WorkOutofplace
		v.narrowVectors(&r.callSizes, fast)
		lead, other := r.jobs()
		if fast || lead == routine.SvectOverwrite && other == routine.SvectNone {
			square = product(r.element, r.least(), r.least(), r.batch)
		}
		if fast && (other == routine.SvectNone || other == routine.SvectOverwrite || lead == routine.SvectOverwrite) {
			whole = product(r.element, r.m, r.n, r.batch)
		}
	} else {
		v.vectors(&r.callSizes)
	}
	r.addAll([]piece{{buffer.Scalars, scalars}, {buffer.EigenWork1, v.work}, {buffer.EigenWork2, v.applied},
		{buffer.EigenWork3, v.x}, {buffer.EigenWork4, v.y}, {buffer.EigenScalars, splits},
		{buffer.EigenWork5, square}, {buffer.EigenWork6, whole}, {buffer.Pointers, r.arrays.times(2)}})
}

// narrowFactor is how many times longer than wide a matrix is that gesvd factorizes first (ideal_sizes.hpp).
const narrowFactor = 1.6

func isNarrow(m, n int64) bool {
	return float64(m) >= narrowFactor*float64(n) || float64(n) >= narrowFactor*float64(m)
}

// least returns the smaller size of a matrix, or the order of a square one.
func (r *callSizes) least() int64 { return min(r.m, r.n) }

// jobs returns the jobs of the singular vectors of the longer and of the shorter side.
func (r *callSizes) jobs() (lead, other int64) {
	left, right := r.Int(routine.LeftSvect), r.Int(routine.RightSvect)
	if r.m >= r.n {
		return left, right
	}
	return right, left
}

// reduce adds gebrd, bdsqr, and the factorization of a narrow matrix.
func (v *decomposition) reduce(r *callSizes, narrow bool) (scalars, splits amount) {
	m, n, k := r.m, r.n, r.least()
	if narrow {
		f := r.qrOrLQ(m, n)
		v.use(f.work, zero, f.applied, f.diagonal)
		m, n = k, k
	}
	b := r.bidiagonal(m, n)
	v.use(b.work, b.applied, b.x, b.y)
	nu, nv := k, k // other numbers of vectors need the same
	if r.Int(routine.LeftSvect) == routine.SvectNone {
		nu = 0
	}
	if r.Int(routine.RightSvect) == routine.SvectNone {
		nv = 0
	}
	splits, work, done := r.bidiagonalQR(k, nv, nu, 0, false)
	v.use(work, done, zero, zero)
	return b.scalars, larger(splits, product(2, r.element, k, r.batch))
}

func (v *decomposition) narrowVectors(r *callSizes, fast bool) {
	lead, other := r.jobs()
	leadStorev, otherStorev, s := int64(routine.StorevColumns), int64(routine.StorevRows), rightSide
	if r.m < r.n {
		leadStorev, otherStorev, s = otherStorev, leadStorev, leftSide
	}
	k := r.least()
	if !fast && lead != routine.SvectNone {
		p := r.multiply(s, r.m, r.n, k)
		v.use(zero, p.applied, p.triangle, p.diagonal)
	}
	if other != routine.SvectNone {
		v.generate(r.generateBidiagonal(otherStorev, k, k, k))
	}
	if fast && lead != routine.SvectNone {
		v.generate(r.generateBidiagonal(leadStorev, k, k, k))
	}
	v.generate(r.generateLonger())
}

func (v *decomposition) vectors(r *callSizes) {
	left, right := r.least(), r.least() // numbers of vectors
	if r.Int(routine.LeftSvect) == routine.SvectAll {
		left = r.m
	}
	if r.Int(routine.RightSvect) == routine.SvectAll {
		right = r.n
	}
	if r.Int(routine.LeftSvect) != routine.SvectNone {
		v.generate(r.generateBidiagonal(routine.StorevColumns, r.m, left, r.n))
	}
	if r.Int(routine.RightSvect) != routine.SvectNone {
		v.generate(r.generateBidiagonal(routine.StorevRows, right, r.n, r.m))
	}
}

// gesvdj factorizes the matrix after the eigenvalues of A^H A or A A^H are found (roclapack_gesvdj.hpp). The library's
// names are scalars, VUtmp, work1_UVtmp, work2 to work4, work5_ipiv and work6_workArr.
func gesvdj(r *request) { r.singularByJacobi(r.copiesOfProducts()) }

// gesvdjNotTransposed stores V, not its adjoint, and factorizes the adjoint of a wide matrix
// (roclapack_gesvdj_notransv.hpp).
func gesvdjNotTransposed(r *request) {
	long := *r.Args
	if r.m < r.n {
		long.SetInt(routine.M, r.n)
		long.SetInt(routine.N, r.m)
		long.SetInt(routine.LeftSvect, r.Int(routine.RightSvect))
		long.SetInt(routine.RightSvect, r.Int(routine.LeftSvect))
	}
	r.read(r.Target, &long)
	squares, matrix := r.copiesOfProducts()
	if r.Int(routine.RightSvect) != routine.SvectNone {
		squares = zero
	}
	r.singularByJacobi(squares, matrix)
}

func (r *request) singularByJacobi(squares, matrix amount) {
	j, f, g := r.jacobiRotations(true, r.least()), r.qrOrLQ(r.m, r.n), r.generateLonger()
	r.addAll([]piece{{buffer.Scalars, f.scalars}, {buffer.MatrixCopy, squares},
		{buffer.EigenWork1, larger(j.copied, matrix)}, {buffer.EigenWork2, largest(j.rotations, f.work, g.work)},
		{buffer.EigenWork3, largest(j.norms, f.applied, g.applied)},
		{buffer.EigenWork4, largest(j.top, f.diagonal, g.triangle)},
		{buffer.EigenWork5, larger(j.bottom, product(r.element, r.least(), r.batch))},
		{buffer.Pointers, largest(j.done, f.pointers, r.arrays.times(2))}})
}

// gesdd computes the eigenvalues of A^H A or A A^H by syevd, and factorizes the product of A and the vectors
// (roclapack_gesdd.hpp). The array that holds the other diagonal of the tridiagonal matrix has the stride of S. The
// batch forms allocate it twice, but count it once in a size query.
func gesdd(r *request) {
	k := r.least()
	s, f, g := r.spectrum(k, gesddDivision), r.qrOrLQ(r.m, r.n), r.generateLonger()
	squares, matrix := r.copiesOfProducts()
	diagonal := product(r.element, k, max(int64(int32(r.Int(routine.StrideS))), 1), r.batch)
	diagonal = largest(diagonal, f.pointers, r.arrays.times(2))
	r.addAll([]piece{{buffer.MatrixCopy, squares}, {buffer.SecondCopy, larger(s.rankOne, matrix)},
		{buffer.Scalars, r.scalars()}, {buffer.EigenWork1, s.work1},
		{buffer.EigenWork2, largest(s.work2, f.work, g.work)},
		{buffer.EigenWork3, largest(s.work3, f.applied, g.applied)},
		{buffer.EigenWork4, larger(f.diagonal, g.triangle)}, {buffer.BidiagonalScalars, product(r.element, k, r.batch)},
		{buffer.SplitMap, s.splits}, {buffer.EigenWork5, s.triangle}, {buffer.EigenScalars, s.tau},
		{buffer.EigenWork6, diagonal}, {buffer.Pointers, s.pointers}})
	if r.inBatch() {
		r.Unreported = Buffer{buffer.RepeatedWork, diagonal.n}
	}
}

// copiesOfProducts is the memory of gesvdj and gesdd for A^H A or A A^H, and for its product with A, unless arrays of
// the call have room for them.
func (r *callSizes) copiesOfProducts() (squares, matrix amount) {
	if r.m >= r.n || r.Int(routine.LeftSvect) == routine.SvectNone {
		squares = product(r.element, r.least(), r.least(), r.batch)
	}
	if lead, _ := r.jobs(); lead == routine.SvectNone {
		matrix = product(r.element, r.m, r.n, r.batch)
	}
	return squares, matrix
}

// generateLonger makes the vectors of the longer side of a matrix after its factorization, if they are wanted.
func (r *callSizes) generateLonger() (g generation) {
	job, _ := r.jobs()
	if job == routine.SvectNone {
		return g
	}
	vectors, k := r.least(), r.least()
	if job == routine.SvectAll {
		vectors = max(r.m, r.n)
	}
	if r.m >= r.n {
		return r.generateColumns(r.m, vectors, k)
	}
	return r.generateRows(vectors, r.n, k)
}

// bidiagonalPanel is the size of the panels of gebrd, and the size from which on it uses panels (ideal_sizes.hpp).
const bidiagonalPanel = 64

// bidiagonalization is the memory of gebrd.
type bidiagonalization struct{ scalars, work, applied, x, y amount }

// bidiagonalPanels is labrd (rocauxiliary_labrd.hpp).
func (r *callSizes) bidiagonalPanels(m, n int64) (b bidiagonalization) {
	b.scalars = r.scalars()
	b.work, b.applied = r.make(max(m, n))
	b.work = larger(b.work, r.arrays.times(2))
	return b
}

// bidiagonalUnblocked is gebd2 (roclapack_gebd2.hpp).
func (r *callSizes) bidiagonalUnblocked(m, n int64) (b bidiagonalization) {
	if m == 0 || n == 0 {
		return b
	}
	work, norms := r.make(max(m, n))
	return bidiagonalization{scalars: r.scalars(), work: larger(r.arrays, work),
		applied: larger(r.apply(bothSides, m, n), norms)}
}

// bidiagonal is gebrd (roclapack_gebrd.hpp).
func (r *callSizes) bidiagonal(m, n int64) bidiagonalization {
	if m <= bidiagonalPanel || n <= bidiagonalPanel {
		return r.bidiagonalUnblocked(m, n)
	}
	done := min(m/bidiagonalPanel, n/bidiagonalPanel) * bidiagonalPanel
	b, rest := r.bidiagonalPanels(m, n), r.bidiagonalUnblocked(m-done, n-done)
	b.work, b.applied = larger(b.work, rest.work), larger(b.applied, rest.applied)
	b.x = unsigned32(m * bidiagonalPanel).times(r.element).times(r.batch)
	b.y = unsigned32(n * bidiagonalPanel).times(r.element).times(r.batch)
	return b
}

func labrd(r *request) {
	b := r.bidiagonalPanels(r.m, r.n)
	r.addAll([]piece{{buffer.Scalars, b.scalars}, {buffer.ReflectionWork, b.work},
		{buffer.ReflectionNorms, b.applied}})
}

func gebd2(r *request) { r.bidiagonalUnblocked(r.m, r.n).addTo(r) }

func gebrd(r *request) {
	b := r.bidiagonal(r.m, r.n)
	b.addTo(r)
	r.add(buffer.BidiagonalX, b.x)
	r.add(buffer.BidiagonalY, b.y)
}

func (b bidiagonalization) addTo(r *request) {
	r.addAll([]piece{{buffer.Scalars, b.scalars}, {buffer.ReflectionOrPointers, b.work},
		{buffer.AppliedReflectionOrNorms, b.applied}})
}

// bisection is the memory of bdsvdx, which computes eigenvalues and eigenvectors of a tridiagonal matrix of twice the
// order by stebz and stein.
type bisection struct {
	counts, work, squares, bounds, intervals, numbers amount // of stebz and stein
	blocks, blockMap, splits                          amount
	diagonal, other, values                           amount
}

// bisect is bdsvdx for matrices of order n (rocauxiliary_bdsvdx.hpp). The order of stebz and stein is computed in 32
// bits, with or without a sign.
func (r *callSizes) bisect(n int64, in32Bits func(int64) amount) (b bisection) {
	order := in32Bits(2 * n).times(r.batch)
	indices, reals := product(4, 2, n, r.batch), product(r.real, 2, n, r.batch)
	return bisection{
		counts: order.times(4), work: order.times(5).times(r.real),
		squares: in32Bits(2*n - 1).times(r.real).times(r.batch), bounds: product(r.real, 2, r.batch),
		intervals: order.times(4).times(r.real), numbers: order.times(4).times(4),
		blocks: product(4, r.batch), blockMap: indices, splits: indices,
		diagonal: reals, other: reals, values: reals,
	}
}

func bdsvdx(r *request) {
	b := r.bisect(r.n, unsigned32)
	r.addAll([]piece{{buffer.BisectionCounts, b.counts}, {buffer.EigenWork1, b.work},
		{buffer.BisectionSquares, b.squares}, {buffer.BisectionBounds, b.bounds},
		{buffer.BisectionIntervals, b.intervals}, {buffer.BisectionNumbers, b.numbers}, {buffer.BlockCount, b.blocks},
		{buffer.BlockMap, b.blockMap}, {buffer.SplitMap, b.splits}, {buffer.TridiagonalDiagonal, b.diagonal},
		{buffer.TridiagonalSubdiagonal, b.other}, {buffer.SingularValues, b.values}})
}

// gesvdx reduces the matrix to bidiagonal form, a long or wide one after a QR or LQ factorization, and multiplies the
// vectors of the bidiagonal matrix (roclapack_gesvdx.hpp). The library's names are scalars, WS_svdx1,
// WS_svdx2_lqrf1_brd1, WS_svdx3_lqrf2_brd2, WS_svdx4_lqrf3_brd3, WS_svdx5_brd4, WS_svdx6 to WS_svdx9,
// WS_svdx10_mlqr1_mbr1, WS_svdx11_mlqr2_mbr2, WS_svdx12_mlqr3_mbr3, tmpDE, tauqp, tmpZ, tau, tmpT, workArr and
// workArr2.
func gesvdx(r *request) {
	k, narrow := r.least(), isNarrow(r.m, r.n)
	found := k
	if r.Int(routine.Srange) == routine.SrangeIndex {
		found = r.Int(routine.UpperIndex) - r.Int(routine.LowerIndex) + 1
	}
	b, order := r.bisect(k, signed32), signed32(2*k)
	inner, tau, factor, pointers, arrays := r.callSizes, zero, zero, zero, zero
	if narrow {
		f := r.qrOrLQ(r.m, r.n)
		b.reduce(f.work, f.applied, f.diagonal, zero)
		tau, factor = product(r.element, k, r.batch), unsigned32(k*k).times(r.element).times(r.batch)
		pointers = f.pointers
		inner.m, inner.n, inner.arrays = k, k, zero // the triangle is a copy
	}
	g := inner.bidiagonal(inner.m, inner.n)
	b.reduce(g.work, g.applied, g.x, g.y)
	for _, s := range []sides{leftSide, rightSide} {
		if s == leftSide && r.Int(routine.LeftSvect) != routine.SvectSingular ||
			s == rightSide && r.Int(routine.RightSvect) != routine.SvectSingular {
			continue
		}
		pointers = larger(pointers, b.multiply(inner.multiplyFound(s, found)))
		if narrow && (s == leftSide) == (r.m >= r.n) {
			pointers = larger(pointers, b.multiply(r.multiplyFound(s, found)))
			arrays = r.arrays
		}
	}
	r.addAll([]piece{{buffer.Scalars, r.scalars()}, {buffer.BisectionCounts, b.counts},
		{buffer.EigenWork1, b.work}, {buffer.EigenWork2, b.squares}, {buffer.EigenWork3, b.bounds},
		{buffer.EigenWork4, b.intervals}, {buffer.BisectionNumbers, b.numbers}, {buffer.BlockCount, b.blocks},
		{buffer.BlockMap, b.blockMap}, {buffer.SplitMap, b.splits}, {buffer.EigenWork5, b.diagonal},
		{buffer.EigenWork6, b.other}, {buffer.TriangularFactor, b.values},
		{buffer.BidiagonalForm, order.times(r.real).times(r.batch)},
		{buffer.BidiagonalScalars, order.times(r.element).times(r.batch)},
		{buffer.SingularVectors, signed32(2 * k * found).times(r.real).times(r.batch)}, {buffer.EigenScalars, tau},
		{buffer.MatrixCopy, factor}, {buffer.Pointers, pointers}, {buffer.MatrixCopyPointers, arrays}})
}

// reduce adds a step that reduces the matrix, and multiply one that multiplies vectors, whose pointers it returns.
func (b *bisection) reduce(work, applied, x, y amount) {
	b.work, b.squares = larger(b.work, work), larger(b.squares, applied)
	b.bounds, b.intervals = larger(b.bounds, x), larger(b.intervals, y)
}

func (b *bisection) multiply(p multiplication) (pointers amount) {
	b.diagonal, b.other = larger(b.diagonal, p.applied), larger(b.other, p.diagonal)
	b.values = larger(b.values, p.triangle)
	return p.pointers
}

// multiplyFound multiplies the vectors of singular values that were found by the reflections of a side.
func (r *callSizes) multiplyFound(s sides, found int64) multiplication {
	if s == leftSide {
		return r.multiply(s, r.m, found, r.least())
	}
	return r.multiply(s, found, r.n, r.least())
}

// qrIteration is bdsqr.
func (w *Steps) qrIteration() { w.iteration(w.least() > 1, shiftBytes) }

// singularValuesByJacobi finds the eigenvalues of a product with the adjoint, and then factorizes the matrix.
func (w *Steps) singularValuesByJacobi() {
	w.iteration(w.least() > jacobiWaits, countBytes)
	w.squareFactorization(buffer.EigenWork3)
}

// bidiagonal is the whole reduction to bidiagonal form.
func (w *Steps) bidiagonal() {
	m, n := w.m, w.n
	w.bidiagonalOf(m, n, min(m, n), buffer.AppliedReflectionOrNorms)
}

// singularValues reduces a matrix, or the triangle of one that is much longer than wide, to bidiagonal form.
func (w *Steps) singularValues() {
	m, n := w.m, w.n
	k := min(m, n)
	if isNarrow(m, n) {
		m, n = k, k
	}
	w.bidiagonalOf(m, n, k, buffer.EigenWork2)
}

// bidiagonalPanel is labrd, which reduces the first k rows and columns.
func (w *Steps) bidiagonalPanel() {
	w.bidiagonalOf(w.m, w.n, w.k, buffer.ReflectionNorms)
}

// bidiagonalOf reflects columns below the diagonal and rows right of the superdiagonal, or, of a wide matrix, rows
// right of the diagonal and columns below the subdiagonal.
func (w *Steps) bidiagonalOf(m, n, k int64, norms buffer.ID) {
	least := min(m, n)
	w.reflectIf(least > 1 && k >= least-1, norms)
	w.reflectIf(least > 0 && m == n && k == n, norms)
}
