package randomcall

import "roclua/hip/routine"

// The definitions of solver routines multiply back: factors must give the matrix again, solutions the right-hand sides.

// scale4 is the size of the terms of a product with A.
func (c *Call) scale4(b int64) float64 {
	m := c.old(routine.A, b)
	return (1 + m.largest()) * float64(10*(m.rows+m.cols))
}

func factorsLU(c *Call, b int64) error {
	return c.same("P A", c.luProduct(c.now(routine.A, b), b), c.old(routine.A, b), c.scale4(b))
}

func solvesWithLU(c *Call, b int64) error {
	x := c.now(routine.B, b)
	product := c.luProduct(c.old(routine.A, b), b).op(c.Args.Int(routine.TransA)).times(x)
	return c.same("A X", product, c.old(routine.B, b), c.scale4(b)*(1+x.largest())*100)
}

func generalInverse(c *Call, b int64) error {
	inverse := c.now(routine.A, b)
	product := c.luProduct(c.old(routine.A, b), b).times(inverse)
	return c.same("A inv(A)", product, identity(inverse.rows), c.scale4(b)*(1+inverse.largest())*100)
}

func systemLU(c *Call, b int64) error {
	x := c.now(routine.B, b)
	return c.same("A X", c.old(routine.A, b).times(x), c.old(routine.B, b), c.scale4(b)*(1+x.largest())*100)
}

// choleskyProduct multiplies the factor in a matrix with its adjoint.
func (c *Call) choleskyProduct(m dense) dense {
	factor := c.triangleOf(m)
	if c.Args.Int(routine.Uplo) == routine.FillUpper {
		return factor.adjoint().times(factor)
	}
	return factor.times(factor.adjoint())
}

func factorsCholesky(c *Call, b int64) error {
	want := c.symmetric(c.old(routine.A, b), true)
	return c.same("L L^H", c.choleskyProduct(c.now(routine.A, b)), want, c.scale4(b))
}

func solvesWithCholesky(c *Call, b int64) error {
	return c.sameSolution(b, c.choleskyProduct(c.old(routine.A, b)))
}

func systemCholesky(c *Call, b int64) error {
	if err := factorsCholesky(c, b); err != nil {
		return err
	}
	return c.sameSolution(b, c.choleskyProduct(c.now(routine.A, b)))
}

func (c *Call) sameSolution(b int64, matrix dense) error {
	x := c.now(routine.B, b)
	scale := (1 + matrix.largest()) * (1 + x.largest()) * c.scale4(b)
	return c.same("A X", matrix.times(x), c.old(routine.B, b), scale)
}

func identity(n int64) dense {
	return build(n, n, func(i, j int64) complex128 {
		if i == j {
			return 1
		}
		return 0
	})
}

// unpivoted multiplies the factors in a matrix.
func unpivoted(lu dense) dense {
	d := min(lu.rows, lu.cols)
	L := build(lu.rows, d, func(i, j int64) complex128 {
		switch {
		case i == j:
			return 1
		case i > j:
			return lu.at(i, j)
		}
		return 0
	})
	U := build(d, lu.cols, func(i, j int64) complex128 {
		if i <= j {
			return lu.at(i, j)
		}
		return 0
	})
	return L.times(U)
}

// luProduct multiplies the factors in a matrix, and reverts the row exchanges of a routine with pivoting.
func (c *Call) luProduct(lu dense, b int64) dense {
	product := unpivoted(lu)
	p := c.Param(routine.Ipiv)
	if p == nil {
		return product
	}
	for i := min(lu.rows, lu.cols) - 1; i >= 0; i-- {
		other := int64(real(c.get(c.Arrays[routine.Ipiv].Data(), p, b, i))) - 1
		for j := range product.cols {
			x, y := product.at(i, j), product.at(other, j)
			product.set(i, j, y)
			product.set(other, j, x)
		}
	}
	return product
}
