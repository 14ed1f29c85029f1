package kernel

import (
	"cmp"
	"math"
	"slices"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func (p *problem[T]) vectors() bool { return p.args.Int(routine.Evect) == routine.EvectOriginal }

// syev computes all eigenvalues. Some families have no array for the other diagonal.
func syev[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, w, e := p.matrix(routine.A, n, n), p.reals(routine.VecD, n), p.reals(routine.VecE, n)
	p.setUnconverged(lapack.Heev(p.vectors(), p.uplo(), n, a, w, e))
}

// setUnconverged stores info: the number of elements that did not converge, or 1 for families that do not count them.
func (p *problem[T]) setUnconverged(count int) {
	if !p.args.Routine.Family.CountsUnconverged() {
		count = min(count, 1)
	}
	p.setInfo(count)
}

func syevj[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, w := p.matrix(routine.A, n, n), p.reals(routine.VecW, n)
	sorted := p.args.Int(routine.Esort) != routine.EsortNone
	done := lapack.Heevj(sorted, p.vectors(), p.uplo(), n, a, p.args.Real(routine.Abstol), p.int(routine.MaxSweeps), w)
	p.finishSweeps(done)
}

// finishSweeps stores the results of Jacobi's methods.
func (p *problem[T]) finishSweeps(done lapack.Sweeps) {
	p.setReal(routine.Residual, done.Residual)
	p.setInt(routine.Sweeps, done.Count)
	p.setInfo(done.Info)
}

// syevx computes all eigenvalues and stores the ones in the range. Without Z, their vectors replace the first columns
// of A.
func syevx[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, w := p.matrix(routine.A, n, n), p.reals(routine.VecW, n)
	z, columns, failed := a, n, []int32(nil)
	if p.args.Routine.Has(routine.MatZ) && p.vectors() {
		columns = p.columns(routine.MatZ)
		z, failed = p.matrix(routine.MatZ, n, columns), array[int32](p, routine.Ifail, int64(n))
	}
	values := make([]float64, n)
	info := lapack.Heev(p.vectors(), p.uplo(), n, a, values, make([]float64, n))
	from, to := p.rangeOf(values)
	copy(w, values[from:to])
	if p.vectors() {
		blas.CopyMatrix(n, min(columns, to-from), a.From(0, from), z)
		nameFirst(failed[:min(to-from, len(failed))], info) // some families have no ifail
	}
	p.setInt(routine.Nev, to-from)
	p.setInfo(info)
}

// general returns the body of a generalized problem. It reduces the problem to a standard one, which another body
// computes, and converts the vectors. If B is not positive definite, the eigenvalues are NaN, and A is not changed.
func general[T blas.Number](standard body[T]) body[T] {
	return func(p *problem[T]) {
		n := p.int(routine.N)
		a, b := p.matrix(routine.A, n, n), p.matrix(routine.B, n, n)
		form := problemForms[p.args.Int(routine.Itype)]
		if at := lapack.Potrf(p.uplo(), n, b); at != 0 {
			p.notDefinite(n, at)
			return
		}
		lapack.Sygst(form == lapack.AxBx, p.uplo(), n, a, b)
		standard(p)
		if !p.vectors() {
			return
		}
		z, columns := a, n
		if p.args.Routine.Has(routine.MatZ) {
			columns = min(p.columns(routine.MatZ), int(array[int32](p, routine.Nev, 1)[0]))
			z = p.matrix(routine.MatZ, n, columns)
		}
		if columns > 0 {
			lapack.FromStandard(form, p.uplo(), n, columns, b, z)
		}
	}
}

var problemForms = map[int64]lapack.Problem{
	routine.EformAx: lapack.AxBx, routine.EformAbx: lapack.ABx, routine.EformBax: lapack.BAx,
}

// notDefinite stores the results of a generalized problem whose B has a leading minor that is not positive.
func (p *problem[T]) notDefinite(n, at int) {
	for _, s := range []routine.Slot{routine.VecD, routine.VecW, routine.VecE} {
		values := p.reals(s, n)
		for i := range values {
			values[i] = math.NaN()
		}
	}
	p.setReal(routine.Residual, math.NaN())
	p.setInt(routine.Sweeps, 0)
	p.setInt(routine.Nev, 0)
	p.setInfo(n + at)
}

func sygst[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, b := p.matrix(routine.A, n, n), p.matrix(routine.B, n, n)
	lapack.Sygst(p.args.Int(routine.Itype) == routine.EformAx, p.uplo(), n, a, b)
}

func sytrd[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, tau := p.matrix(routine.A, n, n), array[T](p, routine.Tau, int64(n-1))
	d, e := p.reals(routine.VecD, n), p.reals(routine.VecE, n-1)
	lapack.Sytrd(p.uplo(), n, a, d, e, tau)
}

func latrd[T blas.Number](p *problem[T]) {
	n, k := p.int(routine.N), p.int(routine.K)
	a, w := p.matrix(routine.A, n, n), p.matrix(routine.MatW, n, k)
	e, tau := p.reals(routine.VecE, n-1), array[T](p, routine.Tau, int64(n-1))
	lapack.Latrd(p.uplo(), n, k, a, e, tau, w)
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
	if !wanted {
		p.setInfo(lapack.Steqr(n, d, e, nil))
		return
	}
	c, vectors := p.matrix(routine.C, n, n), make([]float64, n*n)
	p.setInfo(lapack.Steqr(n, d, e, vectors))
	z := lapack.Converted[T](n, n, vectors)
	if evect == routine.EvectOriginal && n > 1 {
		fromRight(n, n, z, c)
	} else {
		blas.CopyMatrix(n, n, z, c)
	}
}

// stebz computes all eigenvalues and stores the ones in the range.
func stebz[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	d, e, w := p.reals(routine.VecD, n), p.reals(routine.VecE, n-1), p.reals(routine.VecW, n)
	iblock, isplit := array[int32](p, routine.Iblock, int64(n)), array[int32](p, routine.Isplit, int64(n))
	found, blocks, unconverged := lapack.Stebz[T](slices.Clone(d), slices.Clone(e))
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
	copy(w, values[:len(found)])
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
	for i, v := range w[:nev[0]] {
		values[i] = lapack.Eigenvalue{Value: v, Block: int(iblock[i]) - 1}
	}
	blocks := p.givenBlocks(values, isplit)
	info := lapack.Stein(n, d, e, values, blocks, z)
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
