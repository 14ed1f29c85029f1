package randomcall

import (
	"roclua/hip/routine"
)

func triangularInverse(c *problem) {
	inverse := c.triangleOf(c.now(routine.InvA))
	product := c.triangular().times(inverse)
	c.same("A inv(A)", product, identity(inverse.rows), c.scale3()*(1+inverse.largest()))
}

func invertsTriangle(c *problem) {
	inverse := c.triangleOf(c.now(routine.A))
	for i := range inverse.rows {
		if c.Args.Int(routine.Diag) == routine.DiagonalUnit {
			inverse.set(i, i, 1)
		}
	}
	c.keepsOther()
	matrix := c.triangular()
	c.same("A inv(A)", matrix.times(inverse), identity(inverse.rows), c.scale4()*(1+inverse.largest()))
}
