package randomcall

import (
	"roclua/hip/routine"
)

// choleskyProduct multiplies the factor in a matrix with its adjoint.
func (c *problem) choleskyProduct(m dense) dense {
	factor := c.triangleOf(m)
	if c.Args.Int(routine.Uplo) == routine.FillUpper {
		return factor.adjoint().times(factor)
	}
	return factor.times(factor.adjoint())
}

func factorsCholesky(c *problem) {
	want := c.symmetric(c.old(routine.A), true)
	c.same("L L^H", c.choleskyProduct(c.now(routine.A)), want, c.scale4())
}

func solvesWithCholesky(c *problem) {
	c.sameSolution(c.choleskyProduct(c.old(routine.A)))
}

func systemCholesky(c *problem) {
	factorsCholesky(c)
	c.sameSolution(c.choleskyProduct(c.now(routine.A)))
}

// positiveInverse multiplies the inverse with the product of the factor.
func positiveInverse(c *problem) {
	inverse := c.symmetric(c.now(routine.A), true)
	c.keepsOther()
	product := c.choleskyProduct(c.old(routine.A)).times(inverse)
	c.same("A inv(A)", product, identity(inverse.rows), c.scale4()*c.scale4()*(1+inverse.largest()))
}

// multipliesTriangle expects U U^H or L^H L.
func multipliesTriangle(c *problem) {
	factor := c.triangleOf(c.old(routine.A))
	want := factor.times(factor.adjoint())
	if c.Args.Int(routine.Uplo) != routine.FillUpper {
		want = factor.adjoint().times(factor)
	}
	c.keepsOther()
	c.same("the product", c.triangleOf(c.now(routine.A)), c.triangleOf(want), c.scale4()*c.scale4())
}
