package kernel

import (
	"math"

	"roclua/hip/cpu/blas"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// exBlock is the number of elements of one block of an _ex reduction.
const exBlock = 512

// reductionEx is reduction with cells of any datatype.
func (p *problem[T]) reductionEx(
	cell int64, block int, partial func(i int) complex128, join func(a, b complex128) complex128,
) complex128 {
	n := p.int(routine.N)
	bytes, _ := routine.SizeofDatatype(cell)
	blocks, size := (n-1)/block+1, int(bytes)
	cells := work[byte](p, buffer.PartialSums)
	first := int(p.index) * blocks * size
	if first+blocks*size > len(cells) {
		p.fail("a reduction of %d blocks has a workspace of %d cells", blocks, len(cells)/size)
	}
	cells = cells[first : first+blocks*size]
	for b := range blocks {
		var sum complex128
		for i := b * block; i < min((b+1)*block, n); i++ {
			sum = join(sum, partial(i))
		}
		number.Store(cell, cells[b*size:], sum)
	}
	var total complex128
	for b := range blocks {
		total = join(total, number.Load(cell, cells[b*size:]))
	}
	return total
}

// resultEx stores a value in the result type, at the same address as result.
func (p *problem[T]) resultEx(v complex128) {
	param, _ := p.args.Routine.ParamAt(routine.Result)
	at, size := uint64(p.launch.Result), p.args.ElementBytes(param)
	if p.launch.OnDevice {
		at = p.args.Ptr(routine.Result)
	}
	raw := slice[byte](p, at+uint64(p.index*size), size)
	number.Store(p.args.Datatype(param), raw, v)
}

// dotEx is dot_ex and dotc_ex.
func dotEx[T blas.Number](p *problem[T]) { p.dotOfAny(p.args.Int(routine.ExecutionType), exBlock) }

// halfDot is hdot, which accumulates in float16, and bfdot, which accumulates in float32.
func halfDot[T blas.Number](p *problem[T]) {
	cell := int64(routine.DatatypeF16)
	if p.args.Routine.Type == routine.TypeBF {
		cell = routine.DatatypeF32
	}
	p.dotOfAny(cell, dotBlockHalf)
}

// dotOfAny multiplies vectors of any datatypes and stores partial sums of blocks in the datatype cell.
func (p *problem[T]) dotOfAny(cell int64, block int) {
	x, y := p.elements(routine.X, routine.IncX), p.elements(routine.Y, routine.IncY)
	product := func(i int) complex128 {
		v := x(i)
		if p.conjugated() {
			v = complex(real(v), -imag(v))
		}
		return v * y(i)
	}
	p.resultEx(p.reductionEx(cell, block, product, func(a, b complex128) complex128 { return a + b }))
}

func nrm2Ex[T blas.Number](p *problem[T]) {
	x := p.elements(routine.X, routine.IncX)
	join := func(a, b complex128) complex128 {
		return complex(math.Hypot(real(a), math.Hypot(real(b), imag(b))), 0)
	}
	p.resultEx(p.reductionEx(p.args.Int(routine.ExecutionType), exBlock, x, join))
}
