package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var luRules = map[routine.FamilyID]rule{
	routine.Getrf:               getrf,
	routine.GetrfNpvt:           getrfNpvt,
	routine.Getf2:               getf2,
	routine.Getf2Npvt:           getf2Npvt,
	routine.Getrs:               getrs,
	routine.Gesv:                gesv,
	routine.Getri:               getri,
	routine.GetriNpvt:           getri,
	routine.GetriOutOfPlace:     getriOutOfPlace,
	routine.GetriNpvtOutOfPlace: getriOutOfPlace,
}

// factorization is one LU factorization of an m x n matrix.
type factorization struct {
	m, n     int64
	element  int64
	batch    int64
	lda      int64
	index    int64 // bytes of an index
	batched  bool  // one of the two batch forms
	pointers bool  // the batch form by an array of pointers
	complex  bool
	pivot    bool
	spread   bool // elements of a column have an increment other than 1
}

func factorizationOf(a *routine.Args, pivot bool) factorization {
	typ := a.Routine.Type
	return factorization{
		m: a.Int(routine.M), n: a.Int(routine.N), element: typ.Size(), batch: a.Batch(), index: indexSize(a.Routine),
		lda:     a.Int(routine.LDA),
		batched: a.Routine.Variant != routine.Plain, pointers: a.Routine.Variant == routine.Batched,
		complex: typ.IsComplex(), pivot: pivot,
	}
}

// indexSize returns the bytes of a row index.
func indexSize(r *routine.Routine) int64 {
	if r.Wide {
		return 8
	}
	return 4
}

// small reports whether a small kernel factorizes the matrix without memory. The 64-bit forms have none, nor are there
// any for increments.
func (f *factorization) small() bool {
	return f.index == 4 && !f.spread && smallLU(f.m, f.n, f.table())
}

func (f *factorization) empty() bool { return f.m == 0 || f.n == 0 || f.batch == 0 }

func (f *factorization) table() []luRow { return luTable(f.complex, f.batched, f.pivot) }

func (f *factorization) kind() blockKind {
	k := kindOfBlocks(f.complex, f.batched)
	if !f.pivot {
		k |= unpivoted
	}
	return k
}

// panels returns the width of the panels as panelWidths has it, of all columns if there is one panel.
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

// unblocked reports whether getf2 factorizes the matrix alone.
func (f *factorization) unblocked() bool { return f.panels() == 0 }

// luBuffers are the nine buffers of getrf. gesv shares most of them.
type luBuffers struct {
	scalars                                      amount
	solve                                        solveBuffers
	pivotValues, pivotIndices, permutation, info amount
}

// largestPanel bounds the panel that a blocked factorization solves with.
const largestPanel = 512

// panel returns the order of the largest panel. The library computes it in 32 bits, so that it may be zero or negative
// for huge matrices.
func (f *factorization) panel() int64 { return min(int64(int32(min(f.m, f.n))), largestPanel) }

// buffers returns what the factorization needs; all are zero when a small kernel computes it (roclapack_getrf.hpp).
func (f *factorization) buffers(t *Target) luBuffers {
	var b luBuffers
	if f.empty() {
		return b
	}
	indices := zero
	if f.pivot {
		indices = product(f.index, f.batch)
	}
	if f.unblocked() {
		if !f.small() {
			b.scalars, b.pivotValues, b.pivotIndices = product(3, f.element), product(f.element, f.batch), indices
		}
		return b
	}
	panel := f.panel()
	if panel != 0 {
		b.scalars, b.pivotValues, b.pivotIndices = product(3, f.element), product(f.element, f.batch), indices
	}
	b.info = product(f.index, f.batch)
	if f.spread {
		return b // rocSOLVER's own kernels solve
	}
	b.solve = f.triangle(true, offMultiple(panel), f.n).solve(t)
	if f.pivot {
		b.permutation = product(f.index, f.m, f.batch)
	} else {
		b.solve = b.solve.larger(f.triangle(false, offMultiple(f.m), panel).solve(t))
	}
	return b
}

// triangle is a solve inside the factorization.
func (f *factorization) triangle(left bool, m, n int64) triangular {
	return triangular{left: left, none: true, m: m, n: n, element: f.element, real: !f.complex, batch: f.batch,
		pointers: f.pointers, wide: f.index == 8, ld: f.lda}
}

// getf2 needs scalars and the pivot search, unless a small kernel computes it.
func getf2(_ *Target, a *routine.Args) (d Demand) {
	f := factorizationOf(a, true)
	if f.empty() || f.small() {
		return d
	}
	d.Optimal.add(buffer.Scalars, product(3, f.element))
	d.Optimal.add(buffer.PivotValues, product(f.element, f.batch))
	d.Optimal.add(buffer.PivotIndices, product(f.index, f.batch))
	return d
}

// getf2Npvt is getf2 without the search for pivots.
func getf2Npvt(_ *Target, a *routine.Args) (d Demand) {
	f := factorizationOf(a, false)
	if f.empty() || f.small() {
		return d
	}
	d.Optimal.add(buffer.Scalars, product(3, f.element))
	d.Optimal.add(buffer.PivotValues, product(f.element, f.batch))
	return d
}

func getrf(t *Target, a *routine.Args) (d Demand) {
	f := factorizationOf(a, true)
	f.addTo(&d.Optimal, t)
	return d
}

func getrfNpvt(t *Target, a *routine.Args) (d Demand) {
	f := factorizationOf(a, false)
	f.addTo(&d.Optimal, t)
	return d
}

func (f *factorization) addTo(list *Buffers, t *Target) {
	b := f.buffers(t)
	list.add(buffer.Scalars, b.scalars)
	list.addSolve(b.solve)
	b.addPivots(list)
}

func (b *luBuffers) addPivots(list *Buffers) {
	list.add(buffer.PivotValues, b.pivotValues)
	list.add(buffer.PivotIndices, b.pivotIndices)
	list.add(buffer.RowPermutation, b.permutation)
	list.add(buffer.PanelInfo, b.info)
}

// getrs needs memory for one triangular solve. Both releases size it as if inside a blocked routine, so a multiple of
// 128 counts as one more, and op never matters (roclapack_getrs.hpp).
func getrs(t *Target, a *routine.Args) (d Demand) {
	d.Optimal.addSolve(solveWithFactors(t, a))
	return d
}

func solveWithFactors(t *Target, a *routine.Args) solveBuffers {
	n, nrhs := a.Int(routine.N), a.Int(routine.NRHS)
	if n == 0 || nrhs == 0 || a.Batch() == 0 {
		return solveBuffers{}
	}
	return systemOf(a, offMultiple(n), nrhs, true).solve(t)
}

// gesv needs the memory of getrf and of getrs, which share it, and a copy of B (roclapack_gesv.hpp).
func gesv(t *Target, a *routine.Args) (d Demand) {
	n, nrhs := a.Int(routine.N), a.Int(routine.NRHS)
	if n == 0 || nrhs == 0 || a.Batch() == 0 {
		return d
	}
	f := factorizationOf(a, true)
	f.m = n
	b := f.buffers(t)
	d.Optimal.add(buffer.Scalars, b.scalars)
	d.Optimal.add(buffer.RightSideCopy, product(f.element, n, nrhs, f.batch))
	d.Optimal.addSolve(b.solve.larger(solveWithFactors(t, a)))
	b.addPivots(&d.Optimal)
	return d
}

// getri needs memory for the inverse of a triangle, for a solve from the right in the same memory, and for a copy of
// the matrix (roclapack_getri.hpp). Small orders need none.
func getri(t *Target, a *routine.Args) (d Demand) {
	n, batch := a.Int(routine.N), a.Batch()
	batched, pointers := a.Routine.Variant != routine.Plain, a.Routine.Variant == routine.Batched
	if n == 0 || batch == 0 || n <= 43 && !batched || n <= 35 {
		return d
	}
	if d.Endless = n >= trtriEndless; d.Endless {
		return d // it calls trtri
	}
	element := a.Routine.Type.Size()
	arrays := zero
	if pointers {
		arrays = product(8, batch)
	}
	w := invertTriangle(t, a, arrays)
	copied := unsigned32(n * n)
	if n > 64 {
		panel := getriPanel(n, batched)
		right := triangular{none: true, m: offMultiple(n), n: panel + 1, element: element,
			real: !a.Routine.Type.IsComplex(), batch: batch, pointers: pointers}
		w = w.larger(right.solve(t))
		copied = larger(copiedPanel(n*panel, batched), copied)
	}
	d.Optimal.addSolve(w)
	d.Optimal.add(buffer.MatrixCopy, copied.times(element).times(batch))
	d.Optimal.add(buffer.MatrixCopyPointers, arrays)
	return d
}

// getriPanel is the number of columns that are worked on at a time (ideal_sizes.hpp).
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
func getriOutOfPlace(t *Target, a *routine.Args) (d Demand) {
	n := a.Int(routine.N)
	if n == 0 || a.Batch() == 0 {
		return d
	}
	d.Optimal.addSolve(systemOf(a, offMultiple(n), n, true).solve(t))
	return d
}
