package kernel

import (
	"slices"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

// singularVectors is the memory for the vectors of a singular value decomposition of A, m x n: the arrays of the call,
// or other memory for vectors that replace A, and for V if the routine stores it without taking the adjoint.
type singularVectors[T blas.Number] struct {
	lapack.Vectors[T]
	m, n         int
	a            blas.Matrix[T]
	overU, overV bool // U replaces the first columns of A, or V the first rows
	plainV       blas.Matrix[T]
}

func (p *problem[T]) singularVectors(m, n int, a blas.Matrix[T]) *singularVectors[T] {
	k := min(m, n)
	s := &singularVectors[T]{m: m, n: n, a: a}
	s.Left, s.overU = p.vectorsOf(routine.LeftSvect, m, k)
	s.Right, s.overV = p.vectorsOf(routine.RightSvect, n, k)
	switch {
	case s.overU:
		s.U = blas.Matrix[T]{Data: make([]T, m*k), LD: m}
	case s.Left > 0:
		s.U = p.matrix(routine.MatU, m, s.Left)
	}
	switch plain := p.storesPlainV(); {
	case s.overV, plain:
		s.V = blas.Matrix[T]{Data: make([]T, s.Right*n), LD: max(s.Right, 1)}
		if plain && s.Right > 0 {
			s.plainV = p.matrix(routine.MatV, n, s.Right)
		}
	case s.Right > 0:
		s.V = p.matrix(routine.MatV, s.Right, n)
	}
	return s
}

// vectorsOf returns how many vectors a job computes, and whether they replace A.
func (p *problem[T]) vectorsOf(job routine.Slot, all, singular int) (count int, over bool) {
	switch p.args.Int(job) {
	case routine.SvectAll:
		return all, false
	case routine.SvectSingular:
		return singular, false
	case routine.SvectOverwrite:
		return singular, true
	}
	return 0, false
}

func (p *problem[T]) storesPlainV() bool {
	id := p.args.Routine.Family.ID
	return id == routine.GesvdjNotTransposed || id == routine.GesvdxNotTransposed
}

// finish stores the vectors that were computed in other memory.
func (s *singularVectors[T]) finish() {
	k := min(s.m, s.n)
	if s.overU {
		blas.CopyMatrix(s.m, k, s.U, s.a)
	}
	if s.overV {
		blas.CopyMatrix(k, s.n, s.V, s.a)
	}
	if s.plainV.Data != nil {
		storeAdjoint(s.V, s.Right, s.n, s.plainV)
	}
}

func gesvd[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	k := min(m, n)
	a, s, e := p.matrix(routine.A, m, n), p.reals(routine.VecS, k), p.reals(routine.VecE, k-1)
	to := p.singularVectors(m, n, a)
	values, rest := make([]float64, k), make([]float64, k)
	info := lapack.Gesvd(m, n, a, values, rest, to.Vectors)
	to.finish()
	s.store(values)
	e.store(rest)
	p.setUnconverged(info)
}

func gesvdj[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	k := min(m, n)
	a, s := p.matrix(routine.A, m, n), p.reals(routine.VecS, k)
	to := p.singularVectors(m, n, a)
	values := make([]float64, k)
	done := lapack.Gesvdj(m, n, a, p.args.Real(routine.Abstol), p.int(routine.MaxSweeps), values, to.Vectors)
	to.finish()
	s.store(values)
	p.finishSweeps(done)
}

// bdsqr computes the singular values of a bidiagonal matrix, and multiplies V, U and C by the vectors.
func bdsqr[T blas.Number](p *problem[T]) {
	n, nv, nu, nc := p.int(routine.N), p.int(routine.NV), p.int(routine.NU), p.int(routine.NC)
	d, e := p.reals(routine.VecD, n), p.reals(routine.VecE, n-1)
	v, u, c := p.matrix(routine.MatV, n, nv), p.matrix(routine.MatU, nu, n), p.matrix(routine.C, n, nc)
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
		fromLeft(blas.ConjTrans, n, nv, lapack.Converted[T](n, n, right), v)
	}
	if nc > 0 {
		fromLeft(blas.ConjTrans, n, nc, lapack.Converted[T](n, n, left), c)
	}
	if nu > 0 {
		product := blas.Matrix[T]{Data: make([]T, nu*n), LD: nu}
		blas.Gemm(blas.None, blas.None, nu, n, n, 1, u, lapack.Converted[T](n, n, left), 0, product)
		blas.CopyMatrix(nu, n, product, u)
	}
	p.setInfo(info)
}

// singularRange returns the range [from, to) of the descending singular values that the call requests.
func (p *problem[T]) singularRange(values []float64) (from, to int) {
	switch p.args.Int(routine.Srange) {
	case routine.SrangeIndex:
		return p.int(routine.LowerIndex) - 1, p.int(routine.UpperIndex)
	case routine.SrangeValue:
		low, high := p.args.Real(routine.LowerBound), p.args.Real(routine.UpperBound)
		for from < len(values) && values[from] >= high {
			from++
		}
		for to = from; to < len(values) && !(values[to] < low); {
			to++
		}
		return from, to
	}
	return 0, len(values)
}

// foundAtMost returns the largest number of singular values that a call can store.
func (p *problem[T]) foundAtMost(all int) int {
	if p.args.Int(routine.Srange) == routine.SrangeIndex {
		return p.int(routine.UpperIndex) - p.int(routine.LowerIndex) + 1
	}
	return all
}

// bdsvdx computes all singular values of a bidiagonal matrix and stores the ones in the range.
func bdsvdx[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	most := p.foundAtMost(n)
	d, e, s := p.reals(routine.VecD, n), p.reals(routine.VecE, n-1), p.reals(routine.VecS, most)
	wanted := p.args.Int(routine.Svect) == routine.SvectSingular
	var z blas.Matrix[T]
	var failed []int32
	if wanted {
		z, failed = p.matrix(routine.MatZ, 2*n, most), array[int32](p, routine.Ifail, int64(n))
	}
	values, rest := slices.Clone(d.values()), slices.Clone(e.values())
	var left, right []float64
	if wanted {
		left, right = make([]float64, n*n), make([]float64, n*n)
	}
	info := lapack.Bdsqr(p.uplo(), n, values, rest, left, right)
	from, to := p.singularRange(values)
	s.store(values[from:to])
	for j := from; j < to && wanted; j++ {
		for i := range n {
			z.Set(i, j-from, blas.FromReal[T](left[i+j*n]))
			z.Set(n+i, j-from, blas.FromReal[T](right[i+j*n]))
		}
	}
	p.finishRange(to-from, info, failed)
}

// finishRange stores the results of a search in a range. If some vectors did not converge, the first ones are named.
func (p *problem[T]) finishRange(found, info int, failed []int32) {
	info = min(info, found)
	nameFirst(failed[:min(found, len(failed))], info)
	p.setInt(routine.Nsv, found)
	p.setInfo(info)
}

// nameFirst names the first vectors as those that did not converge.
func nameFirst(failed []int32, count int) {
	clear(failed)
	for i := range min(count, len(failed)) {
		failed[i] = int32(i + 1)
	}
}

// storeAdjoint stores the adjoint of a, m x n, in b.
func storeAdjoint[T blas.Number](a blas.Matrix[T], m, n int, b blas.Matrix[T]) {
	for j := range m {
		for i := range n {
			b.Set(i, j, blas.Conj(a.At(j, i)))
		}
	}
}

// gesvdx computes all singular values and stores the ones in the range.
func gesvdx[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	k := min(m, n)
	most := p.foundAtMost(k)
	a, s := p.matrix(routine.A, m, n), p.reals(routine.VecS, most)
	var failed []int32
	var u, v blas.Matrix[T]
	var all lapack.Vectors[T]
	if p.args.Int(routine.LeftSvect) == routine.SvectSingular {
		u, all.Left = p.matrix(routine.MatU, m, most), k
	}
	if p.args.Int(routine.RightSvect) == routine.SvectSingular {
		all.Right = k
		if p.storesPlainV() {
			v = p.matrix(routine.MatV, n, most)
		} else {
			v = p.matrix(routine.MatV, most, n)
		}
	}
	if all.Left+all.Right > 0 {
		failed = array[int32](p, routine.Ifail, int64(k))
	}
	values := make([]float64, k)
	all.U = blas.Matrix[T]{Data: make([]T, m*all.Left), LD: m}
	all.V = blas.Matrix[T]{Data: make([]T, all.Right*n), LD: max(all.Right, 1)}
	info := lapack.Gesvd(m, n, a, values, make([]float64, k), all)
	from, to := p.singularRange(values)
	s.store(values[from:to])
	if to > from && all.Left > 0 {
		blas.CopyMatrix(m, to-from, all.U.From(0, from), u)
	}
	switch {
	case to == from || all.Right == 0:
	case p.storesPlainV():
		storeAdjoint(all.V.From(from, 0), to-from, n, v)
	default:
		blas.CopyMatrix(to-from, n, all.V.From(from, 0), v)
	}
	p.finishRange(to-from, info, failed)
}

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
