package randomcall

import (
	"roclua/hip/routine"
)

// leastSquares solves the normal equations of the least squares or least norm problem.
func leastSquares(c *problem) {
	m := c.old(routine.A).op(c.Args.Int(routine.TransA))
	right := build(m.rows, c.Args.Int(routine.NRHS), c.old(routine.B).at)
	x := build(m.cols, right.cols, c.now(routine.B).at)
	want := dense{}
	if m.rows >= m.cols {
		want = m.adjoint().times(m).solve(m.adjoint().times(right))
	} else {
		want = m.adjoint().times(m.times(m.adjoint()).solve(right))
	}
	c.same("X", x, want, 10*c.scale4()*(1+want.largest()))
}
