package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func inverseKernels[T blas.Number]() kernels[T] {
	return kernels[T]{
		routine.Potri:               potri[T],
		routine.SolverTrtri:         solverTrtri[T],
		routine.Lauum:               lauum[T],
		routine.GetriOutOfPlace:     getriOutOfPlace[T],
		routine.GetriNpvtOutOfPlace: getriOutOfPlace[T],
		routine.Sygs2:               sygst[T],
		routine.Sygst:               sygst[T],
		routine.Sytf2:               sytf2[T],
		routine.Sytrf:               sytrf[T],
		routine.Lasyf:               lasyf[T],
	}
}

func potri[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	if a := p.matrix(routine.A, n, n); p.ok() {
		p.setInfo(lapack.Potri(p.uplo(), n, a))
	}
}

func solverTrtri[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	if a := p.matrix(routine.A, n, n); p.ok() {
		p.setInfo(lapack.Trtri(p.uplo(), p.diag(), n, a))
	}
}

func lauum[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	if a := p.matrix(routine.A, n, n); p.ok() {
		lapack.Lauum(p.uplo(), n, a)
	}
}

func getriOutOfPlace[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, c, pivots := p.matrix(routine.A, n, n), p.matrix(routine.C, n, n), p.givenPivots(n)
	if p.ok() {
		p.setInfo(lapack.GetriOutOfPlace(p.blas, n, a, pivots, c))
	}
}

func sygst[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, b := p.matrix(routine.A, n, n), p.matrix(routine.B, n, n)
	if p.ok() {
		lapack.Sygst(p.blas, p.args.Int(routine.Itype) == routine.EformAx, p.uplo(), n, a, b)
	}
}

func sytf2[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, pivots := p.matrix(routine.A, n, n), p.pivots(n)
	if p.ok() {
		p.setInfo(lapack.Sytf2(p.uplo(), n, a, pivots))
	}
}

func sytrf[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, pivots := p.matrix(routine.A, n, n), p.pivots(n)
	if p.ok() {
		p.setInfo(lapack.Sytrf(p.uplo(), n, a, pivots))
	}
}

func lasyf[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, pivots, columns := p.matrix(routine.A, n, n), p.pivots(n), array[int32](p, routine.KB, 1)
	if p.ok() {
		kb, info := lapack.Lasyf(p.uplo(), n, p.int(routine.NB), a, pivots)
		columns[0] = int32(kb)
		p.setInfo(info)
	}
}
