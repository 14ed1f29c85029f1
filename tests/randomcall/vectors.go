package randomcall

import (
	"bytes"
	"cmp"
	"fmt"
	"math/cmplx"

	"roclua/hip/routine"
)

// sameVector compares a vector after the call. What is between its elements must be unchanged.
func (c *Call) sameVector(s routine.Slot, b int64, want dense) error {
	p := c.Param(s)
	if err := c.same(p.Name, c.newColumn(s, b), want, want.largest()); err != nil {
		return err
	}
	inc := c.companion(s, routine.Increment)
	return c.unchanged(p, b, func(i int64) bool { return i%max(inc, -inc) != 0 })
}

// unchanged requires that some elements of an array are the same bytes as before the call.
func (c *Call) unchanged(p *routine.Param, b int64, which func(i int64) bool) error {
	size := c.Args.ElementBytes(p)
	for i := range c.inner[p.Slot] {
		at := (b*c.problemStride(p) + i) * size
		if which(i) && !bytes.Equal(c.Arrays[p.Slot].Data()[at:at+size], c.Before[p.Slot][at:at+size]) {
			return fmt.Errorf("element %d of %s, which the routine does not write, changes", i, p.Name)
		}
	}
	return nil
}

func addition(c *Call, b int64) error {
	alpha, _, _ := c.scalars()
	return c.sameVector(routine.Y, b, c.oldColumn(routine.X, b).plus(alpha, c.oldColumn(routine.Y, b), 1))
}

func copied(c *Call, b int64) error { return c.sameVector(routine.Y, b, c.oldColumn(routine.X, b)) }

func swapped(c *Call, b int64) error {
	if err := c.sameVector(routine.X, b, c.oldColumn(routine.Y, b)); err != nil {
		return err
	}
	return c.sameVector(routine.Y, b, c.oldColumn(routine.X, b))
}

func scaling(c *Call, b int64) error {
	alpha, _, _ := c.scalars()
	x := c.oldColumn(routine.X, b)
	return c.sameVector(routine.X, b, build(x.rows, 1, func(i, _ int64) complex128 { return alpha * x.v[i] }))
}

// combined compares x and y with a 2 x 2 matrix times the old ones.
func (c *Call) combined(b int64, h11, h12, h21, h22 complex128) error {
	x, y := c.oldColumn(routine.X, b), c.oldColumn(routine.Y, b)
	row := func(f, g complex128) dense {
		return build(x.rows, 1, func(i, _ int64) complex128 { return f*x.v[i] + g*y.v[i] })
	}
	if err := c.sameVector(routine.X, b, row(h11, h12)); err != nil {
		return err
	}
	return c.sameVector(routine.Y, b, row(h21, h22))
}

func rotation(c *Call, b int64) error {
	cosine, sine := complex(real(c.Args.Scalar(routine.Cosine)), 0), c.Args.Scalar(routine.Sine)
	return c.combined(b, cosine, sine, -cmplx.Conj(sine), cosine)
}

// number returns an element of an array before or after the call.
func (c *Call) number(raw []byte, s routine.Slot, b, i int64) complex128 {
	return c.get(raw, c.Param(s), b, i)
}

func (c *Call) oldNumber(s routine.Slot, b int64) complex128 { return c.number(c.Before[s], s, b, 0) }
func (c *Call) newNumber(s routine.Slot, b int64) complex128 {
	return c.number(c.Arrays[s].Data(), s, b, 0)
}

// modified returns the matrix of a modified rotation, whose form says which of its elements are stored.
func (c *Call) modified(raw []byte, b int64) (form float64, h11, h12, h21, h22 complex128) {
	at := func(i int64) complex128 { return c.number(raw, routine.RotationParam, b, i) }
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

func modifiedRotation(c *Call, b int64) error {
	form, h11, h12, h21, h22 := c.modified(c.Before[routine.RotationParam], b)
	if form == -2 {
		everything := func(int64) bool { return true }
		return cmp.Or(c.unchanged(c.Param(routine.X), b, everything), c.unchanged(c.Param(routine.Y), b, everything))
	}
	return c.combined(b, h11, h12, h21, h22)
}

// makesRotation requires that the rotation is unitary and turns (a, b) into (r, 0).
func makesRotation(c *Call, b int64) error {
	x, y, r := c.oldNumber(routine.A, b), c.oldNumber(routine.B, b), c.newNumber(routine.A, b)
	cosine, sine := c.newNumber(routine.C, b), c.newNumber(routine.D, b)
	have := dense{3, 1, []complex128{cosine*x + sine*y, cosine*y - cmplx.Conj(sine)*x,
		cosine*cosine + sine*cmplx.Conj(sine)}}
	return c.same("the rotated numbers", have, dense{3, 1, []complex128{r, 0, 1}}, 1+cmplx.Abs(x)+cmplx.Abs(y))
}

// makesModifiedRotation requires that the rotation turns (x1, y1) into (x1, 0) and keeps d1 x1^2 + d2 y1^2, or that
// everything is zero if one of the scales is negative and the sum is, or d1.
func makesModifiedRotation(c *Call, b int64) error {
	form, h11, h12, h21, h22 := c.modified(c.Arrays[routine.RotationParam].Data(), b)
	x, y, d1, d2 := c.oldNumber(routine.X, b), c.oldNumber(routine.Y, b), c.oldNumber(routine.A, b),
		c.oldNumber(routine.B, b)
	newX, newD1, newD2 := c.newNumber(routine.X, b), c.newNumber(routine.A, b), c.newNumber(routine.B, b)
	sum := real(d1*x*x + d2*y*y)
	if real(d1) < 0 || sum <= 0 {
		have := dense{8, 1, []complex128{complex(form, 0), newX, newD1, newD2, h11, h12, h21, h22}}
		return c.same("the rotation of a negative scale", have, dense{8, 1, []complex128{-1, 0, 0, 0, 0, 0, 0, 0}}, 0)
	}
	have := dense{3, 1, []complex128{h11*x + h12*y, h21*x + h22*y, newD1 * newX * newX}}
	scale := (1 + cmplx.Abs(h21) + cmplx.Abs(h22)) * (1 + cmplx.Abs(x) + cmplx.Abs(y)) * (1 + sum)
	return c.same("the rotated numbers", have, dense{3, 1, []complex128{newX, 0, complex(sum, 0)}}, scale)
}
