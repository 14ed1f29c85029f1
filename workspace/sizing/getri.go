package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

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

// invertTriangle sizes the inverse of U. Small batches are inverted block by block with solves from the right, for
// which older releases reserve no memory.
func invertTriangle(t *Target, a *routine.Args, arrays amount) solveBuffers {
	n, batch, element := a.Int(routine.N), a.Batch(), a.Routine.Type.Size()
	if !invertsByBlocks(a, n) {
		return solveBuffers{x: trtriScratch(n).times(element).times(batch), xPointers: arrays}
	}
	if t.Release.GetriInverseUnsized {
		return solveBuffers{}
	}
	block := int64(32)
	if n <= 245 {
		block = 16
	}
	s := triangular{none: true, m: offMultiple(n), n: block, element: element, real: !a.Routine.Type.IsComplex(),
		batch: batch, pointers: a.Routine.Variant == routine.Batched}
	return s.solve(t)
}

// invertsByBlocks reports whether a triangle of a batch is inverted block by block.
func invertsByBlocks(a *routine.Args, n int64) bool {
	return a.Routine.Variant != routine.Plain && n > 32 && n <= 1009
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
