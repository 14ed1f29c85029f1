package randomcall

import (
	"math/cmplx"

	"roclua/hip/routine"
)

func matrixVector(c *problem) {
	alpha, beta, op := c.scalars()
	m := c.before.stored()
	if c.Param(routine.Uplo) != nil {
		m = c.symmetric(m, c.Args.Routine.Family.Hermitian)
	} else {
		m = m.op(op)
	}
	want := m.times(c.before.column(routine.X)).plus(alpha, c.before.column(routine.Y), beta)
	c.same("y", c.after.column(routine.Y), want, m.largest()*float64(m.cols)*(1+cmplx.Abs(alpha)))
}

func triangularVector(c *problem) {
	m := c.triangular().op(c.Args.Int(routine.TransA))
	want := m.times(c.before.column(routine.X))
	c.same("x", c.after.column(routine.X), want, m.largest()*float64(m.cols))
}

func vectorSolve(c *problem) {
	m := c.triangular().op(c.Args.Int(routine.TransA))
	x := c.after.column(routine.X)
	c.same("A x", m.times(x), c.before.column(routine.X), m.largest()*x.largest()*float64(m.cols))
}
