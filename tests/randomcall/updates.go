package randomcall

import (
	"math/cmplx"

	"roclua/hip/routine"
)

// vectorUpdate is an update of a general, symmetric or Hermitian matrix in any storage by one or two vectors.
func vectorUpdate(c *problem) {
	f := c.Args.Routine.Family
	alpha, _, _ := c.scalars()
	x := c.before.column(routine.X)
	y := x
	if c.Param(routine.Y) != nil {
		y = c.before.column(routine.Y)
	}
	flip := dense.transposed
	if f.Hermitian || f.Conjugated {
		flip = dense.adjoint
	}
	old := c.before.stored()
	want := x.times(flip(y)).plus(alpha, old, 1)
	if c.Param(routine.Uplo) != nil && c.Param(routine.Y) != nil {
		other := alpha
		if f.Hermitian {
			other = cmplx.Conj(alpha)
		}
		want = y.times(flip(x)).plus(other, want, 1)
	}
	written := map[int64]bool{}
	p := c.Param(routine.A)
	for j := range want.cols {
		for i := range want.rows {
			at, stored := c.place(p, i, j)
			switch {
			case !stored:
				want.set(i, j, 0)
				continue
			case f.Hermitian && i == j:
				want.set(i, i, complex(real(want.at(i, i)), 0))
			}
			written[at] = true
		}
	}
	scale := (1 + cmplx.Abs(alpha)) * (1 + x.largest()) * (1 + y.largest()) * (1 + old.largest())
	c.same("A", c.after.stored(), want, scale)
	c.unchanged(p, func(i int64) bool { return !written[i] })
}

// rankUpdate is a rank-k update; with twice it adds both products of its two factors.
func rankUpdate(twice bool) definition {
	return func(c *problem) {
		hermitian := c.Args.Routine.Family.Hermitian
		alpha, beta, op := c.scalars()
		flip := dense.transposed
		if hermitian {
			flip = dense.adjoint
		}
		A := c.old(routine.A).op(op)
		B := A
		if c.Param(routine.B) != nil {
			B = c.old(routine.B).op(op)
		}
		want := A.times(flip(B)).plus(alpha, c.symmetric(c.old(routine.C), hermitian), beta)
		if twice {
			other := alpha
			if hermitian {
				other = cmplx.Conj(alpha)
			}
			want = B.times(flip(A)).plus(other, want, 1)
		}
		for i := range want.rows {
			if hermitian {
				want.set(i, i, complex(real(want.at(i, i)), 0))
			}
		}
		c.sameTriangle(want, c.scale3()*(1+A.largest()))
	}
}
