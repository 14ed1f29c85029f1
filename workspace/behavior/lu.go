package behavior

import (
	"slices"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// LU factorization, and solutions and inverses by it; inverses of triangular matrices; block tridiagonal matrices.
func lu() []family {
	return []family{
		{ID: routine.Getrf, also: ids{routine.GetrfInfo32}, checks: standard, size: getrf,
			steps: launchThen((*Steps).pivotedFactorization)},
		{ID: routine.GetrfNpvt, also: ids{routine.GetrfNpvtInfo32}, checks: standard, size: getrfNpvt,
			steps: launchThen((*Steps).factorizationWithoutPivots)},
		{ID: routine.Getf2, checks: standard, size: getf2, steps: noSteps},
		{ID: routine.Getf2Npvt, checks: standard, size: getf2Npvt, steps: noSteps},
		{ID: routine.Getrs, checks: standard, size: getrs, steps: getrsSteps},
		{ID: routine.Gesv, checks: standard, size: gesv, steps: gesvSteps},
		{ID: routine.GesvOutOfPlace, checks: standard, size: gesvOutOfPlace, steps: gesvSteps},
		{ID: routine.Getri, also: ids{routine.GetriNpvt}, checks: standard, size: getri,
			steps: launchThen((*Steps).inverseOfFactors)},
		{ID: routine.GetriOutOfPlace, also: ids{routine.GetriNpvtOutOfPlace}, checks: standard, size: getriOutOfPlace,
			steps: launchThen((*Steps).inverseByIdentity)},
		{
			ID: routine.Laswp,
			checks: solverChecks{special: []condition{none(routine.LDA), quadratic(matA), null(pivots)},
				sizes: []condition{none(routine.K1), none(routine.K2), exceeds(routine.K1, routine.K2),
					zeroIncrement(incX)}}.rules,
			size:  noWorkspace,
			steps: noSteps,
		},

		{ID: routine.SolverTrtri, checks: standard, size: solverTrtri, steps: launchThen((*Steps).inverseOfTriangle)},
		{ID: routine.Lauum, checks: standard, size: lauum, steps: noSteps},

		{ID: routine.GeblttrfNpvt, also: ids{routine.GeblttrfNpvtInterleaved}, checks: blockChecks, size: geblttrf,
			steps: launchThen((*Steps).blockFactorization)},
		{ID: routine.GeblttrsNpvt, also: ids{routine.GeblttrsNpvtInterleaved}, checks: blockChecks, size: geblttrs,
			steps: launchThen((*Steps).blockSolve)},
	}
}

// blockChecks checks a routine for block tridiagonal matrices, whose columns may be interleaved.
func blockChecks(o operands) []rule {
	c := solverChecks{dims: []routine.Slot{routine.NB, routine.NBlocks, nrhs, batchCount}}
	for i := range o.r.Params {
		inc := &o.r.Params[i]
		if inc.Role != routine.Increment {
			continue
		}
		ld, _ := o.r.Companion(inc.Of, routine.LeadingDimension)
		c.sizes = append(c.sizes, none(inc.Slot))
		c.special = append(c.special, ldBelow(ld.Slot, func(a *routine.Args) int64 {
			return in32Bits(a.Int(routine.NB) * a.Int(inc.Slot))
		}))
	}
	return c.rules(o)
}

// factorization is one LU factorization of an m x n matrix.
type factorization struct {
	*callSizes
	m, n   int64
	pivot  bool
	spread bool // elements of a column have an increment other than 1
}

func (r *callSizes) factorization(pivot bool) factorization {
	return factorization{callSizes: r, m: r.m, n: r.n, pivot: pivot}
}

// indexBytes returns the bytes of a row index.
func (r *callSizes) indexBytes() int64 {
	if r.Routine.Wide {
		return 8
	}
	return 4
}

// small reports whether a small kernel factorizes the matrix without memory. The 64-bit forms have none, nor are there
// any for increments.
func (f *factorization) small() bool {
	return !f.Routine.Wide && !f.spread && smallLU(f.m, f.n, smallLUs[f.kind()])
}

func (f *factorization) kind() blockKind {
	k := kindOfBlocks(f.Routine.Type.IsComplex(), f.inBatch())
	if !f.pivot {
		k |= unpivoted
	}
	return k
}

// panels returns the width of the panels as panelWidths has it, of all columns if there is one panel. It is 0 if getf2
// factorizes the matrix alone.
func (f *factorization) panels() int64 {
	columns, table := min(f.m, f.n), &panelWidths[f.kind()]
	switch width := table.widths[interval(table.limits, columns)]; width {
	case wholeBlock:
		return columns
	case -wholeBlock:
		return -columns
	default:
		return width
	}
}

// largestPanel bounds the panel that a blocked factorization solves with.
const largestPanel = 512

// addTo adds the memory of the factorization, none when a small kernel computes it (roclapack_getrf.hpp). A further
// solve shares it. Other buffers are after the scalars.
func (f *factorization) addTo(r *request, shared solveBuffers, others ...piece) {
	// The library computes the order of the largest panel in 32 bits, so that it may be zero or negative for huge
	// matrices.
	panel, blocked := min(int64(int32(min(f.m, f.n))), largestPanel), f.panels() != 0
	var scalars, values, indices, permutation, info amount
	if blocked && panel != 0 || !blocked && !f.small() {
		scalars, values = f.scalars(), product(f.element, f.batch)
		if f.pivot {
			indices = product(f.indexBytes(), f.batch)
		}
	}
	if blocked {
		info = product(f.indexBytes(), f.batch)
	}
	if blocked && !f.spread { // otherwise rocSOLVER's own kernels solve
		own := f.solve(leftSide, offMultiple(panel), f.n)
		if f.pivot {
			permutation = product(f.indexBytes(), f.m, f.batch)
		} else {
			own = own.larger(f.solve(rightSide, offMultiple(f.m), panel))
		}
		shared = own.larger(shared)
	}
	r.add(buffer.Scalars, scalars)
	r.addAll(others)
	r.addSolve(shared)
	r.addAll([]piece{{buffer.PivotValues, values}, {buffer.PivotIndices, indices},
		{buffer.RowPermutation, permutation}, {buffer.PanelInfo, info}})
}

// solve sizes a solve inside the factorization.
func (f *factorization) solve(from sides, m, n int64) solveBuffers {
	s := f.triangular(from, m, n)
	s.ld = f.Int(routine.LDA)
	return s.solve(f.Target)
}

// getf2 needs scalars and the pivot search, unless a small kernel computes it.
func getf2(r *request) {
	f := r.factorization(true)
	if f.small() {
		return
	}
	r.addAll([]piece{{buffer.Scalars, r.scalars()}, {buffer.PivotValues, product(r.element, r.batch)},
		{buffer.PivotIndices, product(r.indexBytes(), r.batch)}})
}

// getf2Npvt is getf2 without the search for pivots.
func getf2Npvt(r *request) {
	f := r.factorization(false)
	if f.small() {
		return
	}
	r.addAll([]piece{{buffer.Scalars, r.scalars()}, {buffer.PivotValues, product(r.element, r.batch)}})
}

func getrf(r *request) {
	f := r.factorization(true)
	f.addTo(r, solveBuffers{})
}

func getrfNpvt(r *request) {
	f := r.factorization(false)
	f.addTo(r, solveBuffers{})
}

// getrs needs memory for one triangular solve. Both releases size it as if inside a blocked routine, so a multiple of
// 128 counts as one more, and op never matters (roclapack_getrs.hpp).
func getrs(r *request) {
	r.addSolve(r.solve(leftSide, offMultiple(r.n), r.nrhs))
}

// gesv needs the memory of getrf and of getrs, which share it, and a copy of B (roclapack_gesv.hpp).
func gesv(r *request) { r.system(product(r.element, r.n, r.nrhs, r.batch)) }

func (r *request) system(copied amount) {
	f := r.factorization(true)
	f.addTo(r, r.solve(leftSide, offMultiple(r.n), r.nrhs), piece{buffer.RightSideCopy, copied})
}

// gesvOutOfPlace does not keep a copy of B (roclapack_gesv_outofplace.hpp).
func gesvOutOfPlace(r *request) { r.system(zero) }

// getri needs memory for the inverse of a triangle, for a solve from the right in the same memory, and for a copy of
// the matrix (roclapack_getri.hpp). Small orders need none.
func getri(r *request) {
	n, batched := r.n, r.inBatch()
	if n == 0 || r.batch == 0 || n <= 43 && !batched || n <= 35 {
		return
	}
	if r.Endless = n >= trtriEndless; r.Endless {
		return // it calls trtri
	}
	w, copied := r.invertTriangle(), unsigned32(n*n)
	if n > 64 {
		panel := getriPanel(n, batched)
		w = w.larger(r.solve(rightSide, offMultiple(n), panel+1))
		copied = larger(copiedPanel(n*panel, batched), copied)
	}
	r.addSolve(w)
	r.add(buffer.MatrixCopy, copied.times(r.element).times(r.batch))
	r.add(buffer.MatrixCopyPointers, r.arrays)
}

// getriPanel is the number of columns of a panel (ideal_sizes.hpp).
func getriPanel(n int64, batched bool) int64 {
	switch {
	case !batched && n <= 1185, batched && n > 505 && n <= 2049:
		return n
	case batched && n <= 505:
		return 32
	}
	return 256
}

// copiedPanel is n times the columns of a panel as the library stores it. The product is signed in the batched forms,
// where a negative one becomes the largest of all.
func copiedPanel(elements int64, batched bool) amount {
	if batched {
		return signed32(elements)
	}
	return unsigned32(elements)
}

// getriOutOfPlace solves with the identity (roclapack_getri_outofplace.hpp).
func getriOutOfPlace(r *request) {
	r.addSolve(r.solve(leftSide, offMultiple(r.n), r.n))
}

// panelWidths are the columns of the panels of an LU factorization, by min(m, n). With 0 there are no panels.
// Without pivots, a negative width is a panel of all rows. Otherwise only the block on the diagonal is factorized, and
// a solve computes the rows below it (ideal_sizes.hpp).
var panelWidths = [blockKinds]struct{ limits, widths []int64 }{
	0: {
		limits: []int64{64, 512, 1856, 2944},
		widths: []int64{0, 1, 32, 256, 512},
	},
	ofBatch: {
		limits: []int64{40, 42, 46, 49, 52, 58, 112, 800, 1024},
		widths: []int64{0, 32, 0, 16, 0, 32, 1, 32, 64, 160},
	},
	unpivoted: {
		limits: []int64{64, 512},
		widths: []int64{0, -1, 512},
	},
	ofBatch | unpivoted: {
		limits: []int64{40, 168, 448, 512, 896, 1408},
		widths: []int64{0, -24, -32, -64, 32, 96, 512},
	},
	ofComplex: {
		limits: []int64{64, 512, 1024, 2944},
		widths: []int64{0, 1, 32, 96, 512},
	},
	ofComplex | ofBatch: {
		limits: []int64{23, 28, 30, 32, 40, 48, 56, 64, 768, 1024},
		widths: []int64{0, 16, 0, 1, 24, 16, 24, 16, 48, 64, 160},
	},
	ofComplex | unpivoted: {
		limits: []int64{64, 512},
		widths: []int64{0, -1, 512},
	},
	ofComplex | ofBatch | unpivoted: {
		limits: []int64{20, 32, 42, 512, 1408},
		widths: []int64{0, -16, -32, -48, 64, 128},
	},
}

// innerWidths are the columns that getf2 factorizes at a time in a panel, by its rows and columns
// (roclapack_getrf.hpp).
var innerWidths = [blockKinds]*blockTable{
	0: {
		rows: []int64{64, 128, 160, 256, 512, 768, 1024, 1152, 1408,
			1792, 1856, 2048, 2560, 2944, 2304, 3584, 5376, 6400, 9216},
		columns: []int64{20, 28, 40, 56, 80, 112, 144, 208, 240, 288, 416, 480},
		blocks: [][]int64{
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
			{1, 1, 1, 1, 32, 32, 32, 32, 32, 32, 32, 32, 32},
			{1, 1, 1, 16, 32, 32, 32, 32, 32, 32, 32, 32, 32},
			{1, 1, 1, 16, 32, 24, 16, 16, 16, 32, 32, 32, 32},
			{1, 1, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16},
			{1, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 16, 16},
			{1, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8},
			{1, 1, 1, 1, 1, 1, 16, 16, 16, 16, 16, 8, 8},
			{1, 1, 1, 1, 1, 1, 16, 16, 16, 16, 16, 16, 16},
			{1, 1, 1, 1, 1, 1, 16, 32, 32, 24, 16, 16, 16},
			{1, 1, 1, 1, 1, 24, 16, 32, 32, 24, 16, 24, 16},
			{1, 1, 1, 1, 1, 24, 16, 32, 16, 32, 24, 24, 32},
			{1, 1, 1, 1, 24, 24, 16, 32, 16, 32, 24, 24, 32},
			{1, 1, 1, 1, 24, 24, 16, 32, 16, 32, 24, 32, 32},
			{1, 1, 1, 1, 24, 24, 16, 16, 16, 32, 24, 32, 32},
			{1, 1, 1, 1, 24, 24, 16, 16, 16, 32, 32, 32, 32},
			{1, 1, 1, 24, 24, 24, 16, 16, 16, 32, 32, 32, 32},
			{1, 16, 16, 24, 24, 24, 16, 16, 16, 32, 32, 32, 40},
			{1, 16, 16, 24, 24, 24, 16, 16, 24, 32, 32, 32, 40},
			{1, 8, 16, 24, 24, 24, 16, 16, 24, 32, 32, 32, 40},
		},
	},
	ofBatch: {
		rows:    []int64{38, 48, 54, 64, 128, 144, 152, 216, 240, 256, 304, 432, 480, 608, 1024},
		columns: []int64{20, 28, 40, 56, 80, 112, 144, 176, 288, 352, 416, 480},
		blocks: [][]int64{
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
			{1, 1, 1, 24, 24, 24, 24, 1, 1, 1, 1, 1, 1},
			{1, 1, 1, 24, 32, 32, 32, 32, 32, 1, 1, 1, 1},
			{1, 1, 1, 24, 32, 32, 32, 32, 32, 32, 1, 1, 1},
			{1, 1, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24},
			{1, 1, 16, 16, 16, 24, 24, 24, 24, 24, 24, 24, 24},
			{1, 16, 16, 16, 16, 24, 24, 24, 24, 24, 24, 24, 24},
			{1, 16, 16, 16, 16, 16, 16, 16, 24, 24, 24, 24, 24},
			{1, 16, 16, 16, 16, 16, 16, 16, 16, 16, 24, 24, 24},
			{8, 16, 16, 16, 16, 16, 16, 16, 16, 16, 24, 24, 24},
			{8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 16, 16},
			{8, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 16},
			{8, 8, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16},
			{8, 8, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 24},
			{8, 8, 8, 8, 8, 8, 8, 16, 16, 16, 16, 16, 24},
			{8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 24, 24},
		},
	},
	unpivoted: {
		rows:    []int64{64, 1536, 3072},
		columns: []int64{40, 56},
		blocks: [][]int64{
			{1, 1, 1},
			{1, 1, 16},
			{1, 24, 16},
			{1, 1, 16},
		},
	},
	ofBatch | unpivoted: {
		rows:    []int64{40, 46},
		columns: []int64{40, 56},
		blocks: [][]int64{
			{1, 1, 1},
			{1, 1, 32},
			{1, 16, 32},
		},
	},
	ofComplex: {
		rows: []int64{64, 128, 160, 192, 256, 320, 512, 768, 896, 1024,
			1216, 1536, 1728, 1984, 2560, 2944, 3712, 5632, 7424, 9216},
		columns: []int64{20, 28, 40, 56, 80, 144, 208, 288, 416},
		blocks: [][]int64{
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
			{1, 1, 1, 1, 16, 16, 32, 32, 32, 32},
			{1, 1, 1, 16, 16, 16, 32, 32, 32, 32},
			{1, 1, 1, 16, 16, 16, 16, 16, 32, 32},
			{1, 1, 16, 16, 16, 16, 16, 16, 32, 32},
			{1, 1, 16, 16, 16, 16, 16, 16, 16, 16},
			{1, 8, 16, 16, 16, 16, 16, 16, 16, 16},
			{1, 8, 8, 8, 8, 8, 8, 8, 16, 16},
			{8, 8, 8, 8, 8, 8, 8, 8, 16, 16},
			{8, 8, 8, 8, 8, 8, 8, 8, 8, 8},
			{1, 1, 1, 1, 1, 24, 16, 16, 8, 8},
			{1, 1, 1, 1, 1, 24, 16, 16, 24, 16},
			{1, 1, 1, 1, 1, 24, 16, 16, 24, 24},
			{1, 1, 1, 1, 16, 24, 32, 32, 24, 24},
			{1, 1, 1, 1, 16, 24, 32, 32, 32, 32},
			{1, 1, 1, 1, 16, 24, 16, 32, 32, 32},
			{1, 1, 1, 16, 16, 16, 16, 32, 32, 32},
			{1, 1, 16, 16, 16, 16, 16, 32, 32, 32},
			{1, 1, 16, 16, 16, 16, 16, 16, 32, 32},
			{1, 1, 16, 16, 16, 16, 24, 16, 32, 32},
			{1, 1, 16, 16, 16, 16, 24, 24, 32, 32},
		},
	},
	ofComplex | ofBatch: {
		rows:    []int64{24, 26, 32, 128, 208, 256, 304, 432},
		columns: []int64{20, 28, 40, 80, 144},
		blocks: [][]int64{
			{1, 1, 1, 1, 1, 1},
			{1, 1, 16, 16, 1, 1},
			{1, 1, 16, 16, 16, 1},
			{1, 1, 16, 16, 16, 16},
			{1, 16, 16, 16, 16, 16},
			{1, 8, 16, 16, 16, 16},
			{8, 8, 8, 16, 16, 16},
			{8, 8, 8, 8, 16, 16},
			{8, 8, 8, 8, 8, 16},
		},
	},
	ofComplex | unpivoted: {
		rows:    []int64{64, 384, 5376},
		columns: []int64{56, 80, 288},
		blocks: [][]int64{
			{1, 1, 1, 1},
			{1, 1, 8, 8},
			{1, 1, 8, 16},
			{1, 32, 8, 16},
		},
	},
	ofComplex | ofBatch | unpivoted: {
		rows:    []int64{24, 256, 640, 1024},
		columns: []int64{20, 28, 288},
		blocks: [][]int64{
			{1, 1, 1, 1},
			{1, 1, 16, 16},
			{1, 1, 16, 32},
			{1, 8, 16, 32},
			{1, 8, 16, 16},
		},
	},
}

// luRow is a row of the tables of small LU kernels, which factorize without memory. It applies to values of n up to its
// own, and m must lie in one of its spans. A lower bound of n is written fromN. The tables were read from the published
// source (roclapack_getf2.hpp) and are the same in both releases.
type luRow struct {
	n     int64
	spans []luSpan
}

type luSpan struct{ low, high int64 }

const (
	fromN  = -1   // m >= n
	smallM = 1024 // largest m of any small kernel
	smallN = 256  // largest n
)

var (
	anyM     = []luSpan{{0, smallM}}
	tallFrom = []luSpan{{fromN, smallM}}
)

func upTo(high int64) []luSpan             { return []luSpan{{0, high}} }
func between(low, high int64) []luSpan     { return []luSpan{{low, high}} }
func except(low, gap, next int64) []luSpan { return []luSpan{{low, gap}, {next, smallM}} }

// smallLUs are the tables, by the kind of the factorization: both batch forms share one.
var smallLUs = [blockKinds][]luRow{
	0: {
		{20, anyM}, {28, between(6, smallM)}, {36, between(8, 512)}, {44, between(10, 512)}, {52, between(16, 512)},
		{60, between(44, 344)}, {68, between(fromN, 344)}, {smallN, between(fromN, 256)},
	},
	ofBatch: {
		{44, anyM}, {52, except(0, 392, 505)}, {60, except(0, 392, 625)}, {68, except(0, 296, 865)},
		{76, except(fromN, 296, 593)}, {92, except(fromN, 244, 849)}, {108, except(fromN, 256, 593)},
		{smallN, except(fromN, 164, 737)},
	},
	unpivoted: {
		{20, anyM}, {28, between(6, 912)}, {36, between(6, 512)}, {44, between(10, 512)}, {52, between(24, 512)},
		{60, between(fromN, 256)}, {92, between(fromN, 196)}, {smallN, between(fromN, 128)},
	},
	ofBatch | unpivoted: {{68, anyM}, {smallN, tallFrom}},
	ofComplex: {
		{12, anyM}, {20, between(6, smallM)}, {28, between(10, 512)}, {36, between(fromN, 368)},
		{60, between(fromN, 336)}, {smallN, between(fromN, 256)},
	},
	ofComplex | ofBatch: {
		{20, anyM}, {28, upTo(656)}, {36, upTo(504)}, {44, between(6, 624)}, {52, between(8, 504)},
		{60, []luSpan{{10, 256}, {449, 504}}}, {68, []luSpan{{fromN, 148}, {329, 656}}},
		{76, []luSpan{{fromN, 148}, {205, 896}}}, {124, except(fromN, 128, 329)}, {229, []luSpan{{229, smallM}}},
		{smallN, tallFrom},
	},
	ofComplex | unpivoted: {
		{12, anyM}, {20, upTo(928)}, {28, between(8, 704)}, {36, between(fromN, 480)}, {52, between(fromN, 256)},
		{60, between(fromN, 208)}, {68, between(fromN, 172)}, {smallN, between(fromN, 128)},
	},
	ofComplex | ofBatch | unpivoted: {
		{20, anyM}, {28, upTo(752)}, {36, upTo(608)}, {52, between(fromN, 608)}, {68, between(fromN, 736)},
		{smallN, tallFrom},
	},
}

// smallLU reports whether a small kernel factorizes m x n without memory.
func smallLU(m, n int64, table []luRow) bool {
	if m > smallM || n > smallN {
		return false
	}
	for _, row := range table {
		if n > row.n {
			continue
		}
		for _, s := range row.spans {
			low := s.low
			if low == fromN {
				low = n
			}
			if m >= low && m <= s.high {
				return true
			}
		}
		return false
	}
	return false
}

// solverTrtri is trtri of rocSOLVER. It copies the triangle, except to invert a unit one by blocks
// (roclapack_trtri.hpp).
func solverTrtri(r *request) {
	copied := unsigned32(r.n * r.n).times(r.element).times(r.batch)
	if r.Int(routine.Diag) == routine.DiagonalUnit && invertsByBlocks(r.Args, r.n) {
		copied = zero
	}
	r.invert(copied)
}

// invert is the memory for the inverse of a triangle, with a copy of the matrix.
func (r *request) invert(copied amount) {
	if r.Endless = r.n >= trtriEndless; r.Endless {
		return
	}
	r.addSolve(r.invertTriangle())
	r.add(buffer.MatrixCopy, copied)
	r.add(buffer.MatrixCopyPointers, r.arrays)
}

// invertTriangle sizes the inverse of U. Small batches are inverted block by block with solves from the right, for
// which older releases reserve no memory.
func (r *callSizes) invertTriangle() solveBuffers {
	switch {
	case !invertsByBlocks(r.Args, r.n):
		return solveBuffers{x: trtriScratch(r.n).times(r.element).times(r.batch), xPointers: r.arrays}
	case r.Release.GetriInverseUnsized:
		return solveBuffers{}
	case r.n <= 245:
		return r.solve(rightSide, offMultiple(r.n), 16)
	}
	return r.solve(rightSide, offMultiple(r.n), 32)
}

// invertsByBlocks reports whether a triangle of a batch is inverted block by block.
func invertsByBlocks(a *routine.Args, n int64) bool {
	return a.Routine.Variant != routine.Plain && n > 32 && n <= 1009
}

// lauum multiplies in a copy of the matrix (rocauxiliary_lauum.hpp).
func lauum(r *request) { r.add(buffer.MatrixCopy, product(r.element, r.n, r.n)) }

// geblttrf factorizes the blocks on the diagonal by getrf, and solves with them by getrs. The two share memory, except
// that the blocks have an info (roclapack_geblttrf_npvt.hpp).
func geblttrf(r *request) {
	nb := r.Int(routine.NB)
	f := factorization{callSizes: &r.callSizes, m: nb, n: nb, spread: r.Int(routine.IncB) > 1}
	shared := solveBuffers{}
	if r.Int(routine.IncC) <= 1 {
		shared = r.solve(leftSide, offMultiple(nb), nb)
	}
	f.addTo(r, shared)
	r.add(buffer.BlockInfo, product(4, r.batch))
}

// geblttrs solves with the blocks on the diagonal by getrs (roclapack_geblttrs_npvt.hpp).
func geblttrs(r *request) {
	if r.Int(routine.IncX) <= 1 {
		r.addSolve(r.solve(leftSide, offMultiple(r.Int(routine.NB)), r.nrhs))
	}
}

// getrsSteps starts with the first of its two solves, or with the kernel that exchanges rows.
func getrsSteps(w *Steps) {
	w.launch()
	w.system()
	if w.Int(routine.TransA) != routine.OperationNone {
		w.solvesFirst()
	}
}

// system adds the waits of the two solves with the factors of a matrix.
func (w *Steps) system() { w.rightSides(2, w.n) }

// solvesFirst says that the kernels of the first of two solves are the first ones of the call.
func (w *Steps) solvesFirst() { w.First = w.Products / 2 }

// blockFactorization factorizes each block, multiplies with each but the first, and solves with each but the last.
func (w *Steps) blockFactorization() {
	nb, blocks := w.Int(routine.NB), w.Int(routine.NBlocks)
	f := factorization{callSizes: &w.callSizes, m: nb, n: nb}
	for i := range blocks {
		w.spread = w.Int(routine.IncB) > 1
		w.factorization(f)
		if i == blocks-1 {
			break
		}
		w.spread = w.spread || w.Int(routine.IncC) > 1
		w.solve(2, nb, nb)
		w.blockProduct(nb, routine.IncA, routine.IncB, routine.IncC)
	}
}

// blockSolve multiplies with each block next to the diagonal, and solves with each on it.
func (w *Steps) blockSolve() {
	nrhs, blocks := w.nrhs, w.Int(routine.NBlocks)
	w.spread = w.Int(routine.IncB) > 1 || w.Int(routine.IncX) > 1
	for i := range blocks {
		if i > 0 {
			w.blockProduct(nrhs, routine.IncA, routine.IncX)
		}
		w.rightSides(2, w.Int(routine.NB))
	}
	w.First = w.Products / max(2*blocks, 1)
	for range blocks - 1 {
		w.blockProduct(nrhs, routine.IncC, routine.IncX)
	}
}

// blockProduct adds the waits of a product of a block with a matrix of some columns. Interleaved matrices have
// increments; with other increments than 1, rocSOLVER's own kernels multiply.
func (w *Steps) blockProduct(columns int64, increments ...routine.Slot) {
	spread := func(s routine.Slot) bool { return w.Int(s) > 1 }
	if !w.OnDevice || w.Int(routine.NB) == 0 || columns == 0 || slices.ContainsFunc(increments, spread) {
		return
	}
	w.products(1)
}

// inverseByIdentity solves with the factors for the columns of the identity.
func (w *Steps) inverseByIdentity() { w.solve(2, w.n, w.n) }

// inverseOfTriangle adds the waits of an inverse that rocSOLVER leaves to the trtri of rocBLAS.
func (w *Steps) inverseOfTriangle() {
	if !w.batched() || invertsByBlocks(w.Args, w.n) {
		return
	}
	defer w.begin()()
	squares, rest := inverseSteps(w.n)
	w.lists(squares, w.batch)
	w.lists(rest, w.batch)
}

// inverseOfFactors inverts a triangle and then solves from the right, panel by panel.
func (w *Steps) inverseOfFactors() {
	w.inverseOfTriangle()
	if w.n <= 64 {
		return
	}
	panel := getriPanel(w.n, w.inBatch())
	for at := int64(0); at < w.n; at += panel {
		w.blasSolve(w.triangular(rightSide, w.n, min(panel, w.n-at)))
	}
}

// gesvSteps neither factorizes nor solves without right-hand sides.
func gesvSteps(w *Steps) {
	w.launch()
	if w.nrhs != 0 {
		w.pivotedFactorization()
		w.system()
	}
}

// pivotedFactorization adds the waits of an LU factorization with pivots, whose solves of rocBLAS never wait.
func (w *Steps) pivotedFactorization() {
	if w.waitsInSolves() {
		w.factorization(w.callSizes.factorization(true))
	}
}

func (w *Steps) factorizationWithoutPivots() { w.factorization(w.callSizes.factorization(false)) }

// factorization adds the waits of an LU factorization. After each panel it solves for the columns next to it, and for
// the rows below a block that is not the whole panel.
func (w *Steps) factorization(f factorization) {
	width, columns := f.panels(), min(f.m, f.n)
	whole := f.pivot || width < 0
	if width = max(width, -width); width == 0 {
		return
	}
	for at := int64(0); at < columns; at += width {
		next := min(at+width, columns)
		if whole {
			w.panel(&f, f.m-at, next-at)
		} else {
			w.panel(&f, next-at, next-at)
			w.solve(1, next-at, f.m-next)
		}
		if next < f.n {
			w.solve(1, next-at, f.n-next)
		}
	}
}

// panel adds the waits of the solves inside a panel. They are too small for waits in rocBLAS.
func (w *Steps) panel(f *factorization, rows, columns int64) {
	if !w.waitsInSolves() {
		return
	}
	width := innerWidths[f.kind()].of(rows, columns)
	if width == wholeBlock {
		width = columns
	}
	for next := width; next < columns; next += width {
		w.solve(1, width, columns-next)
	}
}
