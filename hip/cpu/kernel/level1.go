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
)

// reduction runs a block function over a vector, stores a partial value for each block in the workspace, and joins
// them. The workspace has a cell for each block and a result for each problem; the results are behind all partial
// values.
func reduction[E any, T blas.Number](
	p *problem[T], id buffer.ID, n, block int, partial func(low, high int) E, join func([]E) E,
) (result E) {
	blocks := (n-1)/block + 1
	cells := work[E](p, id)
	first := int(p.index) * blocks
	if first+blocks > len(cells) {
		p.fail("a reduction of %d blocks has a workspace of %d cells", blocks, len(cells))
	}
	cells = cells[first : first+blocks]
	for i := range cells {
		cells[i] = partial(i*block, min((i+1)*block, n))
	}
	return join(cells)
}

// result stores a value at the argument in device pointer mode, otherwise at the address that the launch names.
func result[E any, T blas.Number](p *problem[T], v E) {
	at := uint64(p.launch.Result)
	if p.launch.OnDevice {
		at = p.args.Ptr(routine.Result)
	}
	cells := slice[E](p, at+uint64(p.index*sizeOf[E]()), 1)
	cells[0] = v
}

// realResult stores a real number in the routine's real type.
func realResult[T blas.Number](p *problem[T], v float64) {
	if p.args.Routine.Type.RealSize() == 4 {
		result(p, float32(v))
	} else {
		result(p, v)
	}
}

func sum(parts []float64) float64 {
	total := 0.0
	for _, v := range parts {
		total += v
	}
	return total
}

// realReduction stores its partial values in the routine's real type.
func realReduction[T blas.Number](
	p *problem[T], partial func(x blas.Vector[T], low, high int) float64, join func([]float64) float64,
) {
	n := p.int(routine.N)
	x := p.vector(routine.X, routine.IncX, n)
	if p.args.Routine.Type.RealSize() == 8 {
		wide := func(low, high int) float64 { return partial(x, low, high) }
		realResult(p, reduction(p, buffer.PartialSums, n, realBlock, wide, join))
		return
	}
	narrow := func(low, high int) float32 { return float32(partial(x, low, high)) }
	joinNarrow := func(cells []float32) float32 {
		wide := make([]float64, len(cells))
		for i, v := range cells {
			wide[i] = float64(v)
		}
		return float32(join(wide))
	}
	realResult(p, float64(reduction(p, buffer.PartialSums, n, realBlock, narrow, joinNarrow)))
}

func asum[T blas.Number](p *problem[T]) { realReduction(p, blas.Asum[T], sum) }

func nrm2[T blas.Number](p *problem[T]) { realReduction(p, blas.Nrm2[T], blas.Hypot) }

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
	partial := func(low, high int) T { return blas.Dot(x, y, p.conjugated(), low, high) }
	result(p, reduction(p, buffer.PartialSums, n, block, partial, func(cells []T) T {
		var total T
		for _, c := range cells {
			total += c
		}
		return total
	}))
}

// pair is a candidate of iamax and iamin: a value and its 0-based place. The library's pairs are as large as two real
// numbers; in the 64-bit forms they have a wide index.
type pair[V float32 | float64, I int32 | int64] struct {
	value V
	place I
}

// extremum is iamax, or iamin with smallest.
func extremum[T blas.Number](smallest bool) body[T] {
	return func(p *problem[T]) {
		x := p.vector(routine.X, routine.IncX, p.int(routine.N))
		find := findExtremum[float32, int32, T]
		if p.args.Routine.Type.RealSize() == 8 || p.args.Routine.Wide {
			find = findExtremum[float64, int64, T]
		}
		if place := find(p, x, smallest); p.args.Routine.Wide {
			result(p, place+1)
		} else {
			result(p, int32(place+1))
		}
	}
}

func findExtremum[V float32 | float64, I int32 | int64, T blas.Number](
	p *problem[T], x blas.Vector[T], smallest bool,
) int64 {
	return int64(reduction(p, buffer.Extrema, x.N, extremumBlock, func(low, high int) pair[V, I] {
		i, v := blas.Extremum(x, smallest, low, high)
		return pair[V, I]{V(v), I(i)}
	}, func(cells []pair[V, I]) pair[V, I] {
		best := cells[0]
		for _, c := range cells[1:] {
			if better(float64(c.value), float64(best.value), smallest) {
				best = c
			}
		}
		return best
	}).place)
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
		if param, _ := p.args.Routine.ParamAt(routine.X); param.Access.Writes() {
			p.storeVector(routine.X, routine.IncX, x)
		}
		p.storeVector(routine.Y, routine.IncY, y)
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
	x := p.loadVector(routine.X, routine.IncX, p.int(routine.N))
	blas.ScaleVector(p.alpha, x)
	p.storeVector(routine.X, routine.IncX, x)
}

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

// rot uses the real part of a complex cosine.
func rot[T blas.Number](p *problem[T]) {
	c, s := blas.Real(p.scalar(routine.Cosine)), p.scalar(routine.Sine)
	onVectors(func(x, y blas.Vector[T]) { blas.Rotate(c, s, x, y) })(p)
}

func rotm[T blas.Number](p *problem[T]) {
	param := array[T](p, routine.RotationParam, 5)
	onVectors(func(x, y blas.Vector[T]) { blas.RotateModified(param, x, y) })(p)
}

func rotg[T blas.Number](p *problem[T]) {
	a, b := p.loadElement(routine.A), p.loadElement(routine.B)
	if blas.IsComplex[T]() {
		r, c, s := blas.MakeComplexRotation(a, b)
		p.storeElement(routine.A, 0, r)
		p.storeElement(routine.C, 0, complex(c, 0))
		p.storeElement(routine.D, 0, s)
		return
	}
	r, z, c, s := blas.MakeRotation(real(a), real(b))
	p.storeReals([]routine.Slot{routine.A, routine.B, routine.C, routine.D}, r, z, c, s)
}

func rotmg[T blas.Number](p *problem[T]) {
	d1, d2 := real(p.loadElement(routine.A)), real(p.loadElement(routine.B))
	x1, y1 := real(p.loadElement(routine.X)), real(p.loadElement(routine.Y))
	param, set := blas.MakeModifiedRotation(&d1, &d2, &x1, y1)
	p.storeReals([]routine.Slot{routine.A, routine.B, routine.X}, d1, d2, x1)
	for _, i := range set {
		p.storeElement(routine.RotationParam, i, complex(param[i], 0))
	}
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
		p.args.Int(routine.Direct) == routine.DirectBackward, m, n, c.values(), s.values(), a)
}
