package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func gels[T blas.Number](p *problem[T]) {
	m, n, nrhs := p.int(routine.M), p.int(routine.N), p.int(routine.NRHS)
	a, b := p.matrix(routine.A, m, n), p.matrix(routine.B, max(m, n), nrhs)
	p.setInfo(lapack.Gels(p.op(routine.TransA), m, n, nrhs, a, b))
}

// gelsOutOfPlace stores the solution in X.
func gelsOutOfPlace[T blas.Number](p *problem[T]) {
	m, n, nrhs := p.int(routine.M), p.int(routine.N), p.int(routine.NRHS)
	a, b, x := p.matrix(routine.A, m, n), p.matrix(routine.B, m, nrhs), p.matrix(routine.MatX, n, nrhs)
	both := blas.Matrix[T]{Data: make([]T, max(m, n)*nrhs), LD: max(m, n)}
	blas.CopyMatrix(m, nrhs, b, both)
	p.setInfo(lapack.Gels(blas.None, m, n, nrhs, a, both))
	blas.CopyMatrix(n, nrhs, both, x)
}
