package randomcall

import (
	"math"
	"math/cmplx"
	"slices"

	"roclua/hip/routine"
)

// form says how a matrix stores the vectors of reflections: see LAPACK's larft. The vectors of rows are conjugated.
type form struct {
	rows, backward bool
	shift          int64 // how far the one of a vector is from the diagonal, away from the first reflection
}

var (
	qr = form{}
	ql = form{backward: true}
	lq = form{rows: true}
	rq = form{rows: true, backward: true}
)

// vectors returns the vectors of the k reflections that a matrix keeps: in its first or last columns or rows.
func (f form) vectors(m dense, k int64) (list []dense) {
	if f.rows {
		m = m.adjoint()
	}
	for i := range k {
		at, one := i, i+f.shift
		if f.backward {
			at, one = m.cols-k+i, m.rows-k+i-f.shift
		}
		list = append(list, build(m.rows, 1, func(r, _ int64) complex128 {
			switch {
			case r == one:
				return 1
			case (r < one) == f.backward:
				return m.at(r, at)
			}
			return 0
		}))
	}
	return list
}

// product is a product of reflections I - tau v v^H, from the first to the last factor.
type product struct {
	vectors []dense
	scalars []complex128
}

// productOf returns the product of the k reflections that a matrix keeps.
func (f form) productOf(m dense, k int64, tau []complex128) product {
	p := product{f.vectors(m, k), slices.Clone(tau)}
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
func (c *problem) unitary(p product, limit float64) {
	for i, v := range p.vectors {
		tau, square := p.scalars[i], v.squares()
		if d := math.Abs(2*real(tau) - square*(real(tau)*real(tau)+imag(tau)*imag(tau))); !(d <= limit) {
			c.fail("reflection %d is not unitary: %g", i+1, d)
		}
	}
}

// factorsInto is a factorization into an orthogonal and a triangular matrix.
func factorsInto(f form) definition {
	return func(c *problem) {
		old, now := c.old(routine.A), c.now(routine.A)
		k := min(now.rows, now.cols)
		h := f.productOf(now, k, c.after.list(routine.Ipiv))
		c.unitary(h, 1e4*c.precision())
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
			c.same("A", h.times(triangle.adjoint(), false).adjoint(), old, c.scale4())
			return
		}
		c.same("A", h.times(triangle, false), old, c.scale4())
	}
}
