package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
)

// reals is a real array of a problem. Kernels compute with its values in double precision.
type reals struct {
	single []float32
	double []float64
}

// reals returns n elements of an array of the real type of T.
func (p *problem[T]) reals(s routine.Slot, n int) reals {
	if blas.IsSingle[T]() {
		return reals{single: array[float32](p, s, int64(n))}
	}
	return reals{double: array[float64](p, s, int64(n))}
}

// values returns the elements, or a copy in double precision. store stores what changes in it.
func (r reals) values() []float64 {
	if r.single == nil {
		return r.double
	}
	list := make([]float64, len(r.single))
	for i, v := range r.single {
		list[i] = float64(v)
	}
	return list
}

// store stores the values of the first elements.
func (r reals) store(values []float64) {
	if r.single == nil {
		copy(r.double, values)
		return
	}
	for i := range min(len(r.single), len(values)) {
		r.single[i] = float32(values[i])
	}
}

// setReal stores a real result of this problem, if the routine has it.
func (p *problem[T]) setReal(s routine.Slot, v float64) { p.reals(s, 1).store([]float64{v}) }

// setInt stores a result of this problem, if the routine has it.
func (p *problem[T]) setInt(s routine.Slot, v int) {
	if cells := array[int32](p, s, 1); len(cells) > 0 {
		cells[0] = int32(v)
	}
}
