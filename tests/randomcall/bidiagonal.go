package randomcall

import (
	"roclua/hip/routine"
)

// reflectorsOfGebrd returns the reflectors that gebrd stores.
func (c *problem) reflectorsOfGebrd(count int64) (q, p reflectors) {
	m, n := c.Args.Int(routine.M), c.Args.Int(routine.N)
	q = reflectors{matrix: routine.A, scalars: routine.TauQ, count: count, order: m}
	p = reflectors{matrix: routine.A, scalars: routine.TauP, count: count, order: n, rows: true, shift: 1}
	if m < n {
		q.shift, p.shift = 1, 0
	}
	q.count, p.count = min(count, m-q.shift), min(count, n-p.shift)
	return q, p
}

// bidiagonalForm is the definition of gebrd: Q B P^H is the matrix.
func bidiagonalForm(c *problem) {
	now := c.now(routine.A)
	ofQ, ofP := c.reflectorsOfGebrd(min(now.rows, now.cols))
	q := c.reflected(ofQ, now, c.after)
	p := c.reflected(ofP, now, c.after)
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
	ofQ, ofP := c.reflectorsOfGebrd(k)
	q := c.reflected(ofQ, now, c.after)
	p := c.reflected(ofP, now, c.after)
	columns := func(of reflectors) dense {
		m := newDense(of.order, k)
		for j := range of.count {
			v := of.vector(now, j)
			for i := range of.order {
				m.set(i, j, v.at(i, 0))
			}
		}
		return m
	}
	V, U := columns(ofQ), columns(ofP)
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
