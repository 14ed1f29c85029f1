package randomcall

import (
	"slices"

	"roclua/hip/routine"
)

// The definitions of routines for eigenvalues are residuals, orthogonality and order.

// eigenvalues returns the eigenvalues that the call computed.
func (c *problem) eigenvalues() []float64 {
	if c.Param(routine.VecW) != nil {
		return c.after.reals(routine.VecW)
	}
	return c.after.reals(routine.VecD)
}

// eigenproblem is the definition of routines that compute all eigenvalues.
func eigenproblem(c *problem) {
	w := c.eigenvalues()
	if c.Args.Int(routine.Esort) != routine.EsortNone {
		c.inOrder(w, false)
	}
	if p := c.Param(routine.VecE); p != nil && slices.Max(append(c.after.reals(routine.VecE), 0)) != 0 {
		c.fail("not all elements of E are zero: %v", c.after.reals(routine.VecE))
	}
	c.residual(w, c.now(routine.A))
	if p := c.Param(routine.Residual); p != nil {
		limit := c.scale4() * 1e-3
		if r := c.after.reals(routine.Residual)[0]; !(r >= 0 && r <= limit) {
			c.fail("residual %v", r)
		}
		if n := c.after.number(routine.Sweeps, 0); real(n) > 30 || real(n) < 0 {
			c.fail("%v sweeps", n)
		}
	}
}

// residual checks eigenvalues, and the eigenvectors in v if the call computes them. Without vectors it compares the
// sums of the eigenvalues and of their squares with the trace and the squared norm of the matrix.
func (c *problem) residual(w []float64, v dense) {
	A := c.symmetric(c.old(routine.A), true)
	B := identity(A.rows)
	if c.Param(routine.Itype) != nil {
		B = c.symmetric(c.old(routine.B), true)
		factor := c.choleskyProduct(c.now(routine.B))
		c.same("L L^H", factor, B, (1+B.largest())*float64(10*B.rows))
	}
	scale := c.scale4() * (1 + B.largest()) * float64(A.rows)
	if c.Args.Int(routine.Evect) != routine.EvectOriginal {
		if c.Param(routine.Itype) != nil || int64(len(w)) != A.rows {
			return
		}
		var sum, squares, trace float64
		norm := A.squares()
		for i, x := range w {
			sum += x
			squares += x * x
			trace += real(A.at(int64(i), int64(i)))
		}
		have := dense{2, 1, []complex128{complex(sum, 0), complex(squares/(1+norm), 0)}}
		want := dense{2, 1, []complex128{complex(trace, 0), complex(norm/(1+norm), 0)}}
		c.same("sums of eigenvalues", have, want, scale)
		return
	}
	left, right, product := A.times(v), B.times(v).scaledColumns(w), v.adjoint().times(B).times(v)
	switch c.Args.Int(routine.Itype) {
	case routine.EformAbx:
		left, right = A.times(B).times(v), v.scaledColumns(w)
	case routine.EformBax:
		left, right = B.times(A).times(v), v.scaledColumns(w)
		product = identity(v.cols) // it contains the inverse of B
	}
	c.same("A V", left, right, scale)
	c.same("V^H B V", product, identity(v.cols), float64(10*A.rows))
}

// someEigenvalues is the definition of routines that compute a range of eigenvalues.
func someEigenvalues(c *problem) {
	count := int64(real(c.after.number(routine.Nev, 0)))
	n := c.Args.Int(routine.N)
	if count < 0 || count > n {
		c.fail("%d eigenvalues", count)
		return
	}
	w := c.after.reals(routine.VecW)[:count]
	c.inOrder(w, false)
	switch c.Args.Int(routine.Erange) {
	case routine.ErangeIndex:
		if want := c.Args.Int(routine.UpperIndex) - c.Args.Int(routine.LowerIndex) + 1; count != want {
			c.fail("%d eigenvalues, want %d", count, want)
		}
	case routine.ErangeValue:
		for _, x := range w {
			if near := c.near(int(n)); x <= c.Args.Real(routine.LowerBound)-near ||
				x > c.Args.Real(routine.UpperBound)+near {
				c.fail("eigenvalue %v is outside of the range", x)
			}
		}
	default:
		if count != n {
			c.fail("%d eigenvalues, want %d", count, n)
		}
	}
	if c.Args.Int(routine.Evect) != routine.EvectOriginal || count == 0 {
		c.residual(w, dense{})
		return
	}
	z := c.now(routine.MatZ)
	c.residual(w, build(n, count, z.at))
}

// standardForm reverts the division by the Cholesky factor, or multiplies with it.
func standardForm(c *problem) {
	old, now := c.symmetric(c.old(routine.A), true), c.symmetric(c.now(routine.A), true)
	c.keepsOther()
	divided := c.Args.Int(routine.Itype) == routine.EformAx
	left := c.triangleOf(c.old(routine.B))
	if (c.Args.Int(routine.Uplo) == routine.FillUpper) == divided {
		left = left.adjoint()
	}
	scale := c.scale4() * (1 + left.largest()) * (1 + left.largest()) * float64(left.rows)
	if divided {
		c.same("A", left.times(now).times(left.adjoint()), old, scale)
		return
	}
	c.same("A", now, left.times(old).times(left.adjoint()), scale)
}
