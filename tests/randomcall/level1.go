package randomcall

import (
	"math"
	"math/cmplx"

	"roclua/hip/routine"
)

func abs1(z complex128) float64 { return math.Abs(real(z)) + math.Abs(imag(z)) }

func asum(c *problem) {
	var want complex128
	for _, v := range c.before.column(routine.X).v {
		want += complex(abs1(v), 0)
	}
	c.sameResult(want)
}

func nrm2(c *problem) {
	c.sameResult(complex(math.Sqrt(c.before.column(routine.X).squares()), 0))
}

func extremum(better func(v, best float64) bool) definition {
	return func(c *problem) {
		x := c.before.column(routine.X)
		best := 0
		for i, v := range x.v {
			if better(abs1(v), abs1(x.v[best])) {
				best = i
			}
		}
		c.sameResult(complex(float64(best+1), 0))
	}
}

func dot(c *problem) {
	y := c.before.column(routine.Y)
	var want complex128
	for i, v := range c.before.column(routine.X).v {
		if c.Args.Routine.Family.Conjugated {
			v = cmplx.Conj(v)
		}
		want += v * y.v[i]
	}
	c.sameResult(want)
}

func addition(c *problem) {
	alpha, _, _ := c.scalars()
	c.sameVector(routine.Y, c.before.column(routine.X).plus(alpha, c.before.column(routine.Y), 1))
}

func copied(c *problem) { c.sameVector(routine.Y, c.before.column(routine.X)) }

func swapped(c *problem) {
	c.sameVector(routine.X, c.before.column(routine.Y))
	c.sameVector(routine.Y, c.before.column(routine.X))
}

func scaling(c *problem) {
	alpha, _, _ := c.scalars()
	x := c.before.column(routine.X)
	c.sameVector(routine.X, build(x.rows, 1, func(i, _ int64) complex128 { return alpha * x.v[i] }))
}

// combined compares x and y with a 2 x 2 matrix times the old ones.
func (c *problem) combined(h11, h12, h21, h22 complex128) {
	x, y := c.before.column(routine.X), c.before.column(routine.Y)
	row := func(f, g complex128) dense {
		return build(x.rows, 1, func(i, _ int64) complex128 { return f*x.v[i] + g*y.v[i] })
	}
	c.sameVector(routine.X, row(h11, h12))
	c.sameVector(routine.Y, row(h21, h22))
}
