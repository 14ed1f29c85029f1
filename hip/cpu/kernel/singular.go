package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func singularKernels[T blas.Number]() kernels[T] {
	return kernels[T]{
		routine.Gesvd: gesvd[T], routine.Gesdd: gesvd[T], routine.Gesvdj: gesvdj[T], routine.Bdsqr: bdsqr[T],
	}
}

// singularVectors is the memory for the vectors of a singular value decomposition: that of U and V, or part of A.
type singularVectors[T blas.Number] struct {
	left, right int // how many
	u, v        blas.Matrix[T]
	m, n        int
	a           blas.Matrix[T]
	overU       bool // U replaces the first columns of A
	overV       bool // V replaces the first rows of A
}

// singularVectors returns the memory for the vectors of this problem. Those that replace A are computed elsewhere.
func (p *problem[T]) singularVectors(m, n int, a blas.Matrix[T]) *singularVectors[T] {
	k := min(m, n)
	s := &singularVectors[T]{m: m, n: n, a: a}
	switch p.args.Int(routine.LeftSvect) {
	case routine.SvectAll:
		s.left = m
	case routine.SvectSingular:
		s.left = k
	case routine.SvectOverwrite:
		s.left, s.overU = k, true
	}
	switch p.args.Int(routine.RightSvect) {
	case routine.SvectAll:
		s.right = n
	case routine.SvectSingular:
		s.right = k
	case routine.SvectOverwrite:
		s.right, s.overV = k, true
	}
	switch {
	case s.overU:
		s.u = blas.Matrix[T]{Data: make([]T, m*k), LD: m}
	case s.left > 0:
		s.u = p.matrix(routine.MatU, m, s.left)
	}
	switch {
	case s.overV:
		s.v = blas.Matrix[T]{Data: make([]T, k*n), LD: k}
	case s.right > 0:
		s.v = p.matrix(routine.MatV, s.right, n)
	}
	return s
}

// finish copies the vectors that replace A.
func (s *singularVectors[T]) finish() {
	k := min(s.m, s.n)
	if s.overU {
		copyMatrix(s.a, s.u, s.m, k)
	}
	if s.overV {
		copyMatrix(s.a, s.v, k, s.n)
	}
}

func gesvd[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	k := min(m, n)
	a, s, e := p.matrix(routine.A, m, n), p.reals(routine.VecS, k), p.reals(routine.VecE, k-1)
	to := p.singularVectors(m, n, a)
	if !p.ok() {
		return
	}
	values, rest := make([]float64, k), make([]float64, k)
	info := lapack.Gesvd(p.blas, m, n, a, values, rest, to.left, to.u, to.right, to.v)
	to.finish()
	s.store(values)
	e.store(rest)
	p.setInfo(info)
}

func gesvdj[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	k := min(m, n)
	a, s := p.matrix(routine.A, m, n), p.reals(routine.VecS, k)
	to := p.singularVectors(m, n, a)
	if !p.ok() {
		return
	}
	values := make([]float64, k)
	done := lapack.Gesvdj(p.blas, m, n, a, p.args.Real(routine.Abstol), p.int(routine.MaxSweeps), values, to.left,
		to.u, to.right, to.v)
	s.store(values)
	p.finishSweeps(done)
}

// bdsqr computes the singular values of a bidiagonal matrix, and multiplies V, U and C by the vectors.
func bdsqr[T blas.Number](p *problem[T]) {
	n, nv, nu, nc := p.int(routine.N), p.int(routine.NV), p.int(routine.NU), p.int(routine.NC)
	d, e := p.reals(routine.VecD, n), p.reals(routine.VecE, n-1)
	v, u, c := p.matrix(routine.MatV, n, nv), p.matrix(routine.MatU, nu, n), p.matrix(routine.C, n, nc)
	if !p.ok() {
		return
	}
	var left, right []float64
	if nu > 0 || nc > 0 {
		left = make([]float64, n*n)
	}
	if nv > 0 {
		right = make([]float64, n*n)
	}
	values, rest := d.values(), e.values()
	info := lapack.Bdsqr(p.uplo(), n, values, rest, left, right)
	d.store(values)
	e.store(rest)
	if nv > 0 {
		fromLeft(p.blas, blas.ConjTrans, n, nv, lapack.Converted[T](n, n, right), v)
	}
	if nc > 0 {
		fromLeft(p.blas, blas.ConjTrans, n, nc, lapack.Converted[T](n, n, left), c)
	}
	if nu > 0 {
		product := blas.Matrix[T]{Data: make([]T, nu*n), LD: nu}
		blas.Gemm(p.blas, blas.None, blas.None, nu, n, n, 1, u, lapack.Converted[T](n, n, left), 0, product)
		copyMatrix(u, product, nu, n)
	}
	p.setInfo(info)
}

// fromLeft replaces C, n x columns, by op(A) C.
func fromLeft[T blas.Number](o *blas.OpenBLAS, op blas.Op, n, columns int, a, c blas.Matrix[T]) {
	product := blas.Matrix[T]{Data: make([]T, n*columns), LD: n}
	blas.Gemm(o, op, blas.None, n, columns, n, 1, a, c, 0, product)
	copyMatrix(c, product, n, columns)
}
