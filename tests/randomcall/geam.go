package randomcall

import (
	"roclua/hip/routine"
)

func diagonalProduct(c *problem) {
	A, x := c.old(routine.A), c.before.column(routine.X)
	want := build(A.rows, A.cols, func(i, j int64) complex128 {
		if c.Args.Int(routine.Side) == routine.SideLeft {
			return x.v[i] * A.at(i, j)
		}
		return x.v[j] * A.at(i, j)
	})
	c.same("C", c.now(routine.C), want, c.scale3())
}

func matrixSum(c *problem) {
	alpha, beta, op := c.scalars()
	other := c.old(routine.B).op(c.Args.Int(routine.TransB))
	c.same("C", c.now(routine.C), c.old(routine.A).op(op).plus(alpha, other, beta), c.scale3())
}
