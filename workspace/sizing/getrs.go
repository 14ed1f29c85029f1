package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

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

// systemOf is a solve from the left with a routine's type and form.
func systemOf(a *routine.Args, n, nrhs int64, none bool) triangular {
	typ := a.Routine.Type
	return triangular{left: true, none: none, m: n, n: nrhs, element: typ.Size(), real: !typ.IsComplex(),
		batch: a.Batch(), pointers: a.Routine.Variant == routine.Batched,
		wide: a.Routine.Wide, ld: a.Int(routine.LDB)}
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
