package sizing

import (
	"slices"

	"roclua/hip/routine"
)

// blockFactorization factorizes each block, multiplies with each but the first, and solves with each but the last.
func (w *waiting) blockFactorization() {
	nb, blocks := w.Int(routine.NB), w.Int(routine.NBlocks)
	f := factorizationOf(w.Args, false)
	f.m, f.n = nb, nb
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
func (w *waiting) blockSolve() {
	nrhs, blocks := w.Int(routine.NRHS), w.Int(routine.NBlocks)
	w.spread = w.Int(routine.IncB) > 1 || w.Int(routine.IncX) > 1
	for i := range blocks {
		if i > 0 {
			w.blockProduct(nrhs, routine.IncA, routine.IncX)
		}
		w.rightSides(2, w.Int(routine.NB))
	}
	w.first = w.checked / max(2*blocks, 1)
	for range blocks - 1 {
		w.blockProduct(nrhs, routine.IncC, routine.IncX)
	}
}

// blockProduct adds the waits of a product of a block with a matrix of some columns. Interleaved matrices have
// increments; with other increments than 1, rocSOLVER's own kernels multiply.
func (w *waiting) blockProduct(columns int64, increments ...routine.Slot) {
	spread := func(s routine.Slot) bool { return w.Int(s) > 1 }
	if !w.onDevice || w.Int(routine.NB) == 0 || columns == 0 || slices.ContainsFunc(increments, spread) {
		return
	}
	w.products(1)
}
