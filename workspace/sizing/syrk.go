package sizing

import "roclua/hip/routine"

// syrkLimits are the orders below which syrk and herk with a long k copy a triangle, by architecture and type. Other
// architectures never do (rocblas_level3_threshold.hpp).
var syrkLimits = map[string]struct{ real, c, z int64 }{
	"gfx90a": {real: 3000, c: 2500, z: 2500},
	"gfx942": {real: 4000, c: 1600, z: 3000},
}

const syrkLongK = 500

// syrk is syrk and herk: the triangle that is not to be written, kept while gemm writes the square. Where the test says
// yes a batch or an order below zero asks for one byte. The 64-bit forms cut their numbers to 32 bits, but look for an
// empty matrix before.
func syrk(t *Target, a *routine.Args, d *Demand) {
	n, k, batch := a.Int(routine.N), a.Int(routine.K), a.Batch()
	if n == 0 {
		return
	}
	if a.Routine.Wide {
		n, k, batch = int64(int32(n)), int64(int32(k)), int64(int32(batch))
	}
	limit := syrkLimit(t.Arch, a.Routine.Type)
	if limit == 0 || k < syrkLongK || n >= limit { // without a limit no order is below it, not even a negative one
		return
	}
	bytes := product(1)
	if n > 0 && batch > 0 {
		bytes = product(n*(n-1)/2, a.Routine.Type.Size(), batch)
	}
	d.Optimal.add("copy of the other triangle", bytes)
}

func syrkLimit(arch string, t routine.Type) int64 {
	limits := syrkLimits[base(arch)]
	switch t {
	case routine.TypeC:
		return limits.c
	case routine.TypeZ:
		return limits.z
	}
	return limits.real
}
