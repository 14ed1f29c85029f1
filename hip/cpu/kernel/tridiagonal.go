package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func condensedKernels[T blas.Number]() kernels[T] {
	return kernels[T]{
		routine.Sytrd: sytrd[T], routine.Sytd2: sytrd[T], routine.Latrd: latrd[T],
		routine.Gebrd: gebrd[T], routine.Gebd2: gebrd[T], routine.Labrd: labrd[T],
		routine.Orgtr: orgtr[T], routine.Ormtr: ormtr[T], routine.Orgbr: orgbr[T], routine.Ormbr: ormbr[T],
	}
}

func sytrd[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, tau := p.matrix(routine.A, n, n), array[T](p, routine.Tau, int64(n-1))
	d, e := p.reals(routine.VecD, n), p.reals(routine.VecE, n-1)
	if !p.ok() {
		return
	}
	diagonal, other := make([]float64, n), make([]float64, n)
	lapack.Sytrd(p.uplo(), n, a, diagonal, other, tau)
	d.store(diagonal)
	e.store(other)
}

func latrd[T blas.Number](p *problem[T]) {
	n, k := p.int(routine.N), p.int(routine.K)
	a, w := p.matrix(routine.A, n, n), p.matrix(routine.MatW, n, k)
	e, tau := p.reals(routine.VecE, n-1), array[T](p, routine.Tau, int64(n-1))
	if !p.ok() {
		return
	}
	other := e.values()
	lapack.Latrd(p.uplo(), n, k, a, other, tau, w)
	e.store(other)
}

func gebrd[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	k := min(m, n)
	a, d, e := p.matrix(routine.A, m, n), p.reals(routine.VecD, k), p.reals(routine.VecE, k-1)
	tauq, taup := array[T](p, routine.TauQ, int64(k)), array[T](p, routine.TauP, int64(k))
	if !p.ok() {
		return
	}
	diagonal, other := make([]float64, k), make([]float64, k)
	lapack.Gebrd(p.blas, m, n, a, diagonal, other, tauq, taup)
	d.store(diagonal)
	e.store(other)
}

func labrd[T blas.Number](p *problem[T]) {
	m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
	a, d, e := p.matrix(routine.A, m, n), p.reals(routine.VecD, k), p.reals(routine.VecE, k)
	tauq, taup := array[T](p, routine.TauQ, int64(k)), array[T](p, routine.TauP, int64(k))
	x, y := p.matrix(routine.MatX, m, k), p.matrix(routine.MatY, n, k)
	if !p.ok() {
		return
	}
	diagonal, other := d.values(), e.values()
	lapack.Labrd(m, n, k, a, diagonal, other, tauq, taup, x, y)
	d.store(diagonal)
	e.store(other)
}

func orgtr[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, tau := p.matrix(routine.A, n, n), array[T](p, routine.Ipiv, int64(n-1))
	if p.ok() {
		lapack.Orgtr(p.blas, p.uplo(), n, a, tau)
	}
}

func ormtr[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	order := p.order()
	a, tau := p.matrix(routine.A, order, order), array[T](p, routine.Ipiv, int64(order-1))
	c := p.matrix(routine.C, m, n)
	if p.ok() {
		lapack.Ormtr(p.blas, p.side(), p.uplo(), p.op(routine.TransA), m, n, a, tau, c)
	}
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
	if p.ok() {
		lapack.Orgbr(p.blas, p.ofP(), m, n, k, a, tau)
	}
}

func ormbr[T blas.Number](p *problem[T]) {
	m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
	rows, cols := p.order(), min(p.order(), k)
	if p.ofP() {
		rows, cols = cols, rows
	}
	a, tau := p.matrix(routine.A, rows, cols), array[T](p, routine.Ipiv, int64(min(p.order(), k)))
	c := p.matrix(routine.C, m, n)
	if p.ok() {
		lapack.Ormbr(p.blas, p.ofP(), p.side(), p.op(routine.TransA), m, n, k, a, tau, c)
	}
}
