package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var luRules = map[routine.FamilyID]rule{
	routine.Getrf:     getrf,
	routine.GetrfNpvt: getrfNpvt,
	routine.Getf2:     getf2,
	routine.Getrs:     getrs,
	routine.Getri:     getri,
	routine.Gesv:      gesv,

	routine.GeblttrfNpvt:            geblttrf,
	routine.GeblttrfNpvtInterleaved: geblttrf,
	routine.GeblttrsNpvt:            geblttrs,
	routine.GeblttrsNpvtInterleaved: geblttrs,
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

// unblocked reports whether min(m, n) is factorized by getf2 alone: code 0 of the block size tables (ideal_sizes.hpp).
func (f *factorization) unblocked() bool {
	d := min(f.m, f.n)
	switch {
	case !f.batched:
		return d <= 64
	case f.complex && f.pivot:
		return d <= 23 || d == 29 || d == 30
	case f.complex:
		return d <= 20
	case f.pivot:
		return d <= 40 || d >= 43 && d <= 46 || d >= 50 && d <= 52
	}
	return d <= 40
}

// luBuffers are the nine buffers of getrf, most of which gesv shares.
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

func getrf(t *Target, a *routine.Args) Demand     { return factorizationOf(a, true).demand(t) }
func getrfNpvt(t *Target, a *routine.Args) Demand { return factorizationOf(a, false).demand(t) }

func (f factorization) demand(t *Target) (d Demand) {
	b := f.buffers(t)
	d.Optimal.add(buffer.Scalars, b.scalars)
	d.Optimal.addSolve(b.solve)
	b.addPivots(&d.Optimal)
	return d
}

func (b *luBuffers) addPivots(list *Buffers) {
	list.add(buffer.PivotValues, b.pivotValues)
	list.add(buffer.PivotIndices, b.pivotIndices)
	list.add(buffer.RowPermutation, b.permutation)
	list.add(buffer.PanelInfo, b.info)
}
