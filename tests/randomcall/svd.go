package randomcall

import (
	"roclua/hip/routine"
)

// The definitions of routines for singular values are residuals, orthogonality and order.

// singularProblem is the definition of routines that compute all singular values.
func singularProblem(c *problem) {
	A, s := c.old(routine.A), c.after.reals(routine.VecS)
	c.inOrder(s, true)
	if len(s) > 0 && s[len(s)-1] < 0 {
		c.fail("singular value %v", s[len(s)-1])
	}
	k := min(A.rows, A.cols)
	u := c.singularVectors(routine.LeftSvect, routine.MatU)
	v := c.singularVectors(routine.RightSvect, routine.MatV)
	left := c.Args.Int(routine.LeftSvect) != routine.SvectNone
	right := c.Args.Int(routine.RightSvect) != routine.SvectNone
	if left {
		c.orthonormal("U", u)
		u = build(A.rows, k, u.at)
	}
	if right {
		c.orthonormal("V", v.adjoint())
		v = build(k, A.cols, v.at)
	}
	scale := c.scale4()
	switch {
	case left && right:
		c.same("U S V^H", u.scaledColumns(s).times(v), A, scale)
	case left:
		squares := u.scaledColumns(s).scaledColumns(s).times(u.adjoint())
		c.same("U S^2 U^H", squares, A.times(A.adjoint()), scale*scale)
	case right:
		rows := v.adjoint()
		squares := rows.scaledColumns(s).scaledColumns(s).times(rows.adjoint())
		c.same("V S^2 V^H", squares, A.adjoint().times(A), scale*scale)
	default:
		have, want := newDense(1, 1), dense{1, 1, []complex128{complex(A.squares(), 0)}}
		for _, x := range s {
			have.v[0] += complex(x*x, 0)
		}
		c.same("sum of squares", have, want, scale*scale)
	}
}

// stored returns U or V^H, which some routines store as V.
func (c *problem) stored(s routine.Slot) dense {
	d, id := c.now(s), c.Args.Routine.Family.ID
	if s == routine.MatV && (id == routine.GesvdjNotTransposed || id == routine.GesvdxNotTransposed) {
		return d.adjoint()
	}
	return d
}

// singularVectors returns U or V^H.
func (c *problem) singularVectors(job, s routine.Slot) dense {
	if c.Args.Int(job) != routine.SvectOverwrite {
		return c.stored(s)
	}
	m := c.now(routine.A)
	k := min(m.rows, m.cols)
	if s == routine.MatU {
		return build(m.rows, k, m.at)
	}
	return build(k, m.cols, m.at)
}

// bidiagonalProblem is the definition of bdsqr.
func bidiagonalProblem(c *problem) {
	n := c.Args.Int(routine.N)
	d, e := c.before.reals(routine.VecD), c.before.reals(routine.VecE)
	s := c.after.reals(routine.VecD)
	c.inOrder(s, true)
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	t := build(n, n, func(i, j int64) complex128 { return bidiagonalAt(upper, d, e, i, j) })
	newV, newU := c.now(routine.MatV), c.now(routine.MatU)
	oldV, oldU := c.old(routine.MatV), c.old(routine.MatU)
	newC, oldC := c.now(routine.C), c.old(routine.C)
	scale := float64(1000*n) * (1 + t.largest())
	// U Q S P^T V is U B V, and C^H Q S^2 Q^T C is C^H B B^T C.
	c.same("U B V", newU.scaledColumns(s).times(newV), oldU.times(t).times(oldV), scale)
	rows := newC.adjoint().scaledColumns(s)
	want := oldC.adjoint().times(t)
	c.same("C^H B B^T C", rows.times(rows.adjoint()), want.times(want.adjoint()), scale*scale)
}

// foundValues returns the singular values that a call has found, and checks their number and range.
func (c *problem) foundValues(all int64) []float64 {
	count := c.after.integer(routine.Nsv, 0)
	if count < 0 || count > all {
		c.fail("%d singular values", count)
		return nil
	}
	s := c.after.reals(routine.VecS)[:count]
	switch c.Args.Int(routine.Srange) {
	case routine.SrangeAll:
		if count != all {
			c.fail("%d singular values, want %d", count, all)
		}
	case routine.SrangeIndex:
		if want := c.Args.Int(routine.UpperIndex) - c.Args.Int(routine.LowerIndex) + 1; count != want {
			c.fail("%d singular values, want %d", count, want)
		}
	case routine.SrangeValue:
		for _, v := range s {
			if near := c.near(int(all)); v < c.Args.Real(routine.LowerBound)-near ||
				v >= c.Args.Real(routine.UpperBound)+near {
				c.fail("singular value %v is outside of the range", v)
			}
		}
	}
	c.inOrder(s, true)
	return s
}

// pairs checks that A V = U S and A^H U = V S, with orthonormal U and V.
func (c *problem) pairs(A, u, v dense, s []float64, scale float64) {
	c.same("A V", A.times(v), u.scaledColumns(s), scale)
	c.same("A^H U", A.adjoint().times(u), v.scaledColumns(s), scale)
	c.orthonormal("U", u)
	c.orthonormal("V", v)
}

// someOfBidiagonal is the definition of bdsvdx.
func someOfBidiagonal(c *problem) {
	d, e := c.before.reals(routine.VecD), c.before.reals(routine.VecE)
	n := int64(len(d))
	s := c.foundValues(n)
	if c.err != nil || c.Args.Int(routine.Svect) == routine.SvectNone {
		return
	}
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	t := build(n, n, func(i, j int64) complex128 { return bidiagonalAt(upper, d, e, i, j) })
	z := c.now(routine.MatZ)
	u := build(n, int64(len(s)), z.at)
	v := build(n, int64(len(s)), func(i, j int64) complex128 { return z.at(n+i, j) })
	c.pairs(t, u, v, s, float64(10*n))
}

// someSingularValues is the definition of gesvdx.
func someSingularValues(c *problem) {
	A := c.old(routine.A)
	s := c.foundValues(min(A.rows, A.cols))
	k, scale := int64(len(s)), c.scale4()
	left := c.Args.Int(routine.LeftSvect) == routine.SvectSingular
	right := c.Args.Int(routine.RightSvect) == routine.SvectSingular
	if c.err != nil || !left || !right {
		return
	}
	u, v := c.stored(routine.MatU), c.stored(routine.MatV)
	c.pairs(A, build(A.rows, k, u.at), build(k, A.cols, v.at).adjoint(), s, scale)
}
