package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// trtriEndless is the order from which the library's search for the largest block does not end, because doubling
// overflows.
const trtriEndless = 1 << 30

// trtri needs the scratch of its block inversions, and in the batched form pointers, also for small and negative orders
// (rocblas_trtri.cpp, rocblas_trtri_batched.cpp).
func trtri(_ *Target, a *routine.Args) (d Demand) {
	n, batch := a.Int(routine.N), a.Batch()
	if n == 0 || batch == 0 {
		return d
	}
	if d.Endless = n >= trtriEndless; d.Endless {
		return d
	}
	if a.Routine.Variant == routine.StridedBatched {
		batch = max(batch, 0)
	}
	d.Optimal.add(buffer.InverseProducts, trtriScratch(n).times(a.Routine.Type.Size()).times(batch))
	if a.Routine.Variant == routine.Batched {
		d.Optimal.add(buffer.InverseProductPointers, product(8, batch))
	}
	return d
}

// trtriScratch returns the elements that inverting one triangle of order n needs (rocblas_trtri_kernels.cpp): the
// largest of the rectangles next to the inverted squares. Powers of two from 32 on need none, so a larger order may
// need less. The products are signed 32-bit numbers, which makes a difference from orders of about 92,000 on.
func trtriScratch(n int64) amount {
	square := int64(32)
	for square*2 <= n {
		square *= 2
	}
	rest := powerOfTwo(n/32*32 - square)
	odd := max(n-square-rest, 0)
	best := signed32(rest * square)
	for ; odd > 32; odd -= powerOfTwo(odd) {
		best = larger(best, signed32(odd*(n-odd)))
	}
	return larger(best, signed32(odd*(n-odd)))
}

// powerOfTwo returns the largest power of two that is not larger than n; 0 stays 0.
func powerOfTwo(n int64) int64 {
	if n <= 0 {
		return 0
	}
	p := int64(1)
	for p*2 <= n {
		p *= 2
	}
	return p
}
