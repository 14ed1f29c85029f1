package sizing

import (
	"math"

	"roclua/hip/routine"
)

// gemv asks for column sums when the matrix is transposed, skinny and at least 2048 times as tall as wide, and can do
// without (rocblas_gemv_kernels.cpp). Nothing else of the call is checked: every operation but "none" counts.
func gemv(a *routine.Args, d *Demand) {
	d.CanDegrade = true
	m, n, batch := a.Int(routine.M), a.Int(routine.N), a.Batch()
	extra := nothing
	if a.Routine.Wide {
		if m > math.MaxInt32 || n > math.MaxInt32 {
			extra = product(16)
		}
		m, n, batch = min(m, math.MaxInt32), min(n, math.MaxInt32), min(batch, ChunkBatch)
	}
	bytes := nothing
	if m > 0 && n > 0 && batch > 0 && a.Int(routine.TransA) != routine.OperationNone && n < columnsOf(a.Routine.Type) && m >= 2048*n {
		bytes = product(a.Routine.Type.Size(), ceilDiv(m, 1024), n, batch)
	}
	d.Optimal.add("column sums", bytes.plus(extra))
}

// columnsOf is the number of columns below which a tall transposed gemv sums columns in pieces.
func columnsOf(t routine.Type) int64 {
	switch t {
	case routine.TypeS:
		return 256
	case routine.TypeD:
		return 128
	case routine.TypeC:
		return 64
	}
	return 16
}

// vectorCopy is trmv and tpmv: the product, before it overwrites x (rocblas_trmv.hpp, rocblas_tpmv.hpp).
func vectorCopy(a *routine.Args, d *Demand) {
	d.Optimal.add("copy of x", product(a.Routine.Type.Size(), a.Int(routine.N), a.Batch()))
}

// bandCopy is tbmv: as trmv, with an array of pointers in the batched form (rocblas_tbmv_batched_imp.hpp).
func bandCopy(a *routine.Args, d *Demand) {
	vectorCopy(a, d)
	if a.Routine.Variant == routine.Batched {
		d.Optimal.add("pointers to the copies", product(8, a.Batch()))
	}
}

// trsv asks for one counter of finished blocks for each problem, whatever its size (rocblas_trsv.hpp).
func trsv(a *routine.Args, d *Demand) {
	d.Optimal.add("counters of finished blocks", product(4, a.Batch()))
}

// symv is symv and hemv: a result vector for every 64 columns (rocblas_hemv_kernels.cpp). The 64-bit forms cut n and the
// batch to 32 bits.
func symv(a *routine.Args, d *Demand) {
	n, batch := a.Int(routine.N), a.Batch()
	blocks := ceilDiv(n, 64)
	if a.Routine.Wide {
		n, batch = int64(int32(n)), int64(int32(batch))
		blocks = int64(int32(n)-1)/64 + 1
		if n == math.MinInt32 {
			blocks = math.MaxInt32/64 + 1
		}
	}
	d.Optimal.add("results of block columns", product(a.Routine.Type.Size(), blocks, n, batch))
}
