package kernel

import (
	"cmp"
	"slices"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func sytrd[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, tau := p.matrix(routine.A, n, n), array[T](p, routine.Tau, int64(n-1))
	d, e := p.reals(routine.VecD, n), p.reals(routine.VecE, n-1)
	diagonal, other := make([]float64, n), make([]float64, n)
	lapack.Sytrd(p.uplo(), n, a, diagonal, other, tau)
	d.store(diagonal)
	e.store(other)
}

func latrd[T blas.Number](p *problem[T]) {
	n, k := p.int(routine.N), p.int(routine.K)
	a, w := p.matrix(routine.A, n, n), p.matrix(routine.MatW, n, k)
	e, tau := p.reals(routine.VecE, n-1), array[T](p, routine.Tau, int64(n-1))
	other := e.values()
	lapack.Latrd(p.uplo(), n, k, a, other, tau, w)
	e.store(other)
}

// rangeOf returns the range [from, to) of the ascending eigenvalues that the call requests. A NaN is in every range of
// values.
func (p *problem[T]) rangeOf(values []float64) (from, to int) {
	switch p.args.Int(routine.Erange) {
	case routine.ErangeIndex:
		return p.int(routine.LowerIndex) - 1, p.int(routine.UpperIndex)
	case routine.ErangeValue:
		low, high := p.args.Real(routine.LowerBound), p.args.Real(routine.UpperBound)
		for from < len(values) && values[from] <= low {
			from++
		}
		for to = from; to < len(values) && !(values[to] > high); {
			to++
		}
		return from, to
	}
	return 0, len(values)
}

// steqr computes the eigenvalues of a tridiagonal matrix, and multiplies C by the eigenvectors. As in the library, a C
// of order 1 becomes 1.
func steqr[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	d, e := p.reals(routine.VecD, n), p.reals(routine.VecE, n-1)
	evect := p.args.Int(routine.Evect)
	wanted := evect == routine.EvectOriginal || evect == routine.EvectTridiagonal
	var c blas.Matrix[T]
	if wanted {
		c = p.matrix(routine.C, n, n)
	}
	values, rest := d.values(), e.values()
	var vectors []float64
	if wanted {
		vectors = make([]float64, n*n)
	}
	info := lapack.Steqr(n, values, rest, vectors)
	d.store(values)
	e.store(rest)
	if wanted {
		z := lapack.Converted[T](n, n, vectors)
		product := z
		if evect == routine.EvectOriginal && n > 1 {
			product = blas.Matrix[T]{Data: make([]T, n*n), LD: n}
			blas.Gemm(blas.None, blas.None, n, n, n, 1, c, z, 0, product)
		}
		blas.CopyMatrix(n, n, product, c)
	}
	p.setInfo(info)
}

// stebz computes all eigenvalues and stores the ones in the range.
func stebz[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	d, e, w := p.reals(routine.VecD, n), p.reals(routine.VecE, n-1), p.reals(routine.VecW, n)
	iblock, isplit := array[int32](p, routine.Iblock, int64(n)), array[int32](p, routine.Isplit, int64(n))
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
	if nev[0] < 0 || int(nev[0]) > n {
		p.fail("nev is %d, want a number of eigenvalues, 0 to %d", nev[0], n)
	}
	values := make([]lapack.Eigenvalue, nev[0])
	for i, v := range w.values()[:nev[0]] {
		values[i] = lapack.Eigenvalue{Value: v, Block: int(iblock[i]) - 1}
	}
	blocks := p.givenBlocks(values, isplit)
	info := lapack.Stein(n, d.values(), e.values(), values, blocks, z)
	nameFirst(failed[:len(values)], info)
	p.setInfo(min(info, len(values)))
}

// givenBlocks returns the blocks up to the last one that has an eigenvalue. Blocks that are not in the matrix are an
// error.
func (p *problem[T]) givenBlocks(values []lapack.Eigenvalue, ends []int32) []lapack.Block {
	count := 0
	for i, v := range values {
		if v.Block < 0 || v.Block >= len(ends) {
			p.fail("iblock[%d] is %d, want a block, 1 to %d", i, v.Block+1, len(ends))
		}
		count = max(count, v.Block+1)
	}
	blocks, from := make([]lapack.Block, count), 0
	for i := range blocks {
		if int(ends[i]) <= from || int(ends[i]) > len(ends) {
			p.fail("isplit[%d] is %d, want the last row of a block, %d to %d", i, ends[i], from+1, len(ends))
		}
		blocks[i] = lapack.Block{From: from, To: int(ends[i])}
		from = blocks[i].To
	}
	return blocks
}
