package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

// onTriangle is potrf or potri.
func onTriangle[T blas.Number](compute func(blas.Uplo, int, blas.Matrix[T]) int) body[T] {
	return func(p *problem[T]) {
		n := p.int(routine.N)
		p.setInfo(compute(p.uplo(), n, p.matrix(routine.A, n, n)))
	}
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

func lauum[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a := p.matrix(routine.A, n, n)
	lapack.Lauum(p.uplo(), n, a)
}

// sytrf is sytrf and sytf2.
func sytrf[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	p.setInfo(lapack.Sytrf(p.uplo(), n, p.matrix(routine.A, n, n), p.pivots(n)))
}

func lasyf[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, pivots, columns := p.matrix(routine.A, n, n), p.pivots(n), array[int32](p, routine.KB, 1)
	kb, info := lapack.Lasyf(p.uplo(), n, p.int(routine.NB), a, pivots)
	columns[0] = int32(kb)
	p.setInfo(info)
}
