package kernel

import (
	"math"

	"roclua/hip/cpu/blas"
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
