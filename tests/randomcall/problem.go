package randomcall

import (
	"fmt"
	"math/cmplx"

	"roclua/hip/routine"
)

// problem is one problem of a call that has run.
type problem struct {
	*Call
	before, after arrays
	err           error // the first difference
}

// fail reports a difference.
func (c *problem) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// problem returns problem b of the call.
func (c *Call) problem(b int64) *problem {
	return &problem{
		Call:   c,
		before: arrays{c, b, func(s routine.Slot) []byte { return c.Before[s] }},
		after:  arrays{c, b, func(s routine.Slot) []byte { return c.Arrays[s].Data() }},
	}
}

// old and now return a dense matrix argument before and after the call.
func (c *problem) old(s routine.Slot) dense { return c.before.matrix(s) }

func (c *problem) now(s routine.Slot) dense { return c.after.matrix(s) }

// triangular reads the triangle of A in any storage.
func (c *problem) triangular() dense {
	d := c.before.stored()
	for i := range d.rows {
		if c.Args.Int(routine.Diag) == routine.DiagonalUnit {
			d.set(i, i, 1)
		}
	}
	return d
}

// triangleOf clears the triangle that does not belong to a triangular result.
func (c *problem) triangleOf(d dense) dense {
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	return build(d.rows, d.cols, func(i, j int64) complex128 {
		if i == j || (i < j) == upper {
			return d.at(i, j)
		}
		return 0
	})
}

// symmetric completes a matrix from its stored triangle.
func (c *problem) symmetric(d dense, hermitian bool) dense {
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	return build(d.rows, d.cols, func(i, j int64) complex128 {
		switch {
		case i == j && hermitian:
			return complex(real(d.at(i, i)), 0)
		case i == j || (i < j) == upper:
			return d.at(i, j)
		case hermitian:
			return cmplx.Conj(d.at(j, i))
		}
		return d.at(j, i)
	})
}

// scalars returns alpha, beta and the operation on A.
func (c *problem) scalars() (alpha, beta complex128, op int64) {
	return c.Args.Scalar(routine.Alpha), c.Args.Scalar(routine.Beta), c.Args.Int(routine.TransA)
}

// product multiplies a square matrix from the side that the call names.
func (c *problem) product(square, other dense) dense {
	if c.Args.Int(routine.Side) == routine.SideLeft {
		return square.times(other)
	}
	return other.times(square)
}

// scale3 is the size of the terms of a level 3 product.
func (c *problem) scale3() float64 {
	alpha, _, _ := c.scalars()
	m := c.old(routine.A)
	return (1 + cmplx.Abs(alpha)) * (1 + m.largest()) * 10 * float64(m.rows+m.cols)
}

// scale4 is the size of the terms of a product with A.
func (c *problem) scale4() float64 {
	m := c.old(routine.A)
	return (1 + m.largest()) * float64(10*(m.rows+m.cols))
}
