package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var inverseRules = map[routine.FamilyID]rule{
	routine.SolverTrtri: solverTrtri,
	routine.Lauum:       lauum,
}

// solverTrtri is trtri of rocSOLVER. It copies the triangle, except to invert a unit one by blocks
// (roclapack_trtri.hpp).
func solverTrtri(t *Target, a *routine.Args) (d Demand) {
	n, batch := a.Int(routine.N), a.Batch()
	if n == 0 || batch == 0 {
		return d
	}
	if d.Endless = n >= trtriEndless; d.Endless {
		return d
	}
	copied := unsigned32(n * n).times(a.Routine.Type.Size()).times(batch)
	if a.Int(routine.Diag) == routine.DiagonalUnit && invertsByBlocks(a, n) {
		copied = zero
	}
	d.invert(t, a, copied)
	return d
}

// invert adds the memory for the inverse of a triangle, with a copy of the matrix.
func (d *Demand) invert(t *Target, a *routine.Args, copied amount) {
	arrays := zero
	if a.Routine.Variant == routine.Batched {
		arrays = product(8, a.Batch())
	}
	d.Optimal.addSolve(invertTriangle(t, a, arrays))
	d.Optimal.add(buffer.MatrixCopy, copied)
	d.Optimal.add(buffer.MatrixCopyPointers, arrays)
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

// lauum multiplies in a copy of the matrix (rocauxiliary_lauum.hpp).
func lauum(_ *Target, a *routine.Args) (d Demand) {
	n := a.Int(routine.N)
	d.Optimal.add(buffer.MatrixCopy, product(a.Routine.Type.Size(), n, n))
	return d
}
