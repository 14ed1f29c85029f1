package kernel

import (
	"fmt"
	"sync"

	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
)

// body computes one problem of a call.
type body[T blas.Number] func(p *problem[T])

// kernels are the bodies of some families.
type kernels[T blas.Number] map[routine.FamilyID]body[T]

// table holds the body of every family by its ID; nil for a family without a kernel.
type table[T blas.Number] struct {
	bodies [routine.FamilyCount]body[T]
	idle   sync.Pool // of *problem[T], to be reused
}

// problem returns a problem without values. Its caller puts it back to idle when it is computed.
func (t *table[T]) problem() *problem[T] {
	if p, ok := t.idle.Get().(*problem[T]); ok {
		*p = problem[T]{}
		return p
	}
	return new(problem[T])
}

// The tables are made when they are first used.
var (
	float32Kernels    = sync.OnceValue(join[float32])
	float64Kernels    = sync.OnceValue(join[float64])
	complex64Kernels  = sync.OnceValue(join[complex64])
	complex128Kernels = sync.OnceValue(join[complex128])
)

// Has reports whether a routine has a kernel. Those of the solver have 32-bit sizes and indices.
func Has(r *routine.Routine) bool {
	return float64Kernels().bodies[r.Family.ID] != nil && !(r.Wide && r.Library == routine.RocSOLVER)
}

// join collects the kernels of all files. It panics if a family has two.
func join[T blas.Number]() *table[T] {
	all := new(table[T])
	for _, group := range []kernels[T]{
		reductions[T](), vectorKernels[T](), mixedKernels[T](), matrixVectorKernels[T](), updateKernels[T](),
		matrixKernels[T](), combinationKernels[T](),
		luKernels[T](), choleskyKernels[T](), qrKernels[T](), reflectionKernels[T](),
		inverseKernels[T](), blockKernels[T](),
		condensedKernels[T](), eigenKernels[T](), singularKernels[T](), partialKernels[T](),
	} {
		for id, compute := range group {
			if all.bodies[id] != nil {
				panic(fmt.Sprintf("hip/cpu/kernel: %s has two kernels", id))
			}
			all.bodies[id] = compute
		}
	}
	return all
}
