package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func sytf2[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, pivots := p.matrix(routine.A, n, n), p.pivots(n)
	p.setInfo(lapack.Sytf2(p.uplo(), n, a, pivots))
}

func sytrf[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, pivots := p.matrix(routine.A, n, n), p.pivots(n)
	p.setInfo(lapack.Sytrf(p.uplo(), n, a, pivots))
}

func lasyf[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, pivots, columns := p.matrix(routine.A, n, n), p.pivots(n), array[int32](p, routine.KB, 1)
	kb, info := lapack.Lasyf(p.uplo(), n, p.int(routine.NB), a, pivots)
	columns[0] = int32(kb)
	p.setInfo(info)
}
