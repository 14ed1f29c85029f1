package randomcall

import (
	"math/cmplx"
	"slices"

	"roclua/hip/routine"
)

// reflectors says how a matrix stores the vectors of elementary reflectors, as sytrd and gebrd return them.
type reflectors struct {
	matrix, scalars routine.Slot
	count           int64 // reflections
	order           int64
	rows            bool  // the vectors, conjugated, are rows
	shift           int64 // the one of vector i is in row i+shift
	upper           bool  // vector i is in column i+1 and has its one in row i, with the rest above it
}

// element returns the place in the matrix of element i of vector j. ok is false for zeros and the one.
func (k reflectors) element(i, j int64) (row, column int64, ok bool) {
	one := j + k.shift
	row, column, ok = i, j, i > one
	if k.upper {
		one = j
		column, ok = j+1, i < one
	}
	if k.rows {
		row, column = column, row
	}
	return row, column, ok
}

// one returns the row of the one of vector j.
func (k reflectors) one(j int64) int64 {
	if k.upper {
		return j
	}
	return j + k.shift
}

// vector returns vector j.
func (k reflectors) vector(m dense, j int64) dense {
	return build(k.order, 1, func(i, _ int64) complex128 {
		row, column, ok := k.element(i, j)
		switch {
		case i == k.one(j):
			return 1
		case !ok:
			return 0
		case k.rows:
			return cmplx.Conj(m.at(row, column))
		}
		return m.at(row, column)
	})
}

// reflected returns the product of the reflections of problem b, with the vectors in m.
func (c *problem) reflected(k reflectors, m dense, scalars arrays) dense {
	q := identity(k.order)
	for step := range k.count {
		j := step
		if k.upper {
			j = k.count - 1 - step
		}
		v := k.vector(m, j)
		tau := scalars.number(k.scalars, j)
		q = q.plus(1, q.times(v).times(v.adjoint()), -tau)
	}
	return q
}

// vectors returns V of larft and larfb as columns.
func (c *problem) vectors() dense {
	h := c.formOf().productOf(c.old(routine.MatV), c.Args.Int(routine.K), make([]complex128, c.Args.Int(routine.K)))
	if c.formOf().backward {
		slices.Reverse(h.vectors)
	}
	return build(h.vectors[0].rows, int64(len(h.vectors)), func(i, j int64) complex128 { return h.vectors[j].v[i] })
}

func triangularFactor(c *problem) {
	v, t := c.vectors(), c.now(routine.MatT)
	for j := range t.cols {
		for i := range t.rows {
			if i != j && (i > j) != c.formOf().backward && t.at(i, j) != 0 {
				c.fail("T(%d, %d) is %v, want 0", i, j, t.at(i, j))
			}
		}
	}
	unit := identity(v.rows)
	c.same("H", unit.plus(1, v.times(t).times(v.adjoint()), -1), c.given().times(unit, false), 100)
}

func appliesBlock(c *problem) {
	v, t, old := c.vectors(), c.old(routine.MatT), c.old(routine.A)
	for j := range t.cols {
		for i := range t.rows {
			if i != j && (i > j) != c.formOf().backward {
				t.set(i, j, 0)
			}
		}
	}
	vt := v.times(t.op(c.Args.Int(routine.TransA)))
	want := c.product(identity(v.rows).plus(1, vt.times(v.adjoint()), -1), old)
	c.same("A", c.now(routine.A), want, (1+vt.largest()*v.largest()*float64(t.rows*v.rows))*c.scale4())
}

// makesReflection applies the adjoint of the reflection to the vector that it was made from.
func makesReflection(c *problem) {
	var old, now dense
	if n := c.Args.Int(routine.N); n > 1 {
		old, now = c.before.column(routine.X), c.after.column(routine.X)
	}
	alpha, beta := c.before.list(routine.C)[0], c.after.list(routine.C)[0]
	if imag(beta) != 0 {
		c.fail("beta is %v, want a real number", beta)
	}
	n := int64(len(old.v)) + 1
	h := product{[]dense{{n, 1, append([]complex128{1}, now.v...)}},
		c.after.list(routine.Tau)}
	x := dense{n, 1, append([]complex128{alpha}, old.v...)}
	want := newDense(n, 1)
	want.v[0] = beta
	c.unitary(h, 1e3*c.precision())
	c.same("H^H x", h.times(x, true), want, 10*float64(n))
}

func appliesReflection(c *problem) {
	v, old := c.before.column(routine.X), c.old(routine.A)
	h := identity(v.rows).plus(1, v.times(v.adjoint()), -c.before.list(routine.C)[0])
	c.same("A", c.now(routine.A), c.product(h, old), (1+h.largest())*c.scale4())
}

func conjugates(c *problem) {
	c.same("x", c.after.column(routine.X), c.before.column(routine.X).adjoint().transposed(), 1)
}
