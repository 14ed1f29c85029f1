package sizing

import (
	"roclua/hip/arch"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var updatesRules = map[routine.FamilyID]rule{
	routine.Syrk: syrk,
	routine.Herk: syrk,
}

// syrkLongK is the k from which on syrk and herk copy a triangle (rocblas_level3_threshold.hpp).
const syrkLongK = 500

// syrk is syrk and herk: a copy of the triangle that must not change, kept while gemm writes the square. A negative
// batch or order that passes the test needs one byte. The 64-bit forms truncate their numbers to 32 bits, but check
// for an empty matrix before that.
func syrk(t *Target, a *routine.Args) (d Demand) {
	n, k, batch := a.Int(routine.N), a.Int(routine.K), a.Batch()
	if n == 0 {
		return d
	}
	if a.Routine.Wide {
		n, k, batch = int64(int32(n)), int64(int32(k)), int64(int32(batch))
	}
	limit := syrkLimit(t.Arch.TriangleCopy, a.Routine.Type)
	if limit == 0 || k < syrkLongK || n >= limit { // without a limit no order is below it, not even a negative one
		return d
	}
	bytes := product(1)
	if n > 0 && batch > 0 {
		bytes = product(n*(n-1)/2, a.Routine.Type.Size(), batch)
	}
	d.Optimal.add(buffer.TriangleCopy, bytes)
	return d
}

func syrkLimit(on arch.TriangleCopy, t routine.Type) int64 {
	switch t {
	case routine.TypeC:
		return on.C
	case routine.TypeZ:
		return on.Z
	}
	return on.Real
}
