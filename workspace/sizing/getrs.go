package sizing

import "roclua/hip/routine"

// getrs asks for one triangular solve. Both releases size it as if inside a blocked routine, so a multiple of 128 counts as one
// more, and op never matters (roclapack_getrs.hpp).
func getrs(t *Target, a *routine.Args, d *Demand) {
	d.Optimal.addSolve(solveWithFactors(t, a))
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
	return triangular{left: true, none: none, m: n, n: nrhs, element: typ.Size(), real: !typ.IsComplex(), batch: a.Batch(),
		pointers: a.Routine.Variant == routine.Batched}
}

// gesv asks for getrf and getrs, one after the other in the same memory, and for a copy of B (roclapack_gesv.hpp).
func gesv(t *Target, a *routine.Args, d *Demand) {
	n, nrhs := a.Int(routine.N), a.Int(routine.NRHS)
	if n == 0 || nrhs == 0 || a.Batch() == 0 {
		return
	}
	f := factorizationOf(a)
	f.m = n
	b := f.buffers(t)
	d.Optimal.add("scalars", b.scalars)
	d.Optimal.add("copy of B", product(f.element, n, nrhs, f.batch))
	d.Optimal.addSolve(larger4(b.solve, solveWithFactors(t, a)))
	b.addPivots(&d.Optimal)
}
