package kernel

import (
	"cmp"
	"slices"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func partialKernels[T blas.Number]() kernels[T] {
	return kernels[T]{
		routine.Stebz: stebz[T], routine.Stein: stein[T], routine.Lasr: lasr[T],
		routine.Bdsvdx: bdsvdx[T], routine.Gesvdx: gesvdx[T],
	}
}

// stebz computes all eigenvalues and stores those of the range.
func stebz[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	d, e, w := p.reals(routine.VecD, n), p.reals(routine.VecE, n-1), p.reals(routine.VecW, n)
	iblock, isplit := array[int32](p, routine.Iblock, int64(n)), array[int32](p, routine.Isplit, int64(n))
	if !p.ok() {
		return
	}
	found, blocks, unconverged := lapack.Stebz[T](slices.Clone(d.values()), slices.Clone(e.values()))
	values := make([]float64, n)
	for i, v := range found {
		values[i] = v.Value
	}
	from, to := p.rangeOf(values)
	found = found[from:to]
	if p.args.Int(routine.Eorder) == routine.EorderBlocks {
		slices.SortStableFunc(found, func(x, y lapack.Eigenvalue) int { return cmp.Compare(x.Block, y.Block) })
	}
	for i, v := range found {
		values[i], iblock[i] = v.Value, int32(v.Block+1)
	}
	w.store(values[:len(found)])
	for i, b := range blocks {
		isplit[i] = int32(b.To)
	}
	p.setInt(routine.Nev, len(found))
	p.setInt(routine.Nsplit, len(blocks))
	p.setInfo(min(unconverged, 1))
}

// stein computes the eigenvectors of given eigenvalues.
func stein[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	d, e, w := p.reals(routine.VecD, n), p.reals(routine.VecE, n-1), p.reals(routine.VecW, n)
	iblock, isplit := array[int32](p, routine.Iblock, int64(n)), array[int32](p, routine.Isplit, int64(n))
	nev, failed := array[int32](p, routine.Nev, 1), array[int32](p, routine.Ifail, int64(n))
	z := p.matrix(routine.MatZ, n, n)
	if !p.ok() {
		return
	}
	if nev[0] < 0 || int(nev[0]) > n {
		p.fail("nev is %d, want a number of eigenvalues, 0 to %d", nev[0], n)
		return
	}
	values := make([]lapack.Eigenvalue, nev[0])
	for i, v := range w.values()[:nev[0]] {
		values[i] = lapack.Eigenvalue{Value: v, Block: int(iblock[i]) - 1}
	}
	blocks := p.givenBlocks(values, isplit)
	if !p.ok() {
		return
	}
	info := lapack.Stein(n, d.values(), e.values(), values, blocks, z)
	for i := range values {
		failed[i] = 0
		if i < info {
			failed[i] = int32(i + 1)
		}
	}
	p.setInfo(min(info, len(values)))
}

// givenBlocks returns the blocks up to the last one that has an eigenvalue. Blocks that are not in the matrix are an
// error.
func (p *problem[T]) givenBlocks(values []lapack.Eigenvalue, ends []int32) []lapack.Block {
	count := 0
	for i, v := range values {
		if v.Block < 0 || v.Block >= len(ends) {
			p.fail("iblock[%d] is %d, want a block, 1 to %d", i, v.Block+1, len(ends))
			return nil
		}
		count = max(count, v.Block+1)
	}
	blocks, from := make([]lapack.Block, count), 0
	for i := range blocks {
		if int(ends[i]) <= from || int(ends[i]) > len(ends) {
			p.fail("isplit[%d] is %d, want the last row of a block, %d to %d", i, ends[i], from+1, len(ends))
			return nil
		}
		blocks[i] = lapack.Block{From: from, To: int(ends[i])}
		from = blocks[i].To
	}
	return blocks
}

var rotationPlanes = map[int64]lapack.Planes{
	routine.PivotVariable: lapack.Variable, routine.PivotTop: lapack.Top, routine.PivotBottom: lapack.Bottom,
}

func lasr[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	rotations := p.order() - 1
	c, s := p.reals(routine.VecC, rotations), p.reals(routine.VecS, rotations)
	a := p.matrix(routine.A, m, n)
	if p.ok() {
		lapack.Lasr(p.side(), rotationPlanes[p.args.Int(routine.PivotMode)],
			p.args.Int(routine.Direct) == routine.DirectBackward, m, n, c.values(), s.values(), a)
	}
}

// singularRange returns the places of the descending singular values that the call wants, from the first up to but
// without the last one.
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

// foundAtMost returns the number of singular values for which a call has memory.
func (p *problem[T]) foundAtMost(all int) int {
	if p.args.Int(routine.Srange) == routine.SrangeIndex {
		return p.int(routine.UpperIndex) - p.int(routine.LowerIndex) + 1
	}
	return all
}

// bdsvdx computes all singular values of a bidiagonal matrix and stores those of the range.
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
	if !p.ok() {
		return
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
	for i := range min(found, len(failed)) {
		failed[i] = 0
		if i < info {
			failed[i] = int32(i + 1)
		}
	}
	p.setInt(routine.Nsv, found)
	p.setInfo(info)
}

// gesvdx computes all singular values and stores those of the range.
func gesvdx[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	k := min(m, n)
	most := p.foundAtMost(k)
	a, s := p.matrix(routine.A, m, n), p.reals(routine.VecS, most)
	var failed []int32
	var u, v blas.Matrix[T]
	left, right := 0, 0
	if p.args.Int(routine.LeftSvect) == routine.SvectSingular {
		u, left = p.matrix(routine.MatU, m, most), k
	}
	if p.args.Int(routine.RightSvect) == routine.SvectSingular {
		v, right = p.matrix(routine.MatV, most, n), k
	}
	if left+right > 0 {
		failed = array[int32](p, routine.Ifail, int64(k))
	}
	if !p.ok() {
		return
	}
	values := make([]float64, k)
	allLeft := blas.Matrix[T]{Data: make([]T, m*left), LD: m}
	allRight := blas.Matrix[T]{Data: make([]T, right*n), LD: max(right, 1)}
	info := lapack.Gesvd(p.blas, m, n, a, values, make([]float64, k), left, allLeft, right, allRight)
	from, to := p.singularRange(values)
	s.store(values[from:to])
	if to > from && left > 0 {
		copyMatrix(u, allLeft.From(0, from), m, to-from)
	}
	if to > from && right > 0 {
		copyMatrix(v, allRight.From(from, 0), to-from, n)
	}
	p.finishRange(to-from, info, failed)
}
