package randomcall

import (
	"roclua/hip/routine"
)

func generalProduct(c *problem) {
	alpha, beta, op := c.scalars()
	factor := c.old(routine.B).op(c.Args.Int(routine.TransB))
	want := c.old(routine.A).op(op).times(factor).plus(alpha, c.old(routine.C), beta)
	result := routine.C
	if c.Param(routine.D) != nil {
		result = routine.D
	}
	c.same("the result", c.now(result), want, c.scale3())
}

func symmetricProduct(c *problem) {
	alpha, beta, _ := c.scalars()
	m := c.symmetric(c.old(routine.A), c.Args.Routine.Family.Hermitian)
	want := c.product(m, c.old(routine.B)).plus(alpha, c.old(routine.C), beta)
	c.same("C", c.now(routine.C), want, c.scale3())
}

func triangularProduct(c *problem) {
	alpha, _, op := c.scalars()
	want := c.product(c.triangular().op(op), c.old(routine.B)).plus(alpha, dense{}, 0)
	c.same("C", c.now(routine.C), want, c.scale3())
}

func matrixSolve(c *problem) {
	alpha, _, op := c.scalars()
	x := c.now(routine.B)
	want := c.old(routine.B).plus(alpha, dense{}, 0)
	c.same("op(A) X", c.product(c.triangular().op(op), x), want, c.scale3()*(1+x.largest()))
}

func triangleOfProduct(c *problem) {
	alpha, beta, op := c.scalars()
	factor := c.old(routine.B).op(c.Args.Int(routine.TransB))
	want := c.old(routine.A).op(op).times(factor).plus(alpha, c.old(routine.C), beta)
	c.sameTriangle(want, c.scale3())
}
