package randomcall

import "roclua/hip/routine"

// The definitions of solver routines multiply back: the factors must reproduce the matrix, solutions the right-hand
// sides.

func factorsLU(c *problem) {
	c.same("P A", c.luProduct(c.now(routine.A)), c.old(routine.A), c.scale4())
}

func solvesWithLU(c *problem) {
	x := c.now(routine.B)
	product := c.luProduct(c.old(routine.A)).op(c.Args.Int(routine.TransA)).times(x)
	c.same("A X", product, c.old(routine.B), c.scale4()*(1+x.largest())*100)
}

func generalInverse(c *problem) {
	inverse := c.now(routine.A)
	product := c.luProduct(c.old(routine.A)).times(inverse)
	c.same("A inv(A)", product, identity(inverse.rows), c.scale4()*(1+inverse.largest())*100)
}

func systemLU(c *problem) {
	x := c.now(routine.B)
	c.same("A X", c.old(routine.A).times(x), c.old(routine.B), c.scale4()*(1+x.largest())*100)
}

// luProduct multiplies the factors in a matrix, and reverts the row exchanges of a routine with pivoting.
func (c *problem) luProduct(lu dense) dense {
	product := unpivoted(lu)
	if c.Param(routine.Ipiv) == nil {
		return product
	}
	for i := min(lu.rows, lu.cols) - 1; i >= 0; i-- {
		other := c.after.integer(routine.Ipiv, i) - 1
		for j := range product.cols {
			x, y := product.at(i, j), product.at(other, j)
			product.set(i, j, y)
			product.set(other, j, x)
		}
	}
	return product
}

// inverseElsewhere multiplies the inverse in C with the product of the factors.
func inverseElsewhere(c *problem) {
	inverse := c.now(routine.C)
	c.same("A", c.now(routine.A), c.old(routine.A), 0)
	product := c.luProduct(c.old(routine.A)).times(inverse)
	c.same("A inv(A)", product, identity(inverse.rows), c.scale4()*(1+inverse.largest())*100)
}

// exchangesRows exchanges rows one after the other.
func exchangesRows(c *problem) {
	want, pivots := c.old(routine.A), c.before.list(routine.Ipiv)
	first, last, inc := c.Args.Int(routine.K1), c.Args.Int(routine.K2), c.Args.Int(routine.IncX)
	for step := range last - first + 1 {
		i := first + step
		if inc < 0 {
			i = last - step
		}
		other := int64(real(pivots[first-1+(i-first)*max(inc, -inc)])) - 1
		for j := range want.cols {
			x, y := want.at(i-1, j), want.at(other, j)
			want.set(i-1, j, y)
			want.set(other, j, x)
		}
	}
	c.same("A", c.now(routine.A), want, 0)
}
