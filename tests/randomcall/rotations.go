package randomcall

import (
	"math/cmplx"

	"roclua/hip/routine"
)

func rotation(c *problem) {
	cosine, sine := complex(real(c.Args.Scalar(routine.Cosine)), 0), c.Args.Scalar(routine.Sine)
	c.combined(cosine, sine, -cmplx.Conj(sine), cosine)
}

// modified returns the matrix of a modified rotation, whose form says which of its elements are stored.
func (c *problem) modified(from arrays) (form float64, h11, h12, h21, h22 complex128) {
	at := func(i int64) complex128 { return from.number(routine.RotationParam, i) }
	switch form = real(at(0)); form {
	case -1:
		return form, at(1), at(3), at(2), at(4)
	case 0:
		return form, 1, at(3), at(2), 1
	case 1:
		return form, at(1), 1, -1, at(4)
	}
	return form, 1, 0, 0, 1
}

func modifiedRotation(c *problem) {
	form, h11, h12, h21, h22 := c.modified(c.before)
	if form == -2 {
		everything := func(int64) bool { return true }
		c.unchanged(c.Param(routine.X), everything)
		c.unchanged(c.Param(routine.Y), everything)
		return
	}
	c.combined(h11, h12, h21, h22)
}

// makesRotation requires that the rotation is unitary and turns (a, b) into (r, 0).
func makesRotation(c *problem) {
	x, y, r := c.before.number(routine.A, 0), c.before.number(routine.B, 0), c.after.number(routine.A, 0)
	cosine, sine := c.after.number(routine.C, 0), c.after.number(routine.D, 0)
	have := dense{3, 1, []complex128{cosine*x + sine*y, cosine*y - cmplx.Conj(sine)*x,
		cosine*cosine + sine*cmplx.Conj(sine)}}
	c.same("the rotated numbers", have, dense{3, 1, []complex128{r, 0, 1}}, 1+cmplx.Abs(x)+cmplx.Abs(y))
}

// makesModifiedRotation requires that the rotation turns (x1, y1) into (x1, 0) and keeps d1 x1^2 + d2 y1^2, or that
// everything is zero if one of the scales is negative and the sum is, or d1.
func makesModifiedRotation(c *problem) {
	form, h11, h12, h21, h22 := c.modified(c.after)
	x, y, d1, d2 := c.before.number(routine.X, 0), c.before.number(routine.Y, 0), c.before.number(routine.A, 0),
		c.before.number(routine.B, 0)
	newX, newD1, newD2 := c.after.number(routine.X, 0), c.after.number(routine.A, 0), c.after.number(routine.B, 0)
	sum := real(d1*x*x + d2*y*y)
	if real(d1) < 0 || sum <= 0 {
		have := dense{8, 1, []complex128{complex(form, 0), newX, newD1, newD2, h11, h12, h21, h22}}
		c.same("the rotation of a negative scale", have, dense{8, 1, []complex128{-1, 0, 0, 0, 0, 0, 0, 0}}, 0)
		return
	}
	have := dense{3, 1, []complex128{h11*x + h12*y, h21*x + h22*y, newD1 * newX * newX}}
	scale := (1 + cmplx.Abs(h21) + cmplx.Abs(h22)) * (1 + cmplx.Abs(x) + cmplx.Abs(y)) * (1 + sum)
	c.same("the rotated numbers", have, dense{3, 1, []complex128{newX, 0, complex(sum, 0)}}, scale)
}

// rotates is the definition of lasr.
func rotates(c *problem) {
	cosines, sines := c.before.reals(routine.VecC), c.before.reals(routine.VecS)
	order := int64(len(cosines)) + 1
	p := identity(order)
	for step := range order - 1 {
		j := step
		if c.Args.Int(routine.Direct) == routine.DirectBackward {
			j = order - 2 - step
		}
		x, y := j, j+1
		switch c.Args.Int(routine.PivotMode) {
		case routine.PivotTop:
			x = 0
		case routine.PivotBottom:
			y = order - 1
		}
		r := identity(order)
		cosine, sine := complex(cosines[j], 0), complex(sines[j], 0)
		r.set(x, x, cosine)
		r.set(y, y, cosine)
		r.set(x, y, sine)
		r.set(y, x, -sine)
		p = r.times(p)
	}
	if c.Args.Int(routine.Side) == routine.SideRight {
		p = p.transposed()
	}
	want := c.product(p, c.old(routine.A))
	c.same("A", c.now(routine.A), want, 1+want.largest())
}
