package randomcall

import (
	"roclua/hip/routine"
)

// reflectionsOfGebrd returns the reflections that gebrd stores.
func (c *problem) reflectionsOfGebrd(count int64) (q, p reflections) {
	m, n := c.Args.Int(routine.M), c.Args.Int(routine.N)
	q, p = reflections{qr, routine.A, routine.TauQ, count}, reflections{lq, routine.A, routine.TauP, count}
	if m < n {
		q.shift = 1
	} else {
		p.shift = 1
	}
	q.count, p.count = min(count, m-q.shift), min(count, n-p.shift)
	return q, p
}

// bidiagonalForm is the definition of gebrd: Q B P^H is the matrix.
func bidiagonalForm(c *problem) {
	now := c.now(routine.A)
	ofQ, ofP := c.reflectionsOfGebrd(min(now.rows, now.cols))
	q := ofQ.product(now, c.after)
	p := ofP.product(now, c.after)
	d, e := c.after.reals(routine.VecD), c.after.reals(routine.VecE)
	upper := now.rows >= now.cols
	t := build(now.rows, now.cols, func(i, j int64) complex128 { return bidiagonalAt(upper, d, e, i, j) })
	c.same("Q B P^H", q.times(t).times(p.adjoint()), c.old(routine.A), c.scale4())
}

func bidiagonalAt(upper bool, d, e []float64, i, j int64) complex128 {
	switch {
	case i == j && i < int64(len(d)):
		return complex(d[i], 0)
	case upper && j == i+1 && i < int64(len(e)):
		return complex(e[i], 0)
	case !upper && i == j+1 && j < int64(len(e)):
		return complex(e[j], 0)
	}
	return 0
}

// bidiagonalPart is the definition of labrd.
func bidiagonalPart(c *problem) {
	now, old := c.now(routine.A), c.old(routine.A)
	k := c.Args.Int(routine.K)
	ofQ, ofP := c.reflectionsOfGebrd(k)
	q := ofQ.product(now, c.after)
	p := ofP.product(now, c.after)
	V, U := ofQ.columns(now, k), ofP.columns(now, k)
	x, y := c.now(routine.MatX), c.now(routine.MatY)
	rest := old.plus(1, V.times(y.adjoint()).plus(1, x.times(U.adjoint()), 1), -1)
	d, e := c.after.reals(routine.VecD), c.after.reals(routine.VecE)
	want := build(now.rows, now.cols, func(i, j int64) complex128 {
		if i >= k && j >= k {
			return rest.at(i, j)
		}
		return bidiagonalAt(now.rows >= now.cols, d, e, i, j)
	})
	c.same("Q^H A P", q.adjoint().times(old).times(p), want, c.scale4())
}
