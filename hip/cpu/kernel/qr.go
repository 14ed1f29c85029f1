package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func qrKernels[T blas.Number]() kernels[T] {
	return kernels[T]{
		routine.Geqrf: geqrf[T],
	}
}

func geqrf[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	a := p.matrix(routine.A, m, n)
	tau := array[T](p, routine.Ipiv, int64(min(m, n)))
	if p.ok() {
		lapack.GeqrfBy(p.blas, m, n, a, tau)
	}
}
