package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

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
	m = blas.Matrix[T]{Data: make([]T, rows*cols), LD: rows}
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
