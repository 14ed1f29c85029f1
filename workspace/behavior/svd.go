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
			checks: solverChecks{freeLD: true, sizes: append(singularSizes, ldBelow(routine.LDV, rightRows)),
				special: []condition{either(illegal(routine.RightSvect, routine.SingularVectorJob), bothOverwrite),
					nullRightVectors}}.rules,
			size:  gesvd,
			steps: launchThen((*Steps).singularValues, (*Steps).qrIteration, (*Steps).waitsLast),
		},
		{
			ID: routine.Gesvdj,
			checks: solverChecks{freeLD: true,
				sizes:   append(singularSizes, ldBelow(routine.LDV, rightRows), none(routine.MaxSweeps)),
				special: append(perProblem, badStored(routine.LeftSvect), badStored(routine.RightSvect))}.rules,
			size:  gesvdj,
			steps: launchThen((*Steps).singularValuesByJacobi),
		},
		{
			ID: routine.GesvdjNotTransposed,
			checks: solverChecks{freeLD: true,
				sizes:   append(singularSizes, ldBelow(routine.LDV, storedColumns), none(routine.MaxSweeps)),
				special: append(perProblem, badStored(routine.LeftSvect), badStored(routine.RightSvect))}.rules,
			size:  gesvdjNotTransposed,
			steps: launchThen((*Steps).singularValuesByJacobi),
		},
		{
			ID: routine.Gesdd,
			checks: solverChecks{freeLD: true, sizes: append(singularSizes, ldBelow(routine.LDV, rightRows)),
				special: []condition{nullVectors(routine.MatU, routine.LeftSvect, m),
					nullVectors(routine.MatV, routine.RightSvect, n)}}.rules,
			size:  gesdd,
			steps: launchThen(gesddDivision.steps, func(w *Steps) { w.squareFactorization(buffer.EigenWork3) }),
		},
		{ID: routine.Gesvdx, checks: partialSingular(foundRows), size: gesvdx,
			steps: launchThen((*Steps).singularValues)},
		{ID: routine.GesvdxNotTransposed, checks: partialSingular(storedColumns), size: gesvdx,
			steps: launchThen((*Steps).singularValues)},
		{
			ID: routine.Bdsqr,
			checks: solverChecks{freeLD: true,
				sizes: []condition{negative(routine.NV), negative(routine.NU), negative(routine.NC),
					exceeds(routine.NU, routine.LDU), none(routine.LDV), none(routine.LDC),
					ldWhenColumns(routine.LDV, routine.NV), ldWhenColumns(routine.LDC, routine.NC)}}.rules,
			size:  bdsqr,
			steps: launchThen((*Steps).qrIteration, (*Steps).checksWaits),
		},
		{
			ID: routine.Bdsvdx,
			checks: solverChecks{freeLD: true,
				sizes: []condition{ldBelow(routine.LDZ, stackedRows), emptySingularInterval, badSingularIndices(n)},
				special: []condition{quadratic(routine.MatZ).unless(withoutVectors(routine.Svect)),
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

// partialSingular are the checks of gesvdx. rows returns the rows that V needs.
func partialSingular(rows func(*routine.Args) int64) builder {
	return solverChecks{freeLD: true,
		sizes: append(singularSizes, ldBelow(routine.LDV, rows), emptySingularInterval, badSingularIndices(m, n)),
		special: []condition{null(routine.Nsv).unless(isZero(batchCount)),
			rectangular(routine.Ifail).unless(noSingularVectors)}}.rules
}

func badSingularIndices(dims ...routine.Slot) condition {
	return badIndices(routine.Srange, routine.SrangeIndex, dims...)
}

// badStored holds for a job of gesvdj, which overwrites no matrix.
func badStored(job routine.Slot) condition {
	return notOneOf(job, routine.SingularVectorJob, routine.SvectAll, routine.SvectSingular, routine.SvectNone)
}

var bothOverwrite = condition{
	slot: routine.RightSvect,
	test: func(a *routine.Args) bool {
		return a.Int(routine.LeftSvect) == routine.SvectOverwrite && a.Int(routine.RightSvect) == routine.SvectOverwrite
	},
	message: func(*routine.Args) string { return "left_svect and right_svect are both svect_overwrite" },
}

// singularSizes are the sizes that singular value decompositions refuse, except ldv.
var singularSizes = []condition{
	ldBelow(routine.LDA, func(a *routine.Args) int64 { return a.Int(m) }),
	none(routine.LDU), none(routine.LDV),
	ldBelow(routine.LDU, func(a *routine.Args) int64 {
		if stored(a.Int(routine.LeftSvect)) {
			return a.Int(m)
		}
		return 1
	}),
}

func stored(job int64) bool { return job == routine.SvectAll || job == routine.SvectSingular }

// rightRows returns the rows of V that a singular value decomposition needs.
func rightRows(a *routine.Args) int64 {
	switch a.Int(routine.RightSvect) {
	case routine.SvectAll:
		return a.Int(n)
	case routine.SvectSingular:
		return min(a.Int(m), a.Int(n))
	}
	return 1
}

// storedColumns returns the rows that V needs if it is not transposed.
func storedColumns(a *routine.Args) int64 {
	if stored(a.Int(routine.RightSvect)) {
		return a.Int(n)
	}
	return 1
}

// foundRows returns the rows of V that gesvdx needs.
func foundRows(a *routine.Args) int64 {
	switch {
	case a.Int(routine.RightSvect) == routine.SvectNone:
		return 1
	case a.Int(routine.Srange) == routine.SrangeIndex:
		return a.Int(routine.UpperIndex) - a.Int(routine.LowerIndex) + 1
	}
	return min(a.Int(m), a.Int(n))
}

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

// ldWhenColumns holds for a leading dimension below n of a matrix that has columns.
func ldWhenColumns(ld, columns routine.Slot) condition {
	return ldBelow(ld, func(a *routine.Args) int64 {
		if a.Int(columns) == 0 {
			return a.Int(ld)
		}
		return a.Int(n)
	})
}

// withoutVectors holds when a job computes no vectors.
func withoutVectors(job routine.Slot) condition {
	return condition{
		slot:    job,
		test:    func(a *routine.Args) bool { return a.Int(job) == routine.SvectNone },
		message: func(*routine.Args) string { return "no vectors are computed" },
	}
}

var noSingularVectors = both(withoutVectors(routine.LeftSvect), withoutVectors(routine.RightSvect))

// bidiagonalQR is bdsqr for a matrix of order n with columns of V, rows of U and columns of C: the map of blocks, the
// rotations, and the finished problems (rocauxiliary_bdsqr.hpp). Inside gesvd the library computes the numbers of the
// rotations in 32 bits, alone it adds 4 in 64 bits.
func (r *reflections) bidiagonalQR(n, nv, nu, nc int64, alone bool) (splits, work, done amount) {
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

func bdsqr(t *Target, a *routine.Args) (d Demand) {
	r, n := reflectionsOf(t, a), a.Int(routine.N)
	splits, work, done := r.bidiagonalQR(n, a.Int(routine.NV), a.Int(routine.NU), a.Int(routine.NC), true)
	d.Optimal.addAll([]piece{{buffer.SplitMap, splits}, {buffer.RotationWork, work}, {buffer.JacobiDone, done}})
	return d
}

// decomposition is the memory of gesvd, whose steps share it.
type decomposition struct {
	reflections
	m, n, k, longer     int64
	left, right         int64 // jobs
	row, narrow, fast   bool
	work, applied, x, y amount
	scalars, splits     amount
}

func (v *decomposition) use(work, applied, x, y amount) {
	v.work, v.applied = larger(v.work, work), larger(v.applied, applied)
	v.x, v.y = larger(v.x, x), larger(v.y, y)
}

// jobs returns the jobs of the vectors of the longer and of the shorter side.
func (v *decomposition) jobs() (lead, other int64) {
	if v.row {
		return v.left, v.right
	}
	return v.right, v.left
}

// gesvd reduces the matrix to bidiagonal form, a long or wide one after a QR or LQ factorization (roclapack_gesvd.hpp).
// The library's names are scalars, work_workArr, Abyx_norms_tmptr_cmplt, Abyx_norms_trfact_X, diag_tmptr_Y, tau_splits,
// tempArrayT, tempArrayC and workArr.
func gesvd(t *Target, a *routine.Args) (d Demand) {
	m, n := a.Int(routine.M), a.Int(routine.N)
	v := decomposition{reflections: reflectionsOf(t, a), m: m, n: n, k: min(m, n), longer: max(m, n),
		left: a.Int(routine.LeftSvect), right: a.Int(routine.RightSvect), row: m >= n}
	v.narrow = isNarrow(m, n)
	v.fast = v.narrow && a.Int(routine.FastAlg) == routine.WorkOutofplace
	v.reduce()
	if v.narrow {
		v.narrowVectors()
	} else {
		v.vectors()
	}
	lead, other := v.jobs()
	square, whole := zero, zero
	if v.fast || v.narrow && lead == routine.SvectOverwrite && other == routine.SvectNone {
		square = product(v.element, v.k, v.k, v.batch)
	}
	if v.fast && (other == routine.SvectNone || other == routine.SvectOverwrite || lead == routine.SvectOverwrite) {
		whole = product(v.element, m, n, v.batch)
	}
	d.Optimal.addAll([]piece{{buffer.Scalars, v.scalars}, {buffer.EigenWork1, v.work}, {buffer.EigenWork2, v.applied},
		{buffer.EigenWork3, v.x}, {buffer.EigenWork4, v.y}, {buffer.EigenScalars, v.splits},
		{buffer.EigenWork5, square}, {buffer.EigenWork6, whole}, {buffer.Pointers, v.arrays.times(2)}})
	return d
}

// narrowFactor is how many times longer than wide a matrix is that gesvd factorizes first (ideal_sizes.hpp).
const narrowFactor = 1.6

func isNarrow(m, n int64) bool {
	return float64(m) >= narrowFactor*float64(n) || float64(n) >= narrowFactor*float64(m)
}

// reduce adds gebrd, bdsqr, and the factorization of a narrow matrix.
func (v *decomposition) reduce() {
	m, n := v.m, v.n
	if v.narrow {
		m, n = v.k, v.k
	}
	b := v.bidiagonal(m, n)
	v.scalars = b.scalars
	v.use(b.work, b.applied, b.x, b.y)
	nu, nv := v.k, v.k // other numbers of vectors need the same
	if v.left == routine.SvectNone {
		nu = 0
	}
	if v.right == routine.SvectNone {
		nv = 0
	}
	splits, work, done := v.bidiagonalQR(v.k, nv, nu, 0, false)
	v.use(work, done, zero, zero)
	v.splits = larger(splits, product(2, v.element, v.k, v.batch))
	if v.narrow {
		f := v.qrOrLQ(v.m, v.n)
		v.use(f.work, zero, f.applied, f.diagonal)
	}
}

func (v *decomposition) narrowVectors() {
	lead, other := v.jobs()
	k := v.k
	leadStorev, otherStorev, s := int64(routine.StorevColumns), int64(routine.StorevRows), rightSide
	if !v.row {
		leadStorev, otherStorev, s = otherStorev, leadStorev, leftSide
	}
	if !v.fast && lead != routine.SvectNone {
		p := v.multiply(s, v.m, v.n, k)
		v.use(zero, p.applied, p.triangle, p.diagonal)
	}
	if other != routine.SvectNone {
		v.generate(v.generateBidiagonal(otherStorev, k, k, k))
	}
	if v.fast && lead != routine.SvectNone {
		v.generate(v.generateBidiagonal(leadStorev, k, k, k))
	}
	if lead == routine.SvectNone {
		return
	}
	m, n := v.m, v.n
	if lead == routine.SvectAll {
		m, n = v.longer, v.longer
	}
	if v.row {
		v.generate(v.generateColumns(m, n, k))
	} else {
		v.generate(v.generateRows(m, n, k))
	}
}

func (v *decomposition) vectors() {
	switch v.left {
	case routine.SvectAll:
		v.generate(v.generateBidiagonal(routine.StorevColumns, v.m, v.m, v.n))
	case routine.SvectSingular, routine.SvectOverwrite:
		v.generate(v.generateBidiagonal(routine.StorevColumns, v.m, v.k, v.n))
	}
	switch v.right {
	case routine.SvectAll:
		v.generate(v.generateBidiagonal(routine.StorevRows, v.n, v.n, v.m))
	case routine.SvectSingular, routine.SvectOverwrite:
		v.generate(v.generateBidiagonal(routine.StorevRows, v.k, v.n, v.m))
	}
}

func (v *decomposition) generate(g generation) { v.use(g.work, g.applied, g.triangle, zero) }

// gesvdj factorizes the matrix after the eigenvalues of A^H A or A A^H are found (roclapack_gesvdj.hpp). The library's
// names are scalars, VUtmp, work1_UVtmp, work2 to work4, work5_ipiv and work6_workArr.
func gesvdj(t *Target, a *routine.Args) (d Demand) {
	r, m, n := reflectionsOf(t, a), a.Int(routine.M), a.Int(routine.N)
	k := min(m, n)
	j, f, g := r.jacobiRotations(true, k), r.qrOrLQ(m, n), r.generateLonger(a)
	squares, matrix := r.copiesOfProducts(a)
	d.Optimal.addAll([]piece{{buffer.Scalars, f.scalars}, {buffer.MatrixCopy, squares},
		{buffer.EigenWork1, larger(j.copied, matrix)}, {buffer.EigenWork2, larger(larger(j.rotations, f.work), g.work)},
		{buffer.EigenWork3, larger(larger(j.norms, f.applied), g.applied)},
		{buffer.EigenWork4, larger(larger(j.top, f.diagonal), g.triangle)},
		{buffer.EigenWork5, larger(j.bottom, product(r.element, k, r.batch))},
		{buffer.Pointers, larger(larger(j.done, f.pointers), r.arrays.times(2))}})
	return d
}

// gesdd computes the eigenvalues of A^H A or A A^H by syevd, and factorizes the product of A and the vectors
// (roclapack_gesdd.hpp). The array that holds the other diagonal of the tridiagonal matrix has the stride of S. The
// batch forms allocate it twice, but count it once in a size query.
func gesdd(t *Target, a *routine.Args) (d Demand) {
	r, m, n := reflectionsOf(t, a), a.Int(routine.M), a.Int(routine.N)
	k := min(m, n)
	s, f, g := r.spectrum(t, a, k, gesddDivision), r.qrOrLQ(m, n), r.generateLonger(a)
	squares, matrix := r.copiesOfProducts(a)
	d.Optimal.addAll([]piece{{buffer.MatrixCopy, squares}, {buffer.SecondCopy, larger(s.rankOne, matrix)},
		{buffer.Scalars, r.scalars()}, {buffer.EigenWork1, s.work1},
		{buffer.EigenWork2, larger(larger(s.work2, f.work), g.work)},
		{buffer.EigenWork3, larger(larger(s.work3, f.applied), g.applied)},
		{buffer.EigenWork4, larger(f.diagonal, g.triangle)}, {buffer.BidiagonalScalars, product(r.element, k, r.batch)},
		{buffer.SplitMap, s.splits}, {buffer.EigenWork5, s.triangle}, {buffer.EigenScalars, s.tau}})
	diagonal := product(r.element, k, max(int64(int32(a.Int(routine.StrideS))), 1), r.batch)
	diagonal = larger(larger(diagonal, f.pointers), r.arrays.times(2))
	d.Optimal.add(buffer.EigenWork6, diagonal)
	if a.Routine.Variant != routine.Plain {
		d.Unreported = Buffer{buffer.RepeatedWork, diagonal.n}
	}
	d.Optimal.add(buffer.Pointers, s.pointers)
	return d
}

// copiesOfProducts is the memory of gesvdj and gesdd for A^H A or A A^H, and for its product with A, unless arrays of
// the call have room for them.
func (r *reflections) copiesOfProducts(a *routine.Args) (squares, matrix amount) {
	m, n := a.Int(routine.M), a.Int(routine.N)
	if k := min(m, n); m >= n || a.Int(routine.LeftSvect) == routine.SvectNone {
		squares = product(r.element, k, k, r.batch)
	}
	if longerJob(a) == routine.SvectNone {
		matrix = product(r.element, m, n, r.batch)
	}
	return squares, matrix
}

// longerJob returns the job of the vectors of the longer side of a matrix.
func longerJob(a *routine.Args) int64 {
	if a.Int(routine.M) >= a.Int(routine.N) {
		return a.Int(routine.LeftSvect)
	}
	return a.Int(routine.RightSvect)
}

// generateLonger makes the vectors of the longer side of a matrix after its factorization, if they are wanted.
func (r *reflections) generateLonger(a *routine.Args) (g generation) {
	m, n := a.Int(routine.M), a.Int(routine.N)
	job, k := longerJob(a), min(m, n)
	if job == routine.SvectNone {
		return g
	}
	vectors := k
	if job == routine.SvectAll {
		vectors = max(m, n)
	}
	if m >= n {
		return r.generateColumns(m, vectors, k)
	}
	return r.generateRows(vectors, n, k)
}

// bidiagonalPanel is the size of the panels of gebrd, and the size from which on it uses panels (ideal_sizes.hpp).
const bidiagonalPanel = 64

// bidiagonalization is the memory of gebrd.
type bidiagonalization struct{ scalars, work, applied, x, y amount }

// bidiagonalPanels is labrd (rocauxiliary_labrd.hpp).
func (r *reflections) bidiagonalPanels(m, n int64) (b bidiagonalization) {
	b.scalars = r.scalars()
	b.work, b.applied = r.make(max(m, n))
	b.work = larger(b.work, r.arrays.times(2))
	return b
}

// bidiagonalUnblocked is gebd2 (roclapack_gebd2.hpp).
func (r *reflections) bidiagonalUnblocked(m, n int64) (b bidiagonalization) {
	if m == 0 || n == 0 {
		return b
	}
	work, norms := r.make(max(m, n))
	return bidiagonalization{scalars: r.scalars(), work: larger(r.arrays, work),
		applied: larger(r.apply(bothSides, m, n), norms)}
}

// bidiagonal is gebrd (roclapack_gebrd.hpp).
func (r *reflections) bidiagonal(m, n int64) bidiagonalization {
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

func labrd(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	b := r.bidiagonalPanels(a.Int(routine.M), a.Int(routine.N))
	d.Optimal.addAll([]piece{{buffer.Scalars, b.scalars}, {buffer.ReflectionWork, b.work},
		{buffer.ReflectionNorms, b.applied}})
	return d
}

func gebd2(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	b := r.bidiagonalUnblocked(a.Int(routine.M), a.Int(routine.N))
	b.addTo(&d.Optimal)
	return d
}

func gebrd(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	b := r.bidiagonal(a.Int(routine.M), a.Int(routine.N))
	b.addTo(&d.Optimal)
	d.Optimal.add(buffer.BidiagonalX, b.x)
	d.Optimal.add(buffer.BidiagonalY, b.y)
	return d
}

func (b *bidiagonalization) addTo(list *Buffers) {
	list.addAll([]piece{{buffer.Scalars, b.scalars}, {buffer.ReflectionOrPointers, b.work},
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
func (r *reflections) bisect(n int64, in32Bits func(int64) amount) (b bisection) {
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

func bdsvdx(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	b := r.bisect(a.Int(routine.N), unsigned32)
	d.Optimal.addAll([]piece{{buffer.BisectionCounts, b.counts}, {buffer.EigenWork1, b.work},
		{buffer.BisectionSquares, b.squares}, {buffer.BisectionBounds, b.bounds},
		{buffer.BisectionIntervals, b.intervals}, {buffer.BisectionNumbers, b.numbers}, {buffer.BlockCount, b.blocks},
		{buffer.BlockMap, b.blockMap}, {buffer.SplitMap, b.splits}, {buffer.TridiagonalDiagonal, b.diagonal},
		{buffer.TridiagonalSubdiagonal, b.other}, {buffer.SingularValues, b.values}})
	return d
}

// partialDecomposition is the memory of gesvdx, whose steps share it.
type partialDecomposition struct {
	reflections
	bisection
	m, n, k, found int64
	narrow         bool
	pointers       amount
}

// gesvdx reduces the matrix to bidiagonal form, a long or wide one after a QR or LQ factorization, and multiplies the
// vectors of the bidiagonal matrix (roclapack_gesvdx.hpp). The library's names are scalars, WS_svdx1,
// WS_svdx2_lqrf1_brd1, WS_svdx3_lqrf2_brd2, WS_svdx4_lqrf3_brd3, WS_svdx5_brd4, WS_svdx6 to WS_svdx9,
// WS_svdx10_mlqr1_mbr1, WS_svdx11_mlqr2_mbr2, WS_svdx12_mlqr3_mbr3, tmpDE, tauqp, tmpZ, tau, tmpT, workArr and
// workArr2.
func gesvdx(t *Target, a *routine.Args) (d Demand) {
	m, n := a.Int(routine.M), a.Int(routine.N)
	v := partialDecomposition{reflections: reflectionsOf(t, a), m: m, n: n, k: min(m, n)}
	v.narrow = isNarrow(m, n)
	v.found = v.k
	if a.Int(routine.Srange) == routine.SrangeIndex {
		v.found = a.Int(routine.UpperIndex) - a.Int(routine.LowerIndex) + 1
	}
	v.bisection = v.bisect(v.k, signed32)
	order := signed32(2 * v.k)
	v.reduce()
	long := v.vectors(a)
	tau, factor, arrays := zero, zero, zero
	if v.narrow {
		tau, factor = product(v.element, v.k, v.batch), unsigned32(v.k*v.k).times(v.element).times(v.batch)
		if long {
			arrays = v.arrays
		}
	}
	d.Optimal.addAll([]piece{{buffer.Scalars, v.scalars()}, {buffer.BisectionCounts, v.counts},
		{buffer.EigenWork1, v.work}, {buffer.EigenWork2, v.squares}, {buffer.EigenWork3, v.bounds},
		{buffer.EigenWork4, v.intervals}, {buffer.BisectionNumbers, v.numbers}, {buffer.BlockCount, v.blocks},
		{buffer.BlockMap, v.blockMap}, {buffer.SplitMap, v.splits}, {buffer.EigenWork5, v.diagonal},
		{buffer.EigenWork6, v.other}, {buffer.TriangularFactor, v.values},
		{buffer.BidiagonalForm, order.times(v.real).times(v.batch)},
		{buffer.BidiagonalScalars, order.times(v.element).times(v.batch)},
		{buffer.SingularVectors, signed32(2 * v.k * v.found).times(v.real).times(v.batch)}, {buffer.EigenScalars, tau},
		{buffer.MatrixCopy, factor}, {buffer.Pointers, v.pointers}, {buffer.MatrixCopyPointers, arrays}})
	return d
}

// reduce adds gebrd, and the factorization of a narrow matrix.
func (v *partialDecomposition) reduce() {
	r, m, n := v.reflections, v.m, v.n
	if v.narrow {
		f := v.qrOrLQ(m, n)
		v.use(f.work, f.applied, f.diagonal)
		v.pointers = f.pointers
		m, n, r.arrays = v.k, v.k, zero // the triangle is a copy
	}
	b := r.bidiagonal(m, n)
	v.use(b.work, b.applied, b.x)
	v.intervals = larger(v.intervals, b.y)
}

func (v *partialDecomposition) use(work, applied, x amount) {
	v.work, v.squares, v.bounds = larger(v.work, work), larger(v.squares, applied), larger(v.bounds, x)
}

// vectors adds the products with the reflections of gebrd and, for the vectors of the longer side of a narrow matrix,
// with the reflections of the factorization. It reports whether there are such vectors.
func (v *partialDecomposition) vectors(a *routine.Args) (long bool) {
	r, row := v.reflections, v.m >= v.n
	m, n := v.m, v.n
	if v.narrow {
		m, n, r.arrays = v.k, v.k, zero
	}
	if a.Int(routine.LeftSvect) == routine.SvectSingular {
		v.multiplyBy(r.multiply(leftSide, m, v.found, min(m, v.k)))
		if long = row; v.narrow && long {
			v.multiplyBy(v.multiply(leftSide, v.m, v.found, v.k))
		}
	}
	if a.Int(routine.RightSvect) == routine.SvectSingular {
		v.multiplyBy(r.multiply(rightSide, v.found, n, min(n, v.k)))
		if long = long || !row; v.narrow && !row {
			v.multiplyBy(v.multiply(rightSide, v.found, v.n, v.k))
		}
	}
	return long
}

func (v *partialDecomposition) multiplyBy(p multiplication) {
	v.diagonal, v.other = larger(v.diagonal, p.applied), larger(v.other, p.diagonal)
	v.values, v.pointers = larger(v.values, p.triangle), larger(v.pointers, p.pointers)
}

// gesvdjNotTransposed stores V, not its adjoint, and factorizes the adjoint of a wide matrix
// (roclapack_gesvdj_notransv.hpp).
func gesvdjNotTransposed(t *Target, a *routine.Args) Demand {
	long := *a
	if m, n := a.Int(routine.M), a.Int(routine.N); m < n {
		long.SetInt(routine.M, n)
		long.SetInt(routine.N, m)
		long.SetInt(routine.LeftSvect, a.Int(routine.RightSvect))
		long.SetInt(routine.RightSvect, a.Int(routine.LeftSvect))
	}
	d := gesvdj(t, &long)
	if long.Int(routine.RightSvect) != routine.SvectNone {
		d.Optimal.set(buffer.MatrixCopy, zero)
	}
	return d
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
	m, n := w.Int(routine.M), w.Int(routine.N)
	w.bidiagonalOf(m, n, min(m, n), buffer.AppliedReflectionOrNorms)
}

// singularValues reduces a matrix, or the triangle of one that is much longer than wide, to bidiagonal form.
func (w *Steps) singularValues() {
	m, n := w.Int(routine.M), w.Int(routine.N)
	k := min(m, n)
	if isNarrow(m, n) {
		m, n = k, k
	}
	w.bidiagonalOf(m, n, k, buffer.EigenWork2)
}

// bidiagonalPanel is labrd, which reduces the first k rows and columns.
func (w *Steps) bidiagonalPanel() {
	w.bidiagonalOf(w.Int(routine.M), w.Int(routine.N), w.Int(routine.K), buffer.ReflectionNorms)
}

// bidiagonalOf reflects columns below the diagonal and rows right of the superdiagonal, or, of a wide matrix, rows
// right of the diagonal and columns below the subdiagonal.
func (w *Steps) bidiagonalOf(m, n, k int64, norms buffer.ID) {
	least := min(m, n)
	w.reflectIf(least > 1 && k >= least-1, norms)
	w.reflectIf(least > 0 && m == n && k == n, norms)
}
