package kernel

import (
	"slices"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

// singularVectors returns memory for the singular vectors of A, m x n, that a call computes.
func (p *problem[T]) singularVectors(m, n int) (to lapack.Vectors[T]) {
	count := func(job routine.Slot, all int) int {
		switch p.args.Int(job) {
		case routine.SvectAll:
			return all
		case routine.SvectSingular, routine.SvectOverwrite:
			return min(m, n)
		}
		return 0
	}
	to.Left, to.Right = count(routine.LeftSvect, m), count(routine.RightSvect, n)
	to.U, to.V = blas.NewMatrix[T](m, to.Left), blas.NewMatrix[T](to.Right, n)
	return to
}

// storeSingular stores the left columns of U and the right rows of V from the first one on: over A, m x n, or in the
// arrays of the call. Some families store V instead of its adjoint.
func (p *problem[T]) storeSingular(m, n int, a blas.Matrix[T], v lapack.Vectors[T], first, left, right int) {
	u, rows := a, v.V.From(first, 0)
	if left > 0 {
		if p.args.Int(routine.LeftSvect) != routine.SvectOverwrite {
			u = p.matrix(routine.MatU, m, left)
		}
		blas.CopyMatrix(m, left, v.U.From(0, first), u)
	}
	id := p.args.Routine.Family.ID
	switch {
	case right == 0:
	case p.args.Int(routine.RightSvect) == routine.SvectOverwrite:
		blas.CopyMatrix(right, n, rows, a)
	case id == routine.GesvdjNotTransposed || id == routine.GesvdxNotTransposed:
		plain := p.matrix(routine.MatV, n, right)
		for j := range right {
			for i := range n {
				plain.Set(i, j, blas.Conj(rows.At(j, i)))
			}
		}
	default:
		blas.CopyMatrix(right, n, rows, p.matrix(routine.MatV, right, n))
	}
}

func gesvd[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	k := min(m, n)
	a, s, e := p.matrix(routine.A, m, n), p.reals(routine.VecS, k), p.reals(routine.VecE, k-1)
	to := p.singularVectors(m, n)
	info := lapack.Gesvd(m, n, a, s, e, to)
	p.storeSingular(m, n, a, to, 0, to.Left, to.Right)
	p.setUnconverged(info)
}

func gesvdj[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	a, s := p.matrix(routine.A, m, n), p.reals(routine.VecS, min(m, n))
	to := p.singularVectors(m, n)
	done := lapack.Gesvdj(m, n, a, p.args.Real(routine.Abstol), p.int(routine.MaxSweeps), s, to)
	p.storeSingular(m, n, a, to, 0, to.Left, to.Right)
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
	info := lapack.Bdsqr(p.uplo(), n, d, e, left, right)
	if nv > 0 {
		fromLeft(blas.ConjTrans, n, nv, lapack.Converted[T](n, n, right), v)
	}
	if nc > 0 {
		fromLeft(blas.ConjTrans, n, nc, lapack.Converted[T](n, n, left), c)
	}
	if nu > 0 {
		fromRight(nu, n, lapack.Converted[T](n, n, left), u)
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
	values, rest := slices.Clone(d), slices.Clone(e)
	var left, right []float64
	if wanted {
		left, right = make([]float64, n*n), make([]float64, n*n)
	}
	info := lapack.Bdsqr(p.uplo(), n, values, rest, left, right)
	from, to := p.singularRange(values)
	copy(s, values[from:to])
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

// gesvdx computes all singular values and stores the ones in the range.
func gesvdx[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	k := min(m, n)
	a, s := p.matrix(routine.A, m, n), p.reals(routine.VecS, p.foundAtMost(k))
	all, values := p.singularVectors(m, n), make([]float64, k)
	info := lapack.Gesvd(m, n, a, values, make([]float64, k-1), all)
	from, to := p.singularRange(values)
	copy(s, values[from:to])
	p.storeSingular(m, n, a, all, from, min(all.Left, to-from), min(all.Right, to-from))
	var failed []int32
	if all.Left+all.Right > 0 {
		failed = array[int32](p, routine.Ifail, int64(k))
	}
	p.finishRange(to-from, info, failed)
}

func gebrd[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	k := min(m, n)
	a, d, e := p.matrix(routine.A, m, n), p.reals(routine.VecD, k), p.reals(routine.VecE, k-1)
	tauq, taup := array[T](p, routine.TauQ, int64(k)), array[T](p, routine.TauP, int64(k))
	lapack.Gebrd(m, n, a, d, e, tauq, taup)
}

func labrd[T blas.Number](p *problem[T]) {
	m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
	a, d, e := p.matrix(routine.A, m, n), p.reals(routine.VecD, k), p.reals(routine.VecE, k)
	tauq, taup := array[T](p, routine.TauQ, int64(k)), array[T](p, routine.TauP, int64(k))
	x, y := p.matrix(routine.MatX, m, k), p.matrix(routine.MatY, n, k)
	lapack.Labrd(m, n, k, a, d, e, tauq, taup, x, y)
}
