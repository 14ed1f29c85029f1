package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

// factorInto is geqrf, geqlf, gelqf and gerqf.
func factorInto[T blas.Number](form lapack.Form) body[T] {
	return func(p *problem[T]) {
		m, n := p.int(routine.M), p.int(routine.N)
		a := p.matrix(routine.A, m, n)
		tau := array[T](p, routine.Ipiv, int64(min(m, n)))
		lapack.Factor(form, m, n, a, tau)
	}
}

// generate is orgqr, orgql and orglq.
func generate[T blas.Number](form lapack.Form) body[T] {
	return func(p *problem[T]) {
		m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
		a := p.matrix(routine.A, m, n)
		tau := array[T](p, routine.Ipiv, int64(k))
		lapack.Generate(form, m, n, k, a, tau)
	}
}

// multiplyBy is ormqr, ormql and ormlq.
func multiplyBy[T blas.Number](form lapack.Form) body[T] {
	return func(p *problem[T]) {
		m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
		order := p.order()
		a, c := p.reflections(routine.A, form, order, k), p.matrix(routine.C, m, n)
		tau := array[T](p, routine.Ipiv, int64(k))
		lapack.Multiply(form, p.side(), p.op(routine.TransA), m, n, k, a, tau, c)
	}
}

func orgtr[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, tau := p.matrix(routine.A, n, n), array[T](p, routine.Ipiv, int64(n-1))
	lapack.Orgtr(p.uplo(), n, a, tau)
}

func ormtr[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	order := p.order()
	a, tau := p.matrix(routine.A, order, order), array[T](p, routine.Ipiv, int64(order-1))
	c := p.matrix(routine.C, m, n)
	lapack.Ormtr(p.side(), p.uplo(), p.op(routine.TransA), m, n, a, tau, c)
}

// ofP reports whether a routine for the bidiagonal form is about P.
func (p *problem[T]) ofP() bool { return p.args.Int(routine.Storev) == routine.StorevRows }

func orgbr[T blas.Number](p *problem[T]) {
	m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
	order := m
	if p.ofP() {
		order = n
	}
	a, tau := p.matrix(routine.A, m, n), array[T](p, routine.Ipiv, int64(min(order, k)))
	lapack.Orgbr(p.ofP(), m, n, k, a, tau)
}

func ormbr[T blas.Number](p *problem[T]) {
	m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
	rows, cols := p.order(), min(p.order(), k)
	if p.ofP() {
		rows, cols = cols, rows
	}
	a, tau := p.matrix(routine.A, rows, cols), array[T](p, routine.Ipiv, int64(min(p.order(), k)))
	c := p.matrix(routine.C, m, n)
	lapack.Ormbr(p.ofP(), p.side(), p.op(routine.TransA), m, n, k, a, tau, c)
}

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

func gels[T blas.Number](p *problem[T]) {
	m, n, nrhs := p.int(routine.M), p.int(routine.N), p.int(routine.NRHS)
	a, b := p.matrix(routine.A, m, n), p.matrix(routine.B, max(m, n), nrhs)
	p.setInfo(lapack.Gels(p.op(routine.TransA), m, n, nrhs, a, b))
}

// gelsOutOfPlace stores the solution in X.
func gelsOutOfPlace[T blas.Number](p *problem[T]) {
	m, n, nrhs := p.int(routine.M), p.int(routine.N), p.int(routine.NRHS)
	a, b, x := p.matrix(routine.A, m, n), p.matrix(routine.B, m, nrhs), p.matrix(routine.MatX, n, nrhs)
	both := blas.NewMatrix[T](max(m, n), nrhs)
	blas.CopyMatrix(m, nrhs, b, both)
	p.setInfo(lapack.Gels(blas.None, m, n, nrhs, a, both))
	blas.CopyMatrix(n, nrhs, both, x)
}
