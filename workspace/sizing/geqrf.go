package sizing

import (
	"strings"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var qrRules = map[routine.FamilyID]rule{
	routine.Geqrf: geqrf,
}

// Panels of geqrf, and the size from which it is blocked (ideal_sizes.hpp).
const (
	geqrfPanel     = 64
	geqrfUnblocked = 128
)

// geqrf needs memory for Householder reflections: one at a time while a side is at most 128, in panels of 64 beyond
// (roclapack_geqr2.hpp, roclapack_geqrf.hpp). It is the only solver routine that depends on the architecture.
func geqrf(t *Target, a *routine.Args) (d Demand) {
	m, n, batch := a.Int(routine.M), a.Int(routine.N), a.Batch()
	if m == 0 || n == 0 || batch == 0 {
		return d
	}
	h := householder{element: a.Routine.Type.Size(), batch: batch, m: m, wave64: !hasWave32(t.Arch)}
	if a.Routine.Variant == routine.Batched {
		h.arrays = product(8, batch)
	}
	d.Optimal.add(buffer.Scalars, product(3, h.element))
	switch {
	case m <= geqrfUnblocked || n <= geqrfUnblocked:
		h.unblocked(&d.Optimal, n, a.Routine.Type.RealSize())
	case t.Release.GeqrfWithoutSolve:
		h.blockedByProduct(&d.Optimal, n)
	default:
		h.blockedBySolve(&d.Optimal, n)
	}
	return d
}

// hasWave32 reports whether an architecture's wavefronts have 32 lanes.
func hasWave32(arch string) bool {
	name := base(arch)
	return strings.HasPrefix(name, "gfx10") || strings.HasPrefix(name, "gfx11") || strings.HasPrefix(name, "gfx12")
}

type householder struct {
	element, batch, m int64
	wave64            bool
	arrays            amount
}

// norms returns the work and the norms of one reflection (larfg); short columns fit a wavefront of 64.
func (h *householder) norms() (work, norms amount) {
	if h.m <= 2048 && h.wave64 {
		return zero, zero
	}
	cells := int64(1)
	if h.m > 2 {
		cells = (h.m-2)/512 + 2
	}
	return product(h.element, h.batch, cells), product(h.element, h.batch)
}

func (h *householder) unblocked(b *Buffers, n, realSize int64) {
	work, norms := h.norms()
	applied := zero
	if h.m > 2048 || n > geqrfPanel {
		applied = product(h.element, n, h.batch)
	}
	b.add(buffer.ReflectionOrPointers, larger(h.arrays, work))
	b.add(buffer.AppliedReflectionOrNorms, larger(applied, norms))
	b.add(buffer.Diagonal, product(realSize, min(h.m, n), h.batch))
}

// blockedByProduct is rocSOLVER 3.28.
func (h *householder) blockedByProduct(b *Buffers, n int64) {
	work, _ := h.norms()
	b.add(buffer.ReflectionOrPanel, larger(work, product(geqrfPanel, h.element, h.batch)))
	b.add(buffer.TriangularFactor, product(geqrfPanel*geqrfPanel, h.element, h.batch))
	b.add(buffer.BlockReflection, product(geqrfPanel, n-geqrfPanel, h.element, h.batch))
	b.add(buffer.Pointers, h.arrays.times(2))
}

// blockedBySolve is rocSOLVER 3.32, which applies the inverse of the block factor by a triangular solve.
func (h *householder) blockedBySolve(b *Buffers, n int64) {
	work, _ := h.norms()
	s := triangular{left: true, none: true, m: geqrfPanel, n: n - geqrfPanel, element: h.element, batch: h.batch}
	w := s.solveBound()
	b.add(buffer.ReflectionOrSolve, larger(work, w.x))
	b.add(buffer.InvertedBlocks, w.inverse)
	b.add(buffer.TriangularFactor, product(geqrfPanel*geqrfPanel, h.element, h.batch))
	b.add(buffer.BlockReflection, product(geqrfPanel, n-geqrfPanel, h.element, h.batch))
	b.add(buffer.Pointers, h.arrays.times(2))
}
