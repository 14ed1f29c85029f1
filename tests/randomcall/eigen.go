package randomcall

import (
	"fmt"
	"math"
	"slices"

	"roclua/hip/routine"
)

// The definitions of eigenvalue and singular value routines are residuals, orthogonality and order.

// drawSpecial draws arguments whose values depend on others. It reports whether it has drawn one.
func (c *Call) drawSpecial(p *routine.Param) bool {
	a, n := c.Args, c.Args.Int(routine.N)
	if c.Param(routine.M) != nil {
		n = min(n, a.Int(routine.M))
	}
	center := 0.0
	if c.Param(routine.A) != nil {
		center = float64(4 + 2*n) // the diagonal of A
	}
	switch p.Slot {
	case routine.Abstol:
		a.SetReal(p.Slot, 0)
	case routine.LowerBound: // next to the eigenvalues
		a.SetReal(p.Slot, math.Max(0, center+c.Rand.NormFloat64()*math.Sqrt(float64(n))))
	case routine.UpperBound:
		a.SetReal(p.Slot, a.Real(routine.LowerBound)+c.Rand.Float64()*math.Sqrt(float64(n)))
	case routine.LowerIndex:
		a.SetInt(p.Slot, 1+c.Rand.Int64N(max(n, 1)))
	case routine.UpperIndex:
		a.SetInt(p.Slot, a.Int(routine.LowerIndex)+c.Rand.Int64N(max(1, n+1-a.Int(routine.LowerIndex))))
	default:
		return false
	}
	return true
}

// inOrder checks that values are ascending, or descending.
func inOrder(values []float64, descending bool) error {
	for i := 1; i < len(values); i++ {
		if !(values[i-1] <= values[i]) && !descending || !(values[i-1] >= values[i]) && descending {
			return fmt.Errorf("value %d is %v, after %v", i, values[i], values[i-1])
		}
	}
	return nil
}

// scaledColumns multiplies the columns of a matrix.
func (d dense) scaledColumns(by []float64) dense {
	return build(d.rows, d.cols, func(i, j int64) complex128 { return d.at(i, j) * complex(by[j], 0) })
}

// orthonormal checks the products of columns.
func (c *Call) orthonormal(what string, v dense) error {
	return c.same(what+" of the adjoint and itself", v.adjoint().times(v), identity(v.cols), 1)
}

// eigenvalues returns those that the call computed.
func (c *Call) eigenvalues(b int64) []float64 {
	if c.Param(routine.VecW) != nil {
		return c.reals(routine.VecW, b)
	}
	return c.reals(routine.VecD, b)
}

// eigenproblem is the definition of routines that compute all eigenvalues.
func eigenproblem(c *Call, b int64) error {
	w := c.eigenvalues(b)
	if err := inOrder(w, false); err != nil && c.Args.Int(routine.Esort) != routine.EsortNone {
		return err
	}
	if p := c.Param(routine.VecE); p != nil && slices.Max(append(c.reals(routine.VecE, b), 0)) != 0 {
		return fmt.Errorf("not all elements of E are zero: %v", c.reals(routine.VecE, b))
	}
	if err := c.residual(b, w, c.now(routine.A, b)); err != nil {
		return err
	}
	if p := c.Param(routine.Residual); p != nil {
		limit := c.scale4(b) * 1e-3
		if r := c.reals(routine.Residual, b)[0]; !(r >= 0 && r <= limit) {
			return fmt.Errorf("residual %v", r)
		}
		if n := c.get(c.Arrays[routine.Sweeps].Data(), c.Param(routine.Sweeps), b, 0); real(n) > 30 || real(n) < 0 {
			return fmt.Errorf("%v sweeps", n)
		}
	}
	return nil
}

// residual checks eigenvalues, and the eigenvectors in v if the call computes them. Without vectors it compares the
// sums of the eigenvalues and of their squares with those of the matrix.
func (c *Call) residual(b int64, w []float64, v dense) error {
	A := c.symmetric(c.old(routine.A, b), true)
	B := identity(A.rows)
	if c.Param(routine.Itype) != nil {
		B = c.symmetric(c.old(routine.B, b), true)
		factor := c.choleskyProduct(c.now(routine.B, b))
		if err := c.same("L L^H", factor, B, (1+B.largest())*float64(10*B.rows)); err != nil {
			return err
		}
	}
	scale := c.scale4(b) * (1 + B.largest()) * float64(A.rows)
	if c.Args.Int(routine.Evect) != routine.EvectOriginal {
		if c.Param(routine.Itype) != nil || int64(len(w)) != A.rows {
			return nil
		}
		var sum, squares, trace, norm float64
		for i, x := range w {
			sum += x
			squares += x * x
			trace += real(A.at(int64(i), int64(i)))
		}
		for _, x := range A.v {
			norm += real(x)*real(x) + imag(x)*imag(x)
		}
		have := dense{2, 1, []complex128{complex(sum, 0), complex(squares/(1+norm), 0)}}
		want := dense{2, 1, []complex128{complex(trace, 0), complex(norm/(1+norm), 0)}}
		return c.same("sums of eigenvalues", have, want, scale)
	}
	left, right, product := A.times(v), B.times(v).scaledColumns(w), v.adjoint().times(B).times(v)
	switch c.Args.Int(routine.Itype) {
	case routine.EformAbx:
		left, right = A.times(B).times(v), v.scaledColumns(w)
	case routine.EformBax:
		left, right = B.times(A).times(v), v.scaledColumns(w)
		product = identity(v.cols) // of which the inverse of B is a part
	}
	if err := c.same("A V", left, right, scale); err != nil {
		return err
	}
	return c.same("V^H B V", product, identity(v.cols), float64(10*A.rows))
}

// someEigenvalues is the definition of routines that compute a range of eigenvalues.
func someEigenvalues(c *Call, b int64) error {
	count := int64(real(c.get(c.Arrays[routine.Nev].Data(), c.Param(routine.Nev), b, 0)))
	n := c.Args.Int(routine.N)
	if count < 0 || count > n {
		return fmt.Errorf("%d eigenvalues", count)
	}
	w := c.reals(routine.VecW, b)[:count]
	if err := inOrder(w, false); err != nil {
		return err
	}
	switch c.Args.Int(routine.Erange) {
	case routine.ErangeIndex:
		if want := c.Args.Int(routine.UpperIndex) - c.Args.Int(routine.LowerIndex) + 1; count != want {
			return fmt.Errorf("%d eigenvalues, want %d", count, want)
		}
	case routine.ErangeValue:
		for _, x := range w {
			if x <= c.Args.Real(routine.LowerBound) || x > c.Args.Real(routine.UpperBound) {
				return fmt.Errorf("eigenvalue %v is outside of the range", x)
			}
		}
	default:
		if count != n {
			return fmt.Errorf("%d eigenvalues, want %d", count, n)
		}
	}
	if c.Args.Int(routine.Evect) != routine.EvectOriginal || count == 0 {
		return c.residual(b, w, dense{})
	}
	z := c.now(routine.MatZ, b)
	return c.residual(b, w, build(n, count, z.at))
}

// oldDiagonals returns the two diagonals of a matrix of order n before the call.
func (c *Call) oldDiagonals(b int64) (d, e []float64) {
	n := c.Args.Int(routine.N)
	for i := range n {
		d = append(d, real(c.get(c.Before[routine.VecD], c.Param(routine.VecD), b, i)))
		if i < n-1 {
			e = append(e, real(c.get(c.Before[routine.VecE], c.Param(routine.VecE), b, i)))
		}
	}
	return d, e
}

// tridiagonalProblem is the definition of the routines for tridiagonal matrices.
func tridiagonalProblem(c *Call, b int64) error {
	n := c.Args.Int(routine.N)
	d, e := c.oldDiagonals(b)
	w := c.reals(routine.VecD, b)
	if err := inOrder(w, false); err != nil {
		return err
	}
	t := build(n, n, func(i, j int64) complex128 { return tridiagonalAt(d, e, i, j) })
	sum, trace := newDense(1, 1), newDense(1, 1)
	for i := range n {
		sum.v[0] += complex(w[i], 0)
		trace.v[0] += t.at(i, i)
	}
	if err := c.same("sum of eigenvalues", sum, trace, float64(10*n)); err != nil {
		return err
	}
	if c.Param(routine.C) == nil || c.Args.Int(routine.Evect) == routine.EvectNone {
		return nil
	}
	z, old := c.now(routine.C, b), identity(n)
	if c.Args.Int(routine.Evect) == routine.EvectOriginal {
		old = c.old(routine.C, b)
	}
	// C Z, with T Z = Z D and C Z (C Z)^H = C C^H.
	scale := float64(100*n) * (1 + old.largest()) * (1 + t.largest())
	product := z.scaledColumns(w).times(z.adjoint())
	if err := c.same("C T C^H", product, old.times(t).times(old.adjoint()), scale); err != nil {
		return err
	}
	return c.same("C C^H", z.times(z.adjoint()), old.times(old.adjoint()), scale)
}

// singularProblem is the definition of routines that compute all singular values.
func singularProblem(c *Call, b int64) error {
	A, s := c.old(routine.A, b), c.reals(routine.VecS, b)
	if err := inOrder(s, true); err != nil {
		return err
	}
	if len(s) > 0 && s[len(s)-1] < 0 {
		return fmt.Errorf("singular value %v", s[len(s)-1])
	}
	k := min(A.rows, A.cols)
	u := c.singularVectors(routine.LeftSvect, routine.MatU, b)
	v := c.singularVectors(routine.RightSvect, routine.MatV, b)
	left := c.Args.Int(routine.LeftSvect) != routine.SvectNone
	right := c.Args.Int(routine.RightSvect) != routine.SvectNone
	if left {
		if err := c.orthonormal("U", u); err != nil {
			return err
		}
		u = build(A.rows, k, u.at)
	}
	if right {
		if err := c.orthonormal("V", v.adjoint()); err != nil {
			return err
		}
		v = build(k, A.cols, v.at)
	}
	scale := c.scale4(b)
	switch {
	case left && right:
		return c.same("U S V^H", u.scaledColumns(s).times(v), A, scale)
	case left:
		squares := u.scaledColumns(s).scaledColumns(s).times(u.adjoint())
		return c.same("U S^2 U^H", squares, A.times(A.adjoint()), scale*scale)
	case right:
		rows := v.adjoint()
		squares := rows.scaledColumns(s).scaledColumns(s).times(rows.adjoint())
		return c.same("V S^2 V^H", squares, A.adjoint().times(A), scale*scale)
	}
	have, want := newDense(1, 1), newDense(1, 1)
	for _, x := range s {
		have.v[0] += complex(x*x, 0)
	}
	for _, x := range A.v {
		want.v[0] += complex(real(x)*real(x)+imag(x)*imag(x), 0)
	}
	return c.same("sum of squares", have, want, scale*scale)
}

// singularVectors returns U or V^H.
func (c *Call) singularVectors(job, s routine.Slot, b int64) dense {
	if c.Args.Int(job) != routine.SvectOverwrite {
		return c.now(s, b)
	}
	m := c.now(routine.A, b)
	k := min(m.rows, m.cols)
	if s == routine.MatU {
		return build(m.rows, k, m.at)
	}
	return build(k, m.cols, m.at)
}

// bidiagonalProblem is the definition of bdsqr.
func bidiagonalProblem(c *Call, b int64) error {
	n := c.Args.Int(routine.N)
	d, e := c.oldDiagonals(b)
	s := c.reals(routine.VecD, b)
	if err := inOrder(s, true); err != nil {
		return err
	}
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	t := build(n, n, func(i, j int64) complex128 { return bidiagonalAt(upper, d, e, i, j) })
	newV, newU := c.now(routine.MatV, b), c.now(routine.MatU, b)
	oldV, oldU := c.old(routine.MatV, b), c.old(routine.MatU, b)
	newC, oldC := c.now(routine.C, b), c.old(routine.C, b)
	scale := float64(1000*n) * (1 + t.largest())
	// U Q S P^T V is U B V, and C^H Q S^2 Q^T C is C^H B B^T C.
	if err := c.same("U B V", newU.scaledColumns(s).times(newV), oldU.times(t).times(oldV), scale); err != nil {
		return err
	}
	rows := newC.adjoint().scaledColumns(s)
	want := oldC.adjoint().times(t)
	return c.same("C^H B B^T C", rows.times(rows.adjoint()), want.times(want.adjoint()), scale*scale)
}
