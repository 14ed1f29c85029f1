package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var lsqRules = map[routine.FamilyID]rule{
	routine.Gels: gels,
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
