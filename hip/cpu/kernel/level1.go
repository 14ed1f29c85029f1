package kernel

import (
	"math"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Elements of one block of a reduction, as the size rules count them.
const (
	realBlock     = 512
	dotBlockS     = 2048
	dotBlock      = 1024
	dotBlockHalf  = 4096 // of the 16-bit types
	extremumBlock = 1024
	exBlock       = 512 // of the _ex reductions
)

// reduce stores a partial value for each block of a vector in the workspace, as elements of a datatype, and their joint
// value as the result. The workspace has a cell for each block and a result for each problem; the results are behind
// all partial values.
func (p *problem[T]) reduce(
	cell int64, block int, partial func(low, high int) complex128, join func([]complex128) complex128,
) {
	n := p.int(routine.N)
	bytes, _ := routine.SizeofDatatype(cell)
	values, size := make([]complex128, (n-1)/block+1), int(bytes)
	raw := p.cells(work[byte](p, buffer.PartialSums), size, len(values))
	for i := range values {
		number.Store(cell, raw[i*size:], partial(i*block, min((i+1)*block, n)))
		values[i] = number.Load(cell, raw[i*size:])
	}
	param, _ := p.args.Routine.ParamAt(routine.Result)
	number.Store(p.args.Datatype(param), p.resultBytes(p.args.ElementBytes(param)), join(values))
}

// cells returns this problem's cells of a reduction, each of some elements of the workspace.
func (p *problem[T]) cells(workspace []byte, size, blocks int) []byte {
	first := int(p.index) * blocks * size
	if first+blocks*size > len(workspace) {
		p.fail("a reduction of %d blocks has a workspace of %d cells", blocks, len(workspace)/size)
	}
	return workspace[first : first+blocks*size]
}

// resultBytes returns the bytes of a result: at the argument in device pointer mode, otherwise at the address that the
// launch names.
func (p *problem[T]) resultBytes(size int64) []byte {
	at := uint64(p.launch.Result)
	if p.launch.OnDevice {
		at = p.args.Ptr(routine.Result)
	}
	return slice[byte](p, at+uint64(p.index*size), size)
}

func sum(parts []complex128) (total complex128) {
	for _, v := range parts {
		total += v
	}
	return total
}

// norm returns the norm of a vector from the norms of its parts, or from its elements.
func norm(parts []complex128) complex128 {
	return complex(blas.Nrm2(blas.Vector[complex128]{Data: parts, N: len(parts), Inc: 1}, 0, len(parts)), 0)
}

// realReduction stores its partial values in the routine's real type.
func realReduction[T blas.Number](
	p *problem[T], partial func(x blas.Vector[T], low, high int) float64, join func([]complex128) complex128,
) {
	x := p.vector(routine.X, routine.IncX, p.int(routine.N))
	p.reduce(routine.RealOf(p.args.Routine.Type.Datatype()), realBlock, func(low, high int) complex128 {
		return complex(partial(x, low, high), 0)
	}, join)
}

func asum[T blas.Number](p *problem[T]) { realReduction(p, blas.Asum[T], sum) }

func nrm2[T blas.Number](p *problem[T]) { realReduction(p, blas.Nrm2[T], norm) }

func dot[T blas.Number](p *problem[T]) {
	if !p.storedAs(routine.X) {
		halfDot(p)
		return
	}
	n := p.int(routine.N)
	x, y := p.vector(routine.X, routine.IncX, n), p.vector(routine.Y, routine.IncY, n)
	block := dotBlock
	if p.args.Routine.Type == routine.TypeS {
		block = dotBlockS
	}
	p.reduce(p.args.Routine.Type.Datatype(), block, func(low, high int) complex128 {
		return blas.ToComplex(blas.Dot(x, y, p.conjugated(), low, high))
	}, sum)
}

// halfDot is hdot, which accumulates in float16, and bfdot, which accumulates in float32.
func halfDot[T blas.Number](p *problem[T]) {
	cell := int64(routine.DatatypeF16)
	if p.args.Routine.Type == routine.TypeBF {
		cell = routine.DatatypeF32
	}
	p.dotOfAny(cell, dotBlockHalf)
}

// dotEx is dot_ex and dotc_ex.
func dotEx[T blas.Number](p *problem[T]) { p.dotOfAny(p.args.Int(routine.ExecutionType), exBlock) }

// dotOfAny multiplies vectors of any datatypes and stores partial sums of blocks in the datatype cell.
func (p *problem[T]) dotOfAny(cell int64, block int) {
	x, y := p.elements(routine.X, routine.IncX), p.elements(routine.Y, routine.IncY)
	p.reduce(cell, block, func(low, high int) (sum complex128) {
		for i := low; i < high; i++ {
			v := x(i)
			if p.conjugated() {
				v = complex(real(v), -imag(v))
			}
			sum += v * y(i)
		}
		return sum
	}, sum)
}

func nrm2Ex[T blas.Number](p *problem[T]) {
	x := p.elements(routine.X, routine.IncX)
	p.reduce(p.args.Int(routine.ExecutionType), exBlock, func(low, high int) complex128 {
		part := make([]complex128, 0, exBlock)
		for i := low; i < high; i++ {
			part = append(part, x(i))
		}
		return norm(part)
	}, norm)
}

// extremum is iamax, or iamin with smallest. The library's candidates of blocks are as large as two real numbers: a
// value and a place. In the 64-bit forms both have 8 bytes.
func extremum[T blas.Number](smallest bool) body[T] {
	return func(p *problem[T]) {
		x := p.vector(routine.X, routine.IncX, p.int(routine.N))
		datatype, half := routine.RealOf(p.args.Routine.Type.Datatype()), int(p.args.Routine.Type.RealSize())
		bytes := int64(4)
		if p.args.Routine.Wide {
			datatype, half, bytes = routine.DatatypeF64, 8, 8
		}
		blocks := (x.N-1)/extremumBlock + 1
		cells := p.cells(work[byte](p, buffer.Extrema), 2*half, blocks)
		place, best := 0, 0.0
		for i := range blocks {
			at, v := blas.Extremum(x, smallest, i*extremumBlock, min((i+1)*extremumBlock, x.N))
			cell := cells[2*i*half:][:2*half]
			number.Store(datatype, cell, complex(v, 0))
			putInt(cell[half:], at)
			if v = real(number.Load(datatype, cell)); i == 0 || better(v, best, smallest) {
				place, best = at, v
			}
		}
		putInt(p.resultBytes(bytes), place+1)
	}
}

// better reports whether a later candidate replaces an earlier one. The first NaN replaces any number and stays.
func better(v, best float64, smallest bool) bool {
	if math.IsNaN(best) {
		return false
	}
	return math.IsNaN(v) || smallest && v < best || !smallest && v > best
}

// onVectors is the kernel of a function of x and y.
func onVectors[T blas.Number](compute func(x, y blas.Vector[T])) body[T] {
	return func(p *problem[T]) {
		n := p.int(routine.N)
		x, y := p.loadVector(routine.X, routine.IncX, n), p.loadVector(routine.Y, routine.IncY, n)
		compute(x, y)
	}
}

// axpy reads neither vector if alpha is 0.
func axpy[T blas.Number](p *problem[T]) {
	if p.alpha != 0 {
		onVectors(func(x, y blas.Vector[T]) { blas.AddVector(p.alpha, x, y) })(p)
	}
}

func scal[T blas.Number](p *problem[T]) {
	if p.alpha == 1 {
		return
	}
	blas.ScaleVector(p.alpha, p.loadVector(routine.X, routine.IncX, p.int(routine.N)))
}

// rot uses the real part of a complex cosine.
func rot[T blas.Number](p *problem[T]) {
	c, s := blas.Real(p.scalar(routine.Cosine)), p.scalar(routine.Sine)
	onVectors(func(x, y blas.Vector[T]) { blas.Rotate(c, s, x, y) })(p)
}

func rotm[T blas.Number](p *problem[T]) {
	param := array[T](p, routine.RotationParam, 5)
	onVectors(func(x, y blas.Vector[T]) { blas.RotateModified(param, x, y) })(p)
}

// rotg stores its results in the order of the arguments: of those with the same address, the last one counts.
func rotg[T blas.Number](p *problem[T]) {
	if blas.IsComplex[T]() {
		a, b := array[T](p, routine.A, 1), array[T](p, routine.B, 1)
		r, c, s := blas.MakeComplexRotation(blas.ToComplex(a[0]), blas.ToComplex(b[0]))
		a[0] = blas.FromComplex[T](r)
		p.setReal(routine.C, c)
		array[T](p, routine.D, 1)[0] = blas.FromComplex[T](s)
		return
	}
	a, b, c, s := p.reals(routine.A, 1), p.reals(routine.B, 1), p.reals(routine.C, 1), p.reals(routine.D, 1)
	a[0], b[0], c[0], s[0] = blas.MakeRotation(a[0], b[0])
}

func rotmg[T blas.Number](p *problem[T]) {
	d1, d2, x1 := p.reals(routine.A, 1), p.reals(routine.B, 1), p.reals(routine.X, 1)
	blas.MakeModifiedRotation(&d1[0], &d2[0], &x1[0], p.reals(routine.Y, 1)[0], p.reals(routine.RotationParam, 5))
}

var rotationPlanes = map[int64]lapack.Planes{
	routine.PivotVariable: lapack.Variable, routine.PivotTop: lapack.Top, routine.PivotBottom: lapack.Bottom,
}

func lasr[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	rotations := p.order() - 1
	c, s := p.reals(routine.VecC, rotations), p.reals(routine.VecS, rotations)
	a := p.matrix(routine.A, m, n)
	lapack.Lasr(p.side(), rotationPlanes[p.args.Int(routine.PivotMode)],
		p.args.Int(routine.Direct) == routine.DirectBackward, m, n, c, s, a)
}
