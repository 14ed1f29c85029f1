package randomcall

import (
	"math"
	"math/cmplx"

	"roclua/hip/routine"
)

// vectorUpdate is an update of a general, symmetric or Hermitian matrix in any storage by one or two vectors.
func vectorUpdate(c *Call, b int64) error {
	f := c.Args.Routine.Family
	alpha, _, _ := c.scalars()
	x := c.oldColumn(routine.X, b)
	y := x
	if c.Param(routine.Y) != nil {
		y = c.oldColumn(routine.Y, b)
	}
	flip := dense.transposed
	if f.Hermitian || f.Conjugated {
		flip = dense.adjoint
	}
	old := c.oldStored(b)
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
	if err := c.same("A", c.nowStored(b), want, scale); err != nil {
		return err
	}
	return c.unchanged(p, b, func(i int64) bool { return !written[i] })
}

func diagonalProduct(c *Call, b int64) error {
	A, x := c.old(routine.A, b), c.oldColumn(routine.X, b)
	want := build(A.rows, A.cols, func(i, j int64) complex128 {
		if c.Args.Int(routine.Side) == routine.SideLeft {
			return x.v[i] * A.at(i, j)
		}
		return x.v[j] * A.at(i, j)
	})
	return c.same("C", c.now(routine.C, b), want, c.scale3(b))
}

func matrixSum(c *Call, b int64) error {
	alpha, beta, op := c.scalars()
	other := c.old(routine.B, b).op(c.Args.Int(routine.TransB))
	return c.same("C", c.now(routine.C, b), c.old(routine.A, b).op(op).plus(alpha, other, beta), c.scale3(b))
}

func triangleOfProduct(c *Call, b int64) error {
	alpha, beta, op := c.scalars()
	factor := c.old(routine.B, b).op(c.Args.Int(routine.TransB))
	want := c.old(routine.A, b).op(op).times(factor).plus(alpha, c.old(routine.C, b), beta)
	return c.sameTriangle(b, want, c.scale3(b))
}

// minimumOfSums is geam_ex: the smallest sum compared with C, or the sum of the smaller elements added to C.
func minimumOfSums(c *Call, b int64) error {
	alpha, beta, op := c.scalars()
	A, B := c.old(routine.A, b).op(op), c.old(routine.B, b).op(c.Args.Int(routine.TransB))
	plus := c.Args.Int(routine.GeamOperation) == routine.GeamPlusMin
	C := c.old(routine.C, b).plus(beta, dense{}, 0)
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
	return c.same("D", c.now(routine.D, b), want, c.scale3(b))
}
