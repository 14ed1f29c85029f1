package sizing

import "roclua/hip/routine"

// getri asks for the inverse of a triangle, for a solve from the right in the same memory, and for a copy of the matrix
// (roclapack_getri.hpp). Small orders need none.
func getri(t *Target, a *routine.Args, d *Demand) {
	n, batch := a.Int(routine.N), a.Batch()
	batched, pointers := a.Routine.Variant != routine.Plain, a.Routine.Variant == routine.Batched
	if n == 0 || batch == 0 || n <= 43 && !batched || n <= 35 {
		return
	}
	if d.Endless = n >= trtriEndless; d.Endless {
		return // it asks trtri
	}
	element := a.Routine.Type.Size()
	arrays := nothing
	if pointers {
		arrays = product(8, batch)
	}
	w := invertTriangle(t, a, arrays)
	copied := wrappedSquare(n)
	if n > 64 {
		panel := getriPanel(n, batched)
		right := triangular{none: true, m: offMultiple(n), n: panel + 1, element: element, real: !a.Routine.Type.IsComplex(), batch: batch, pointers: pointers}
		w = larger4(w, right.solve(t))
		copied = larger(product(n, panel), copied)
	}
	d.Optimal.addSolve(w)
	d.Optimal.add("copy of the matrix", copied.times(element).times(batch))
	d.Optimal.add("pointers to the copy", arrays)
}

// invertTriangle sizes the inverse of U. Small batches go block by block with solves from the right, which 6.4 gives no
// memory to.
func invertTriangle(t *Target, a *routine.Args, arrays amount) solveBuffers {
	n, batch, element := a.Int(routine.N), a.Batch(), a.Routine.Type.Size()
	if a.Routine.Variant == routine.Plain || n > 1009 {
		return solveBuffers{x: trtriScratch(n).times(element).times(batch), xPointers: arrays}
	}
	if t.Release == ROCm64 {
		return solveBuffers{}
	}
	block := int64(32)
	if n <= 245 {
		block = 16
	}
	s := triangular{none: true, m: offMultiple(n), n: block, element: element, real: !a.Routine.Type.IsComplex(), batch: batch,
		pointers: a.Routine.Variant == routine.Batched}
	return s.solve(t)
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

// wrappedSquare is n*n as the library holds it: an unsigned 32-bit number, which shows from n = 65,536 on.
func wrappedSquare(n int64) amount {
	square := uint64(uint32(n * n))
	return amount{square, square != uint64(n*n)}
}
