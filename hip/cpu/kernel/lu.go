package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

func luKernels[T blas.Number]() kernels[T] {
	return kernels[T]{
		routine.Getrf:     getrf[T],
		routine.GetrfNpvt: getrf[T],
		routine.Getf2:     getrf[T],
		routine.Getf2Npvt: getrf[T],
		routine.Getrs:     getrs[T],
		routine.Getri:     getri[T],
		routine.GetriNpvt: getri[T],
		routine.Gesv:      gesv[T],
	}
}

// getrf is getrf and getf2, and their forms without pivots.
func getrf[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	a := p.matrix(routine.A, m, n)
	var pivots []int32
	if _, pivoting := p.args.Routine.ParamAt(routine.Ipiv); pivoting {
		pivots = p.pivots(min(m, n))
	}
	if p.ok() {
		p.setInfo(lapack.Getrf(p.blas, m, n, a, pivots))
	}
}

func getrs[T blas.Number](p *problem[T]) {
	n, nrhs := p.int(routine.N), p.int(routine.NRHS)
	a, b, pivots := p.matrix(routine.A, n, n), p.matrix(routine.B, n, nrhs), p.givenPivots(n)
	if p.ok() {
		lapack.Getrs(p.blas, p.op(routine.TransA), n, nrhs, a, pivots, b)
	}
}

// getri is getri and getri_npvt. It copies the factor to the workspace, or to memory of the host for orders that need
// no workspace.
func getri[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, pivots := p.matrix(routine.A, n, n), p.givenPivots(n)
	copied := workFor[T](p, buffer.MatrixCopy, n*n)
	if !p.ok() {
		return
	}
	if copied == nil {
		copied = make([]T, n*n)
	}
	p.setInfo(lapack.Getri(p.blas, n, a, pivots, copied))
}

// gesv solves in the copy of B and stores the solution if there is one.
func gesv[T blas.Number](p *problem[T]) {
	n, nrhs := p.int(routine.N), p.int(routine.NRHS)
	a, b, pivots := p.matrix(routine.A, n, n), p.matrix(routine.B, n, nrhs), p.pivots(n)
	if !p.ok() {
		return
	}
	info := lapack.Getrf(p.blas, n, n, a, pivots)
	p.setInfo(info)
	if info == 0 {
		throughCopy(p, b, n, nrhs, func(x blas.Matrix[T]) {
			lapack.Getrs(p.blas, blas.None, n, nrhs, a, pivots, x)
		})
	}
}
