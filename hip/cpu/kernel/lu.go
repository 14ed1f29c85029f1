package kernel

import (
	"math"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// getrf is getrf and getf2, and their forms without pivots.
func getrf[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	a := p.matrix(routine.A, m, n)
	var pivots []int32
	if p.args.Routine.Has(routine.Ipiv) {
		pivots = p.pivots(min(m, n))
	}
	p.setInfo(lapack.Getrf(m, n, a, pivots))
}

func getrs[T blas.Number](p *problem[T]) {
	n, nrhs := p.int(routine.N), p.int(routine.NRHS)
	a, b, pivots := p.matrix(routine.A, n, n), p.matrix(routine.B, n, nrhs), p.givenPivots(n)
	lapack.Getrs(p.op(routine.TransA), n, nrhs, a, pivots, b)
}

// getri is getri and getri_npvt. It copies the factor to the workspace, or to memory of the host for orders that need
// no workspace.
func getri[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, pivots := p.matrix(routine.A, n, n), p.givenPivots(n)
	copied := workFor[T](p, buffer.MatrixCopy, n*n)
	if copied == nil {
		copied = make([]T, n*n)
	}
	p.setInfo(lapack.Getri(n, a, pivots, copied))
}

// gesv solves in the copy of B and stores the solution if there is one.
func gesv[T blas.Number](p *problem[T]) {
	n, nrhs := p.int(routine.N), p.int(routine.NRHS)
	a, b, pivots := p.matrix(routine.A, n, n), p.matrix(routine.B, n, nrhs), p.pivots(n)
	info := lapack.Getrf(n, n, a, pivots)
	p.setInfo(info)
	if info == 0 {
		throughCopy(p, b, n, nrhs, func(x blas.Matrix[T]) {
			lapack.Getrs(blas.None, n, nrhs, a, pivots, x)
		})
	}
}

// gesvOutOfPlace solves also if the matrix is singular.
func gesvOutOfPlace[T blas.Number](p *problem[T]) {
	n, nrhs := p.int(routine.N), p.int(routine.NRHS)
	a, pivots := p.matrix(routine.A, n, n), p.pivots(n)
	b, x := p.matrix(routine.B, n, nrhs), p.matrix(routine.MatX, n, nrhs)
	p.setInfo(lapack.Getrf(n, n, a, pivots))
	blas.CopyMatrix(n, nrhs, b, x)
	lapack.Getrs(blas.None, n, nrhs, a, pivots, x)
}

func getriOutOfPlace[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, c, pivots := p.matrix(routine.A, n, n), p.matrix(routine.C, n, n), p.givenPivots(n)
	p.setInfo(lapack.GetriOutOfPlace(n, a, pivots, c))
}

// pivots returns the pivot indices of this problem. Changes of indices of 64 bits are stored when the problem is
// computed.
func (p *problem[T]) pivots(n int) []int32 {
	if !p.args.Routine.Wide {
		return array[int32](p, routine.Ipiv, int64(n))
	}
	wide := array[int64](p, routine.Ipiv, int64(n))
	pivots := make([]int32, len(wide))
	for i, row := range wide {
		pivots[i] = int32(min(max(row, math.MinInt32), math.MaxInt32))
	}
	if param, _ := p.args.Routine.ParamAt(routine.Ipiv); param.Access.Writes() {
		p.atEnd = append(p.atEnd, func() {
			for i, row := range pivots {
				wide[i] = int64(row)
			}
		})
	}
	return pivots
}

// givenPivots returns the pivots that an earlier call computed. Pivots that are not rows of the matrix are an error; a
// device would exchange elements outside of it.
func (p *problem[T]) givenPivots(n int) []int32 {
	pivots := p.pivots(n)
	for i, row := range pivots {
		p.checkPivot(i, row, n)
	}
	return pivots
}

func (p *problem[T]) checkPivot(i int, row int32, rows int) {
	if row < 1 || int(row) > rows {
		p.fail("ipiv[%d] is %d, want a row of the matrix, 1 to %d", i, row, rows)
	}
}

// laswp exchanges rows by the pivots k1 to k2, which are an increment apart and begin at ipiv[k1]. With a negative
// increment it starts with the last exchange.
func laswp[T blas.Number](p *problem[T]) {
	n, first, last, inc := p.int(routine.N), p.int(routine.K1), p.int(routine.K2), p.int(routine.IncX)
	backward := inc < 0
	inc = max(inc, -inc)
	pivots := p.pivots(first + (last-first)*inc)
	rows := max(last, p.int(routine.LDA))
	a := p.matrix(routine.A, rows, n)
	order := make([]int32, last)
	for i := first; i <= last; i++ {
		at := first - 1 + (i-first)*inc
		order[i-1] = pivots[at]
		p.checkPivot(at, pivots[at], rows)
	}
	lapack.Laswp(n, a, order, first-1, last, backward)
}

// trtri inverts in invA, which may be A. The other triangle of invA becomes zero when it is not A.
func trtri[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, inverse := p.matrix(routine.A, n, n), p.matrix(routine.InvA, n, n)
	if &a.Data[0] != &inverse.Data[0] {
		copyTriangle(inverse, a, n, p.uplo())
	}
	lapack.Trtri(p.uplo(), p.diag(), n, inverse)
	if p.diag() == blas.Unit {
		for i := range n {
			inverse.Set(i, i, 1)
		}
	}
}

func solverTrtri[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a := p.matrix(routine.A, n, n)
	p.setInfo(lapack.Trtri(p.uplo(), p.diag(), n, a))
}

// blocksOf returns an array of adjacent blocks, and a function that stores changes of it. Interleaved arrays are
// copied.
func (p *problem[T]) blocksOf(s routine.Slot, rows, cols int) (m blas.Matrix[T], store func()) {
	inc := 1
	if q, ok := p.args.Routine.Companion(s, routine.Increment); ok {
		inc = p.int(q.Slot)
	}
	if rows == 0 || cols == 0 {
		return blas.Matrix[T]{LD: 1}, func() {}
	}
	stored := p.matrix(s, (rows-1)*inc+1, cols)
	if inc == 1 {
		return stored, func() {}
	}
	m = blas.NewMatrix[T](rows, cols)
	each := func(move func(to, from int)) {
		for j := range cols {
			for i := range rows {
				move(i+j*rows, i*inc+j*stored.LD)
			}
		}
	}
	each(func(to, from int) { m.Data[to] = stored.Data[from] })
	return m, func() { each(func(from, to int) { stored.Data[to] = m.Data[from] }) }
}

// blockMatrix returns the arguments A, B and C, and a function that stores changes of B and C.
func (p *problem[T]) blockMatrix() (lapack.BlockTridiagonal[T], func()) {
	nb, blocks := p.int(routine.NB), p.int(routine.NBlocks)
	below, _ := p.blocksOf(routine.A, nb, nb*(blocks-1))
	diagonal, storeDiagonal := p.blocksOf(routine.B, nb, nb*blocks)
	above, storeAbove := p.blocksOf(routine.C, nb, nb*(blocks-1))
	return lapack.BlockTridiagonal[T]{NB: nb, Blocks: blocks, Below: below, Diagonal: diagonal, Above: above},
		func() { storeDiagonal(); storeAbove() }
}

func factorBlocks[T blas.Number](p *problem[T]) {
	m, store := p.blockMatrix()
	info := lapack.GeblttrfNpvt(m)
	store()
	p.setInfo(info)
}

func solveBlocks[T blas.Number](p *problem[T]) {
	m, _ := p.blockMatrix()
	nrhs := p.int(routine.NRHS)
	x, store := p.blocksOf(routine.MatX, m.NB, nrhs*m.Blocks)
	lapack.GeblttrsNpvt(m, nrhs, x)
	store()
}
