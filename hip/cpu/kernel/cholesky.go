package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func potrf[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a := p.matrix(routine.A, n, n)
	p.setInfo(lapack.Potrf(p.uplo(), n, a))
}

func potrs[T blas.Number](p *problem[T]) {
	n, nrhs := p.int(routine.N), p.int(routine.NRHS)
	a, b := p.matrix(routine.A, n, n), p.matrix(routine.B, n, nrhs)
	lapack.Potrs(p.uplo(), n, nrhs, a, b)
}

// posv solves in the copy of B.
func posv[T blas.Number](p *problem[T]) {
	n, nrhs := p.int(routine.N), p.int(routine.NRHS)
	a, b := p.matrix(routine.A, n, n), p.matrix(routine.B, n, nrhs)
	info := lapack.Potrf(p.uplo(), n, a)
	p.setInfo(info)
	if info == 0 {
		throughCopy(p, b, n, nrhs, func(x blas.Matrix[T]) {
			lapack.Potrs(p.uplo(), n, nrhs, a, x)
		})
	}
}

func potri[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a := p.matrix(routine.A, n, n)
	p.setInfo(lapack.Potri(p.uplo(), n, a))
}

func lauum[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a := p.matrix(routine.A, n, n)
	lapack.Lauum(p.uplo(), n, a)
}

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
