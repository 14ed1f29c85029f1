package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func gebrd[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	k := min(m, n)
	a, d, e := p.matrix(routine.A, m, n), p.reals(routine.VecD, k), p.reals(routine.VecE, k-1)
	tauq, taup := array[T](p, routine.TauQ, int64(k)), array[T](p, routine.TauP, int64(k))
	diagonal, other := make([]float64, k), make([]float64, k)
	lapack.Gebrd(m, n, a, diagonal, other, tauq, taup)
	d.store(diagonal)
	e.store(other)
}

func labrd[T blas.Number](p *problem[T]) {
	m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
	a, d, e := p.matrix(routine.A, m, n), p.reals(routine.VecD, k), p.reals(routine.VecE, k)
	tauq, taup := array[T](p, routine.TauQ, int64(k)), array[T](p, routine.TauP, int64(k))
	x, y := p.matrix(routine.MatX, m, k), p.matrix(routine.MatY, n, k)
	diagonal, other := d.values(), e.values()
	lapack.Labrd(m, n, k, a, diagonal, other, tauq, taup, x, y)
	d.store(diagonal)
	e.store(other)
}
