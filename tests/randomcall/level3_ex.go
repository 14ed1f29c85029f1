package randomcall

import (
	"math"

	"roclua/hip/routine"
)

// minimumOfSums is geam_ex: the smallest sum compared with C, or the sum of the smaller elements added to C.
func minimumOfSums(c *problem) {
	alpha, beta, op := c.scalars()
	A, B := c.old(routine.A).op(op), c.old(routine.B).op(c.Args.Int(routine.TransB))
	plus := c.Args.Int(routine.GeamOperation) == routine.GeamPlusMin
	C := c.old(routine.C).plus(beta, dense{}, 0)
	want := build(A.rows, B.cols, func(i, j int64) complex128 {
		least, sum := math.Inf(1), 0.0
		for k := range A.cols {
			x, y := real(alpha*A.at(i, k)), real(alpha*B.at(k, j))
			least, sum = math.Min(least, x+y), sum+math.Min(x, y)
		}
		if plus {
			return C.at(i, j) + complex(sum, 0)
		}
		return complex(math.Min(least, real(C.at(i, j))), 0)
	})
	c.same("D", c.now(routine.D), want, c.scale3())
}
