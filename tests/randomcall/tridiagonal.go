package randomcall

import (
	"math"
	"slices"

	"roclua/hip/routine"
)

// The definitions of reductions to tridiagonal form build the orthogonal matrices from the reflections.

// reflectionsOfSytrd returns the reflections that sytrd stores.
func (c *problem) reflectionsOfSytrd(scalars routine.Slot, count int64) reflections {
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	return reflections{form{backward: upper, shift: 1}, routine.A, scalars, count}
}

// tridiagonalForm is the definition of sytrd: Q T Q^H is the matrix.
func tridiagonalForm(c *problem) {
	now, want := c.now(routine.A), c.symmetric(c.old(routine.A), true)
	k := c.reflectionsOfSytrd(routine.Tau, now.rows-1)
	q := k.product(now, c.after)
	d, e := c.after.reals(routine.VecD), c.after.reals(routine.VecE)
	t := build(now.rows, now.rows, func(i, j int64) complex128 { return tridiagonalAt(d, e, i, j) })
	c.same("Q T Q^H", q.times(t).times(q.adjoint()), want, c.scale4())
	inA := build(now.rows, now.rows, func(i, j int64) complex128 {
		if i == j || k.backward && i == j-1 || !k.backward && i == j+1 {
			return tridiagonalAt(d, e, i, j)
		}
		return now.at(i, j)
	})
	c.same("the tridiagonal matrix in A", now, inA, 0)
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
func tridiagonalPart(c *problem) {
	now, old := c.now(routine.A), c.symmetric(c.old(routine.A), true)
	n, k, w, e := now.rows, c.Args.Int(routine.K), c.now(routine.MatW), c.after.reals(routine.VecE)
	of := c.reflectionsOfSytrd(routine.Tau, min(k, n-1))
	reduced := func(i int64) bool { return i < k }
	if of.backward {
		reduced = func(i int64) bool { return i >= n-k }
	}
	q, V := of.product(now, c.after), of.columns(now, k)
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
	c.same("Q^H A Q", q.adjoint().times(old).times(q), want, c.scale4())
}

// tridiagonalProblem is the definition of the routines for tridiagonal matrices.
func tridiagonalProblem(c *problem) {
	n := c.Args.Int(routine.N)
	d, e := c.before.reals(routine.VecD), c.before.reals(routine.VecE)
	w := c.after.reals(routine.VecD)
	c.inOrder(w, false)
	t := build(n, n, func(i, j int64) complex128 { return tridiagonalAt(d, e, i, j) })
	sum, trace := newDense(1, 1), newDense(1, 1)
	for i := range n {
		sum.v[0] += complex(w[i], 0)
		trace.v[0] += t.at(i, i)
	}
	c.same("sum of eigenvalues", sum, trace, float64(10*n))
	if c.Param(routine.C) == nil || c.Args.Int(routine.Evect) == routine.EvectNone {
		return
	}
	z, old := c.now(routine.C), identity(n)
	if c.Args.Int(routine.Evect) == routine.EvectOriginal && n > 1 { // a C of order 1 becomes 1
		old = c.old(routine.C)
	}
	// C Z, with T Z = Z D and C Z (C Z)^H = C C^H.
	scale := float64(100*n) * (1 + old.largest()) * (1 + t.largest())
	product := z.scaledColumns(w).times(z.adjoint())
	c.same("C T C^H", product, old.times(t).times(old.adjoint()), scale)
	c.same("C C^H", z.times(z.adjoint()), old.times(old.adjoint()), scale)
}

// below returns the number of eigenvalues of a tridiagonal matrix that are less than x, by Sturm's sequence.
func below(d, e []float64, x float64) (count int) {
	pivot := 1.0
	for i, v := range d {
		square := 0.0
		if i > 0 {
			square = e[i-1] * e[i-1]
		}
		pivot = v - x - square/pivot
		if math.Abs(pivot) < 1e-200 {
			pivot = -1e-200
		}
		if pivot < 0 {
			count++
		}
	}
	return count
}

// someOfTridiagonal is the definition of stebz: the index of each eigenvalue is the number of smaller eigenvalues.
func someOfTridiagonal(c *problem) {
	d, e := c.before.reals(routine.VecD), c.before.reals(routine.VecE)
	count, near := c.after.integer(routine.Nev, 0), c.near(len(d))
	w := c.after.reals(routine.VecW)[:count]
	first, want := 0, len(d)
	switch c.Args.Int(routine.Erange) {
	case routine.ErangeIndex:
		first = int(c.Args.Int(routine.LowerIndex)) - 1
		want = int(c.Args.Int(routine.UpperIndex)) - first
	case routine.ErangeValue:
		// An eigenvalue within its error of a bound may be on either side of it.
		low, high := c.Args.Real(routine.LowerBound), c.Args.Real(routine.UpperBound)
		first = below(d, e, low+near)
		end := below(d, e, high-near)
		if len(w) > 0 && slices.Min(w) <= low+near {
			first = below(d, e, low-near)
		}
		if len(w) > 0 && slices.Max(w) > high-near {
			end = below(d, e, high+near)
		}
		want = max(0, end-first)
	}
	if len(w) != want {
		c.fail("%d eigenvalues, want %d", len(w), want)
		return
	}
	blocks := c.after.integer(routine.Nsplit, 0)
	if last := c.after.integer(routine.Isplit, blocks-1); last != int64(len(d)) {
		c.fail("the last of %d blocks ends in row %d, want %d", blocks, last, len(d))
		return
	}
	if blocks == 1 || c.Args.Int(routine.Eorder) == routine.EorderEntire {
		for i, x := range w {
			if at := first + i; below(d, e, x-near) > at || below(d, e, x+near) <= at {
				c.fail("eigenvalue %d is %v, next to which there are %d and %d smaller ones", at, x,
					below(d, e, x-near), below(d, e, x+near))
			}
		}
	}
	for i := range count {
		if block := c.after.integer(routine.Iblock, i); block < 1 || block > blocks {
			c.fail("eigenvalue %d has block %d of %d", i, block, blocks)
		}
	}
}

// vectorsOfPairs is the definition of stein.
func vectorsOfPairs(c *problem) {
	d, e, w := c.before.reals(routine.VecD), c.before.reals(routine.VecE), c.before.reals(routine.VecW)
	n := int64(len(d))
	t, z := build(n, n, func(i, j int64) complex128 { return tridiagonalAt(d, e, i, j) }), c.now(routine.MatZ)
	c.same("T Z", t.times(z), z.scaledColumns(w), float64(10*n))
	c.orthonormal("Z", z)
}
