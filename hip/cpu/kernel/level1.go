package kernel

import (
	"math"

	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
)

// Elements that one block of a reduction sums up, as the size rules count them.
const (
	realBlock     = 512
	dotBlockS     = 2048
	dotBlock      = 1024
	extremumBlock = 1024
)

// reduction runs a block function over a vector and leaves a partial value for each block in the workspace, then joins
// them. Cells are lent for each problem's blocks and its result, which lies behind all partial values.
func reduction[E any, T blas.Number](p *problem[T], n, block int, partial func(low, high int) E, join func([]E) E) (result E) {
	blocks := (n-1)/block + 1
	cells := work[E](p, 0)
	first := int(p.index) * blocks
	if first+blocks > len(cells) {
		p.fail("a reduction of %d blocks was lent %d cells", blocks, len(cells))
		return result
	}
	cells = cells[first : first+blocks]
	for i := range cells {
		cells[i] = partial(i*block, min((i+1)*block, n))
	}
	return join(cells)
}

// result stores a value where results go: the argument in device pointer mode, else the place that the launch names.
func result[E any, T blas.Number](p *problem[T], v E) {
	at := uint64(p.launch.Result)
	if p.launch.OnDevice {
		at = p.args.Ptr(routine.Result)
	}
	if cells := slice[E](p, at+uint64(p.index*sizeOf[E]()), 1); p.ok() {
		cells[0] = v
	}
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

// realReduction keeps its partial values in the routine's real type.
func realReduction[T blas.Number](p *problem[T], partial func(x blas.Vector[T], low, high int) float64, join func([]float64) float64) {
	n := p.int(routine.N)
	x := p.vector(routine.X, routine.IncX, n)
	if !p.ok() {
		return
	}
	if p.args.Routine.Type.RealSize() == 8 {
		realResult(p, reduction(p, n, realBlock, func(low, high int) float64 { return partial(x, low, high) }, join))
		return
	}
	narrow := reduction(p, n, realBlock, func(low, high int) float32 { return float32(partial(x, low, high)) }, func(cells []float32) float32 {
		wide := make([]float64, len(cells))
		for i, v := range cells {
			wide[i] = float64(v)
		}
		return float32(join(wide))
	})
	realResult(p, float64(narrow))
}

func asum[T blas.Number](p *problem[T]) { realReduction(p, blas.Asum[T], sum) }
func nrm2[T blas.Number](p *problem[T]) { realReduction(p, blas.Nrm2[T], blas.Hypot) }

func dot[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	x, y := p.vector(routine.X, routine.IncX, n), p.vector(routine.Y, routine.IncY, n)
	if !p.ok() {
		return
	}
	block := dotBlock
	if p.args.Routine.Type == routine.TypeS {
		block = dotBlockS
	}
	conj := p.family() == "dotc"
	v := reduction(p, n, block, func(low, high int) T { return blas.Dot(x, y, conj, low, high) }, func(cells []T) T {
		var total T
		for _, c := range cells {
			total += c
		}
		return total
	})
	result(p, v)
}

// pair is a candidate of iamax and iamin: a value and its 0-based place. The library's pairs are as large as two real
// numbers; those of the 64-bit forms hold a wide index.
type (
	narrowPair struct {
		value float32
		place int32
	}
	widePair struct {
		value float64
		place int64
	}
)

func extremum[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	x := p.vector(routine.X, routine.IncX, n)
	if !p.ok() {
		return
	}
	smallest := p.family() == "iamin"
	var place int64
	if p.args.Routine.Type.RealSize() == 8 || p.args.Routine.Wide {
		place = reduction(p, n, extremumBlock, func(low, high int) widePair {
			i, v := blas.Extremum(x, smallest, low, high)
			return widePair{v, int64(i)}
		}, func(cells []widePair) widePair {
			best := cells[0]
			for _, c := range cells[1:] {
				if better(c.value, best.value, smallest) {
					best = c
				}
			}
			return best
		}).place
	} else {
		place = int64(reduction(p, n, extremumBlock, func(low, high int) narrowPair {
			i, v := blas.Extremum(x, smallest, low, high)
			return narrowPair{float32(v), int32(i)}
		}, func(cells []narrowPair) narrowPair {
			best := cells[0]
			for _, c := range cells[1:] {
				if better(float64(c.value), float64(best.value), smallest) {
					best = c
				}
			}
			return best
		}).place)
	}
	if p.args.Routine.Wide {
		result(p, place+1)
	} else {
		result(p, int32(place+1))
	}
}

// better reports whether a later candidate beats an earlier one; the first NaN does.
func better(v, best float64, smallest bool) bool {
	if math.IsNaN(best) {
		return false
	}
	return math.IsNaN(v) || smallest && v < best || !smallest && v > best
}
