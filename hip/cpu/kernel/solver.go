package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

// setInfo stores a factorization's info for this problem.
func (p *problem[T]) setInfo(info int) {
	if cells := array[int32](p, routine.Info, 1); p.ok() {
		cells[0] = int32(info)
	}
}

// pivots returns the pivot indices of this problem.
func (p *problem[T]) pivots(n int) []int32 {
	return array[int32](p, routine.Ipiv, int64(n))
}

// getrf is getrf, getf2 and getrf_npvt.
func getrf[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	a := p.matrix(routine.A, m, n)
	var pivots []int32
	if p.family() != "getrf_npvt" {
		pivots = p.pivots(min(m, n))
	}
	if p.ok() {
		p.setInfo(lapack.Getrf(p.blas, m, n, a, pivots))
	}
}

func getrs[T blas.Number](p *problem[T]) {
	n, nrhs := p.int(routine.N), p.int(routine.NRHS)
	a, b, pivots := p.matrix(routine.A, n, n), p.matrix(routine.B, n, nrhs), p.pivots(n)
	if p.ok() {
		lapack.Getrs(p.blas, p.op(routine.TransA), n, nrhs, a, pivots, b)
	}
}

// getri copies the factor to the lent memory, buffer 4 of the size rule; orders that ask for none have room of their own.
func getri[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, pivots := p.matrix(routine.A, n, n), p.pivots(n)
	copied := workFor[T](p, 4, n*n)
	if !p.ok() {
		return
	}
	if copied == nil {
		copied = make([]T, n*n)
	}
	p.setInfo(lapack.Getri(p.blas, n, a, pivots, copied))
}

// gesv solves in the lent copy of B, buffer 1 of the size rule, and stores the solution when there is one.
func gesv[T blas.Number](p *problem[T]) {
	n, nrhs := p.int(routine.N), p.int(routine.NRHS)
	a, b, pivots := p.matrix(routine.A, n, n), p.matrix(routine.B, n, nrhs), p.pivots(n)
	if !p.ok() {
		return
	}
	info := lapack.Getrf(p.blas, n, n, a, pivots)
	p.setInfo(info)
	if info == 0 {
		throughCopy(p, 1, b, n, nrhs, func(x blas.Matrix[T]) { lapack.Getrs(p.blas, blas.None, n, nrhs, a, pivots, x) })
	}
}

// throughCopy solves in the lent copy of B and copies the solution back.
func throughCopy[T blas.Number](p *problem[T], buffer int, b blas.Matrix[T], n, nrhs int, solve func(x blas.Matrix[T])) {
	copied := workFor[T](p, buffer, n*nrhs)
	if !p.ok() {
		return
	}
	if copied == nil {
		p.fail("%s was lent no memory for a copy of B", p.args.Routine.CName())
		return
	}
	x := blas.Matrix[T]{Data: copied, LD: n}
	copyMatrix(x, b, n, nrhs)
	solve(x)
	copyMatrix(b, x, n, nrhs)
}

func potrf[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a := p.matrix(routine.A, n, n)
	if p.ok() {
		p.setInfo(lapack.Potrf(p.blas, p.uplo(), n, a))
	}
}

func potrs[T blas.Number](p *problem[T]) {
	n, nrhs := p.int(routine.N), p.int(routine.NRHS)
	a, b := p.matrix(routine.A, n, n), p.matrix(routine.B, n, nrhs)
	if p.ok() {
		lapack.Potrs(p.blas, p.uplo(), n, nrhs, a, b)
	}
}

// posv solves in the lent copy of B, buffer 5 of the size rule.
func posv[T blas.Number](p *problem[T]) {
	n, nrhs := p.int(routine.N), p.int(routine.NRHS)
	a, b := p.matrix(routine.A, n, n), p.matrix(routine.B, n, nrhs)
	if !p.ok() {
		return
	}
	info := lapack.Potrf(p.blas, p.uplo(), n, a)
	p.setInfo(info)
	if info == 0 {
		throughCopy(p, 5, b, n, nrhs, func(x blas.Matrix[T]) { lapack.Potrs(p.blas, p.uplo(), n, nrhs, a, x) })
	}
}

func geqrf[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	a := p.matrix(routine.A, m, n)
	tau := array[T](p, routine.Ipiv, int64(min(m, n)))
	if p.ok() {
		lapack.Geqrf(m, n, a, tau)
	}
}
