package randomcall

import (
	"roclua/hip/routine"
)

// reflections are the reflections that arguments of a call hold.
type reflections struct {
	form
	matrix, scalars routine.Slot
	count           int64
}

// order returns the number of rows and columns of each reflection.
func (k reflections) order(m dense) int64 {
	if k.rows {
		return m.cols
	}
	return m.rows
}

// product returns the product of the reflections, with the vectors in m.
func (k reflections) product(m dense, from arrays) dense {
	return k.productOf(m, k.count, from.list(k.scalars)).times(identity(k.order(m)), false)
}

// columns returns the vectors in m as columns of a matrix, which has zeros in further columns on the other side.
func (k reflections) columns(m dense, cols int64) dense {
	list, first := k.vectors(m, k.count), int64(0)
	if k.backward {
		first = cols - k.count
	}
	return build(k.order(m), cols, func(i, j int64) complex128 {
		if at := j - first; at >= 0 && at < k.count {
			return list[at].v[i]
		}
		return 0
	})
}

// vectors returns V of larft and larfb as columns.
func (c *problem) vectors() dense {
	k := c.given()
	return k.columns(c.old(k.matrix), k.count)
}

func triangularFactor(c *problem) {
	v, t := c.vectors(), c.now(routine.MatT)
	for j := range t.cols {
		for i := range t.rows {
			if i != j && (i > j) != c.given().backward && t.at(i, j) != 0 {
				c.fail("T(%d, %d) is %v, want 0", i, j, t.at(i, j))
			}
		}
	}
	unit := identity(v.rows)
	c.same("H", unit.plus(1, v.times(t).times(v.adjoint()), -1), c.given().product(c.old(routine.MatV), c.before), 100)
}

func appliesBlock(c *problem) {
	v, t, old := c.vectors(), c.old(routine.MatT), c.old(routine.A)
	for j := range t.cols {
		for i := range t.rows {
			if i != j && (i > j) != c.given().backward {
				t.set(i, j, 0)
			}
		}
	}
	op := c.Args.Int(routine.TransA)
	if op == routine.OperationTranspose && c.Args.Int(routine.Side) == routine.SideLeft {
		op = routine.OperationConjugateTranspose // also for complex matrices, as in LAPACK
	}
	vt := v.times(t.op(op))
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
