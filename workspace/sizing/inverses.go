package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var inverseRules = map[routine.FamilyID]rule{
	routine.Potf2:               potf2,
	routine.Potri:               potri,
	routine.SolverTrtri:         solverTrtri,
	routine.Lauum:               lauum,
	routine.Getf2Npvt:           getf2Npvt,
	routine.GetriNpvt:           getri,
	routine.GetriOutOfPlace:     getriOutOfPlace,
	routine.GetriNpvtOutOfPlace: getriOutOfPlace,
	routine.Gels:                gels,
}

// potf2 needs a dot product and pivots beyond the order that one kernel factorizes (roclapack_potf2.hpp).
func potf2(_ *Target, a *routine.Args) (d Demand) {
	n, batch, element := a.Int(routine.N), a.Batch(), a.Routine.Type.Size()
	if n == 0 || batch == 0 {
		return d
	}
	d.Optimal.add(buffer.Scalars, product(3, element))
	if n > CholeskyBlock(a.Routine.Type) {
		d.Optimal.add(buffer.UnblockedWork, product(element, (n-1)/512+2, batch))
		d.Optimal.add(buffer.Pivots, product(element, batch))
	}
	return d
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

// potri inverts the factor, and multiplies the inverse by itself in a copy (roclapack_potri.hpp).
func potri(t *Target, a *routine.Args) (d Demand) {
	n, batch, element := a.Int(routine.N), a.Batch(), a.Routine.Type.Size()
	if n == 0 || batch == 0 {
		return d
	}
	if d.Endless = n >= trtriEndless; d.Endless {
		return d
	}
	d.invert(t, a, product(element, n, n, batch))
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

// lauum multiplies in a copy of the matrix (rocauxiliary_lauum.hpp).
func lauum(_ *Target, a *routine.Args) (d Demand) {
	n := a.Int(routine.N)
	d.Optimal.add(buffer.MatrixCopy, product(a.Routine.Type.Size(), n, n))
	return d
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

// gels factorizes, multiplies by the orthogonal factor and solves in the same memory (roclapack_gels.hpp).
func gels(t *Target, a *routine.Args) (d Demand) {
	m, n, nrhs := a.Int(routine.M), a.Int(routine.N), a.Int(routine.NRHS)
	if m == 0 || n == 0 || nrhs == 0 || a.Batch() == 0 {
		return d
	}
	r := reflectionsOf(t, a)
	k, f := min(m, n), r.qrOrLQ(m, n)
	p := r.multiply(leftSide, max(m, n), nrhs, k)
	none := a.Int(routine.TransA) == routine.OperationNone
	w := solveBuffers{}
	if callsBLAS(a, k, nrhs) {
		w = systemOf(a, k, nrhs, none).solve(t)
	}
	saved := m
	if none {
		saved = n
	}
	d.Optimal.add(buffer.Scalars, f.scalars)
	d.Optimal.add(buffer.LeastSquaresWork, larger(larger(f.work, p.applied), w.x))
	d.Optimal.add(buffer.LeastSquaresSolvePointers, larger(larger(f.applied, p.diagonal), w.xPointers))
	d.Optimal.add(buffer.LeastSquaresInverse, larger(larger(f.diagonal, p.triangle), w.inverse))
	d.Optimal.add(buffer.LeastSquaresPointers, larger(larger(f.pointers, p.pointers), w.inversePointers))
	d.Optimal.add(buffer.RightSideCopy, product(r.element, saved, nrhs, r.batch))
	return d
}
