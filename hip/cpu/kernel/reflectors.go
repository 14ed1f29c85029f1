package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

// larfg has the first element in C and the others in X.
func larfg[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	alpha, tau := array[T](p, routine.C, 1), array[T](p, routine.Tau, 1)
	x := blas.Vector[T]{Inc: 1}
	if n > 1 {
		x = p.vector(routine.X, routine.IncX, n-1)
	}
	alpha[0], tau[0] = lapack.Larfg(alpha[0], x)
}

// larf has the scalar of the reflection in C.
func larf[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	order := p.order()
	x, scalar := p.vector(routine.X, routine.IncX, order), array[T](p, routine.C, 1)
	a := p.matrix(routine.A, m, n)
	lapack.Larf(p.side(), m, n, x, scalar[0], a)
}

// form says how V stores the vectors of reflections.
func (p *problem[T]) form() lapack.Form {
	return lapack.Form{
		Rows:     p.args.Int(routine.Storev) == routine.StorevRows,
		Backward: p.args.Int(routine.Direct) == routine.DirectBackward,
	}
}

// reflections returns a matrix that stores the vectors of k reflections of an order. The library does not check that k
// is at most the order; a device would use elements outside of the matrix.
func (p *problem[T]) reflections(s routine.Slot, form lapack.Form, order, k int) blas.Matrix[T] {
	if k > order {
		p.fail("k is %d, want at most the order of the reflections, %d", k, order)
	}
	if form.Rows {
		return p.matrix(s, k, order)
	}
	return p.matrix(s, order, k)
}

func larft[T blas.Number](p *problem[T]) {
	n, k := p.int(routine.N), p.int(routine.K)
	v, t := p.reflections(routine.MatV, p.form(), n, k), p.matrix(routine.MatT, k, k)
	tau := array[T](p, routine.Tau, int64(k))
	lapack.Larft(p.form(), n, k, v, tau, t)
}

// larfb multiplies by the adjoint from the left if the operation is the transpose, as LAPACK and the library do.
func larfb[T blas.Number](p *problem[T]) {
	m, n, k, op := p.int(routine.M), p.int(routine.N), p.int(routine.K), p.op(routine.TransA)
	if op == blas.Trans && p.side() == blas.Left {
		op = blas.ConjTrans
	}
	v, t := p.reflections(routine.MatV, p.form(), p.order(), k), p.matrix(routine.MatT, k, k)
	a := p.matrix(routine.A, m, n)
	lapack.Larfb(p.form(), p.side(), op, m, n, k, v, t, a)
}

func lacgv[T blas.Number](p *problem[T]) {
	x := p.vector(routine.X, routine.IncX, p.int(routine.N))
	for i := range x.N {
		x.Set(i, blas.Conj(x.At(i)))
	}
}
