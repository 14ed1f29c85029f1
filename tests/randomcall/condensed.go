package randomcall

import (
	"math/cmplx"

	"roclua/hip/routine"
)

// The definitions of reductions to tridiagonal and bidiagonal form build the orthogonal matrices from the reflections.

// keeper is the way in which a matrix keeps the vectors of reflections.
type keeper struct {
	matrix, scalars routine.Slot
	count           int64 // reflections
	order           int64
	rows            bool  // the vectors, conjugated, are rows
	shift           int64 // the one of vector i is in row i+shift
	upper           bool  // vector i is in column i+1 and has its one in row i, with the rest above it
}

// element returns the place in the matrix of element i of vector j. ok is false for zeros and the one.
func (k keeper) element(i, j int64) (row, column int64, ok bool) {
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
func (k keeper) one(j int64) int64 {
	if k.upper {
		return j
	}
	return j + k.shift
}

// vector returns vector j.
func (k keeper) vector(m dense, j int64) dense {
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
func (c *Call) reflected(k keeper, m dense, scalars []byte, b int64) dense {
	q := identity(k.order)
	for step := range k.count {
		j := step
		if k.upper {
			j = k.count - 1 - step
		}
		v := k.vector(m, j)
		tau := c.get(scalars, c.Param(k.scalars), b, j)
		q = q.plus(1, q.times(v).times(v.adjoint()), -tau)
	}
	return q
}

// tridiagonalKeeper is that of sytrd.
func (c *Call) tridiagonalKeeper(scalars routine.Slot, order int64) keeper {
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	return keeper{matrix: routine.A, scalars: scalars, count: order - 1, order: order, shift: 1, upper: upper}
}

// bidiagonalKeepers are those of gebrd.
func (c *Call) bidiagonalKeepers(count int64) (q, p keeper) {
	m, n := c.Args.Int(routine.M), c.Args.Int(routine.N)
	q = keeper{matrix: routine.A, scalars: routine.TauQ, count: count, order: m}
	p = keeper{matrix: routine.A, scalars: routine.TauP, count: count, order: n, rows: true, shift: 1}
	if m < n {
		q.shift, p.shift = 1, 0
	}
	q.count, p.count = min(count, m-q.shift), min(count, n-p.shift)
	return q, p
}

// multiplierKeeper is the keeper of the routines that make or apply the orthogonal matrices of sytrd and gebrd.
func (c *Call) multiplierKeeper() keeper {
	order := c.Args.Int(routine.M)
	if c.Param(routine.Side) != nil {
		if c.Args.Int(routine.Side) == routine.SideRight {
			order = c.Args.Int(routine.N)
		}
	} else if c.Param(routine.Storev) == nil || c.Args.Int(routine.Storev) == routine.StorevRows {
		order = c.Args.Int(routine.N)
	}
	if c.Param(routine.Storev) == nil {
		return c.tridiagonalKeeper(routine.Ipiv, order)
	}
	count := c.Args.Int(routine.K)
	k := keeper{matrix: routine.A, scalars: routine.Ipiv, count: count, order: order}
	k.rows = c.Args.Int(routine.Storev) == routine.StorevRows
	if count > order || k.rows && count == order {
		k.count, k.shift = order-1, 1
	}
	return k
}

// unitaryReflections gives the reflections of a routine that takes them scalars with which they are unitary.
func (c *Call) unitaryReflections() {
	k := c.multiplierKeeper()
	for b := range c.Args.Batch() {
		m := c.now(k.matrix, b)
		for j := range k.count {
			v := k.vector(m, j)
			c.Put(c.Param(k.scalars), b, j, 2/v.adjoint().times(v).at(0, 0))
		}
	}
}

// matrixOfReflections is the definition of routines that make Q or P^H.
func matrixOfReflections(c *Call, b int64) error {
	k := c.multiplierKeeper()
	q := c.reflected(k, c.old(routine.A, b), c.Before[k.scalars], b)
	if k.rows {
		q = q.adjoint()
	}
	have := c.now(routine.A, b)
	return c.same("Q", have, build(have.rows, have.cols, q.at), float64(k.order))
}

// productWithReflections is the definition of routines that multiply by Q or P.
func productWithReflections(c *Call, b int64) error {
	k := c.multiplierKeeper()
	q := c.reflected(k, c.old(routine.A, b), c.Before[k.scalars], b).op(c.Args.Int(routine.TransA))
	return c.same("the product", c.now(routine.C, b), c.product(q, c.old(routine.C, b)), float64(10*k.order))
}

// reals returns an array of a problem after the call.
func (c *Call) reals(s routine.Slot, b int64) []float64 {
	p := c.Param(s)
	list := make([]float64, max(0, p.Rows.Of(c.Args)))
	for i := range list {
		list[i] = real(c.get(c.Arrays[s].Data(), p, b, int64(i)))
	}
	return list
}

// tridiagonalForm is the definition of sytrd: Q T Q^H is the matrix.
func tridiagonalForm(c *Call, b int64) error {
	now, want := c.now(routine.A, b), c.symmetric(c.old(routine.A, b), true)
	k := c.tridiagonalKeeper(routine.Tau, now.rows)
	q := c.reflected(k, now, c.Arrays[routine.Tau].Data(), b)
	d, e := c.reals(routine.VecD, b), c.reals(routine.VecE, b)
	t := build(now.rows, now.rows, func(i, j int64) complex128 { return tridiagonalAt(d, e, i, j) })
	if err := c.same("Q T Q^H", q.times(t).times(q.adjoint()), want, c.scale4(b)); err != nil {
		return err
	}
	inA := build(now.rows, now.rows, func(i, j int64) complex128 {
		if i == j || k.upper && i == j-1 || !k.upper && i == j+1 {
			return tridiagonalAt(d, e, i, j)
		}
		return now.at(i, j)
	})
	return c.same("the tridiagonal matrix in A", now, inA, 0)
}

func tridiagonalAt(d, e []float64, i, j int64) complex128 {
	switch {
	case i == j:
		return complex(d[i], 0)
	case i == j+1 || j == i+1:
		return complex(e[min(i, j)], 0)
	}
	return 0
}

// tridiagonalPart is the definition of latrd.
func tridiagonalPart(c *Call, b int64) error {
	now, old := c.now(routine.A, b), c.symmetric(c.old(routine.A, b), true)
	n, k, w, e := now.rows, c.Args.Int(routine.K), c.now(routine.MatW, b), c.reals(routine.VecE, b)
	keep := c.tridiagonalKeeper(routine.Tau, n)
	reduced := func(i int64) bool { return i < k }
	first := int64(0)
	if keep.upper {
		reduced = func(i int64) bool { return i >= n-k }
		first = max(0, n-1-k)
	}
	q := identity(n)
	V := newDense(n, k)
	for step := range min(k, n-1) {
		j := first + step
		if keep.upper {
			j = n - 2 - step
		}
		v := keep.vector(now, j)
		for i := range n {
			column := j
			if keep.upper {
				column = j + 1 - (n - k)
			}
			V.set(i, column, v.at(i, 0))
		}
		tau := c.get(c.Arrays[routine.Tau].Data(), c.Param(routine.Tau), b, j)
		q = q.plus(1, q.times(v).times(v.adjoint()), -tau)
	}
	rest := old.plus(1, V.times(w.adjoint()).plus(1, w.times(V.adjoint()), 1), -1)
	want := build(n, n, func(i, j int64) complex128 {
		switch {
		case !reduced(i) && !reduced(j):
			return rest.at(i, j)
		case i == j:
			return complex(real(now.at(i, i)), 0)
		case i == j+1 || j == i+1:
			return complex(e[min(i, j)], 0)
		}
		return 0
	})
	return c.same("Q^H A Q", q.adjoint().times(old).times(q), want, c.scale4(b))
}

// bidiagonalForm is the definition of gebrd: Q B P^H is the matrix.
func bidiagonalForm(c *Call, b int64) error {
	now := c.now(routine.A, b)
	keepQ, keepP := c.bidiagonalKeepers(min(now.rows, now.cols))
	q := c.reflected(keepQ, now, c.Arrays[routine.TauQ].Data(), b)
	p := c.reflected(keepP, now, c.Arrays[routine.TauP].Data(), b)
	d, e := c.reals(routine.VecD, b), c.reals(routine.VecE, b)
	upper := now.rows >= now.cols
	t := build(now.rows, now.cols, func(i, j int64) complex128 { return bidiagonalAt(upper, d, e, i, j) })
	return c.same("Q B P^H", q.times(t).times(p.adjoint()), c.old(routine.A, b), c.scale4(b))
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
func bidiagonalPart(c *Call, b int64) error {
	now, old := c.now(routine.A, b), c.old(routine.A, b)
	k := c.Args.Int(routine.K)
	keepQ, keepP := c.bidiagonalKeepers(k)
	q := c.reflected(keepQ, now, c.Arrays[routine.TauQ].Data(), b)
	p := c.reflected(keepP, now, c.Arrays[routine.TauP].Data(), b)
	columns := func(keep keeper) dense {
		m := newDense(keep.order, k)
		for j := range keep.count {
			v := keep.vector(now, j)
			for i := range keep.order {
				m.set(i, j, v.at(i, 0))
			}
		}
		return m
	}
	V, U := columns(keepQ), columns(keepP)
	x, y := c.now(routine.MatX, b), c.now(routine.MatY, b)
	rest := old.plus(1, V.times(y.adjoint()).plus(1, x.times(U.adjoint()), 1), -1)
	d, e := c.reals(routine.VecD, b), c.reals(routine.VecE, b)
	want := build(now.rows, now.cols, func(i, j int64) complex128 {
		if i >= k && j >= k {
			return rest.at(i, j)
		}
		return bidiagonalAt(now.rows >= now.cols, d, e, i, j)
	})
	return c.same("Q^H A P", q.adjoint().times(old).times(p), want, c.scale4(b))
}
