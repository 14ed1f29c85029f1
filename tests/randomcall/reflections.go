package randomcall

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"roclua/hip/routine"
)

// form is the way in which a matrix keeps the vectors of reflections: see LAPACK's larft. The vectors of rows are
// conjugated.
type form struct{ rows, backward bool }

var (
	qr = form{}
	ql = form{backward: true}
	lq = form{rows: true}
	rq = form{rows: true, backward: true}
)

// givenReflections are the families that read reflections, with their form. That of larft and larfb is an argument.
var givenReflections = map[routine.FamilyID]form{
	routine.Org2r: qr, routine.Orgqr: qr, routine.Org2l: ql, routine.Orgql: ql, routine.Orgl2: lq, routine.Orglq: lq,
	routine.Orm2r: qr, routine.Ormqr: qr, routine.Orm2l: ql, routine.Ormql: ql, routine.Orml2: lq, routine.Ormlq: lq,
	routine.Larft: qr,
}

// product is a product of reflections I - tau v v^H, from the first to the last factor.
type product struct {
	vectors []dense
	scalars []complex128
}

// productOf returns the product of the k reflections that a matrix keeps: in its first or last columns or rows.
func (f form) productOf(m dense, k int64, tau []complex128) product {
	if f.rows {
		m = m.adjoint()
	}
	p := product{scalars: slices.Clone(tau)}
	for i := range k {
		at, one := i, i
		if f.backward {
			at, one = m.cols-k+i, m.rows-k+i
		}
		p.vectors = append(p.vectors, build(m.rows, 1, func(r, _ int64) complex128 {
			switch {
			case r == one:
				return 1
			case (r < one) == f.backward:
				return m.at(r, at)
			}
			return 0
		}))
	}
	if f.backward {
		slices.Reverse(p.vectors)
		slices.Reverse(p.scalars)
	}
	return p
}

// times returns the product and another matrix multiplied; adjoint says that it is the adjoint product.
func (p product) times(x dense, adjoint bool) dense {
	x = dense{x.rows, x.cols, slices.Clone(x.v)}
	for step := range p.vectors {
		i := len(p.vectors) - 1 - step
		tau := p.scalars[i]
		if adjoint {
			i, tau = step, cmplx.Conj(p.scalars[step])
		}
		v := p.vectors[i].v
		for j := range x.cols {
			column := x.v[j*x.rows:][:x.rows]
			var inner complex128
			for r, y := range column {
				inner += cmplx.Conj(v[r]) * y
			}
			for r := range column {
				column[r] -= tau * inner * v[r]
			}
		}
	}
	return x
}

// unitary reports a reflection that is not a unitary matrix.
func (p product) unitary(limit float64) error {
	for i, v := range p.vectors {
		tau, square := p.scalars[i], 0.0
		for _, x := range v.v {
			square += real(x)*real(x) + imag(x)*imag(x)
		}
		if d := math.Abs(2*real(tau) - square*(real(tau)*real(tau)+imag(tau)*imag(tau))); !(d <= limit) {
			return fmt.Errorf("reflection %d is not unitary: %g", i+1, d)
		}
	}
	return nil
}

// list reads an array without gaps.
func (c *Call) list(raw []byte, s routine.Slot, b int64) []complex128 {
	p := c.Param(s)
	values := make([]complex128, p.Rows.Of(c.Args))
	for i := range values {
		values[i] = c.get(raw, p, b, int64(i))
	}
	return values
}

// formOf returns the form of a call's reflections.
func (c *Call) formOf() form {
	if c.Param(routine.Storev) == nil {
		return givenReflections[c.Args.Routine.Family.ID]
	}
	return form{c.Args.Int(routine.Storev) == routine.StorevRows,
		c.Args.Int(routine.Direct) == routine.DirectBackward}
}

// given returns the reflections that a call reads.
func (c *Call) given(b int64) product {
	vectors, scalars := routine.A, routine.Ipiv
	if c.Param(routine.MatV) != nil {
		vectors, scalars = routine.MatV, routine.Tau
	}
	return c.formOf().productOf(c.old(vectors, b), c.Args.Int(routine.K), c.list(c.Before[scalars], scalars, b))
}

// makeUnitary changes the scalars of the reflections that a call reads, so that long products stay finite: complex ones
// become unitary.
func (c *Call) makeUnitary() {
	scalars := routine.Ipiv
	if c.Param(routine.Tau) != nil {
		scalars = routine.Tau
	}
	p := c.given(0)
	if c.formOf().backward {
		slices.Reverse(p.vectors)
	}
	param := c.Param(scalars)
	for i, v := range p.vectors {
		square := 0.0
		for _, x := range v.v {
			square += real(x)*real(x) + imag(x)*imag(x)
		}
		turn := cmplx.Rect(1, c.Rand.Float64())
		c.Put(param, 0, int64(i), (1+turn)/complex(square, 0))
	}
	copy(c.Before[scalars], c.Arrays[scalars].Data())
}

// factorsInto is a factorization into an orthogonal and a triangular matrix.
func factorsInto(f form) definition {
	return func(c *Call, b int64) error {
		old, now := c.old(routine.A, b), c.now(routine.A, b)
		k := min(now.rows, now.cols)
		h := f.productOf(now, k, c.list(c.Arrays[routine.Ipiv].Data(), routine.Ipiv, b))
		if err := h.unitary(1e4 * c.precision()); err != nil {
			return err
		}
		shift := int64(0)
		if f.backward {
			shift = now.rows - now.cols
		}
		triangle := build(now.rows, now.cols, func(i, j int64) complex128 {
			if i == j+shift || (i < j+shift) == (f.rows == f.backward) {
				return now.at(i, j)
			}
			return 0
		})
		if f.rows {
			return c.same("A", h.times(triangle.adjoint(), false).adjoint(), old, c.scale4(b))
		}
		return c.same("A", h.times(triangle, false), old, c.scale4(b))
	}
}

func generatesQ(c *Call, b int64) error {
	q, f, now := c.given(b), c.formOf(), c.now(routine.A, b)
	if f.rows {
		now = now.adjoint()
	}
	shift := int64(0)
	if f.backward {
		shift = now.rows - now.cols
	}
	unit := build(now.rows, now.cols, func(i, j int64) complex128 {
		if i == j+shift {
			return 1
		}
		return 0
	})
	return c.same("Q", now, q.times(unit, false), 10)
}

// multipliesByQ expects op(Q) C or C op(Q).
func multipliesByQ(c *Call, b int64) error {
	adjoint := (c.Args.Int(routine.TransA) != routine.OperationNone) != c.formOf().rows
	old := c.old(routine.C, b)
	scale := (1 + old.largest()) * float64(old.rows+old.cols)
	if c.Args.Int(routine.Side) == routine.SideLeft {
		return c.same("C", c.now(routine.C, b), c.given(b).times(old, adjoint), scale)
	}
	return c.same("C", c.now(routine.C, b), c.given(b).times(old.adjoint(), !adjoint).adjoint(), scale)
}

// vectors returns V of larft and larfb as columns.
func (c *Call) vectors(b int64) dense {
	h := c.formOf().productOf(c.old(routine.MatV, b), c.Args.Int(routine.K), make([]complex128, c.Args.Int(routine.K)))
	if c.formOf().backward {
		slices.Reverse(h.vectors)
	}
	return build(h.vectors[0].rows, int64(len(h.vectors)), func(i, j int64) complex128 { return h.vectors[j].v[i] })
}

func triangularFactor(c *Call, b int64) error {
	v, t := c.vectors(b), c.now(routine.MatT, b)
	for j := range t.cols {
		for i := range t.rows {
			if i != j && (i > j) != c.formOf().backward && t.at(i, j) != 0 {
				return fmt.Errorf("T(%d, %d) is %v, want 0", i, j, t.at(i, j))
			}
		}
	}
	unit := identity(v.rows)
	return c.same("H", unit.plus(1, v.times(t).times(v.adjoint()), -1), c.given(b).times(unit, false), 100)
}

func appliesBlock(c *Call, b int64) error {
	v, t, old := c.vectors(b), c.old(routine.MatT, b), c.old(routine.A, b)
	for j := range t.cols {
		for i := range t.rows {
			if i != j && (i > j) != c.formOf().backward {
				t.set(i, j, 0)
			}
		}
	}
	vt := v.times(t.op(c.Args.Int(routine.TransA)))
	want := c.product(identity(v.rows).plus(1, vt.times(v.adjoint()), -1), old)
	return c.same("A", c.now(routine.A, b), want, (1+vt.largest()*v.largest()*float64(t.rows*v.rows))*c.scale4(b))
}

// makesReflection applies the adjoint of the reflection to the vector that it was made of.
func makesReflection(c *Call, b int64) error {
	var old, now dense
	if n := c.Args.Int(routine.N); n > 1 {
		old, now = c.oldColumn(routine.X, b), c.newColumn(routine.X, b)
	}
	alpha, beta := c.list(c.Before[routine.C], routine.C, b)[0], c.list(c.Arrays[routine.C].Data(), routine.C, b)[0]
	if imag(beta) != 0 {
		return fmt.Errorf("beta is %v, want a real number", beta)
	}
	n := int64(len(old.v)) + 1
	h := product{[]dense{{n, 1, append([]complex128{1}, now.v...)}},
		c.list(c.Arrays[routine.Tau].Data(), routine.Tau, b)}
	x := dense{n, 1, append([]complex128{alpha}, old.v...)}
	want := newDense(n, 1)
	want.v[0] = beta
	if err := h.unitary(1e3 * c.precision()); err != nil {
		return err
	}
	return c.same("H^H x", h.times(x, true), want, 10*float64(n))
}

func appliesReflection(c *Call, b int64) error {
	v, old := c.oldColumn(routine.X, b), c.old(routine.A, b)
	h := identity(v.rows).plus(1, v.times(v.adjoint()), -c.list(c.Before[routine.C], routine.C, b)[0])
	return c.same("A", c.now(routine.A, b), c.product(h, old), (1+h.largest())*c.scale4(b))
}

func conjugates(c *Call, b int64) error {
	return c.same("x", c.newColumn(routine.X, b), c.oldColumn(routine.X, b).adjoint().transposed(), 1)
}

// exchangesRows exchanges rows one after the other.
func exchangesRows(c *Call, b int64) error {
	want, pivots := c.old(routine.A, b), c.list(c.Before[routine.Ipiv], routine.Ipiv, b)
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
	return c.same("A", c.now(routine.A, b), want, 0)
}

// leastSquares solves the normal equations of the least squares or least norm problem.
func leastSquares(c *Call, b int64) error {
	m := c.old(routine.A, b).op(c.Args.Int(routine.TransA))
	right := build(m.rows, c.Args.Int(routine.NRHS), c.old(routine.B, b).at)
	x := build(m.cols, right.cols, c.now(routine.B, b).at)
	want := dense{}
	if m.rows >= m.cols {
		want = m.adjoint().times(m).solve(m.adjoint().times(right))
	} else {
		want = m.adjoint().times(m.times(m.adjoint()).solve(right))
	}
	return c.same("X", x, want, 10*c.scale4(b)*(1+want.largest()))
}

// solve solves a positive definite system.
func (d dense) solve(b dense) dense {
	a, x := dense{d.rows, d.cols, slices.Clone(d.v)}, dense{b.rows, b.cols, slices.Clone(b.v)}
	for k := range a.rows {
		for i := range a.rows {
			if i == k {
				continue
			}
			factor := a.at(i, k) / a.at(k, k)
			for j := k + 1; j < a.cols; j++ {
				a.set(i, j, a.at(i, j)-factor*a.at(k, j))
			}
			for j := range x.cols {
				x.set(i, j, x.at(i, j)-factor*x.at(k, j))
			}
		}
	}
	return build(x.rows, x.cols, func(i, j int64) complex128 { return x.at(i, j) / a.at(i, i) })
}
