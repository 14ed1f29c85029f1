package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

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
