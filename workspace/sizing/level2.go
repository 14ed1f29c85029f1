package sizing

import (
	"math"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var level2Rules = map[routine.FamilyID]rule{
	routine.Gemv:           gemv,
	routine.HalfGemv:       gemv,
	routine.HalfSingleGemv: gemv,
	routine.Trmv:           vectorCopy,
	routine.Tpmv:           vectorCopy,
	routine.Tbmv:           bandCopy,
	routine.Trsv:           trsv,
	routine.Symv:           symv,
	routine.Hemv:           symv,
}

// gemv needs column sums when the matrix is transposed, skinny and at least 2048 times as tall as wide, and also runs
// without them (rocblas_gemv_kernels.cpp). The library checks nothing else of the call: it treats every operation
// except none as transposed.
func gemv(_ *Target, a *routine.Args) (d Demand) {
	d.CanDegrade = true
	m, n, batch := a.Int(routine.M), a.Int(routine.N), a.Batch()
	extra := zero
	if a.Routine.Wide {
		if m > math.MaxInt32 || n > math.MaxInt32 {
			extra = product(16)
		}
		m, n, batch = min(m, math.MaxInt32), min(n, math.MaxInt32), min(batch, ChunkBatch)
	}
	bytes, transposed := zero, a.Int(routine.TransA) != routine.OperationNone
	if transposed && n < columnsOf(a.Routine.Type) && m >= 2048*n {
		bytes = product(sumSize(a.Routine.Type), max(n, 0), max(batch, 0), ceilDiv(m, 1024))
	}
	d.Optimal.add(buffer.ColumnSums, bytes.plus(extra))
	return d
}

// sumSize returns the bytes of one column sum. 16-bit numbers are added in float.
func sumSize(t routine.Type) int64 { return max(t.Size(), routine.TypeS.Size()) }

// columnsOf is the number of columns below which a tall transposed gemv sums columns in pieces.
func columnsOf(t routine.Type) int64 {
	switch t {
	case routine.TypeS, routine.TypeH, routine.TypeBF:
		return 256
	case routine.TypeD:
		return 128
	case routine.TypeC:
		return 64
	}
	return 16
}

// vectorCopy is trmv and tpmv: the product, before it overwrites x (rocblas_trmv.hpp, rocblas_tpmv.hpp).
func vectorCopy(_ *Target, a *routine.Args) (d Demand) {
	d.Optimal.add(buffer.VectorCopy, product(a.Routine.Type.Size(), a.Int(routine.N), a.Batch()))
	return d
}

// bandCopy is tbmv: as trmv, with an array of pointers in the batched form (rocblas_tbmv_batched_imp.hpp).
func bandCopy(t *Target, a *routine.Args) Demand {
	d := vectorCopy(t, a)
	if a.Routine.Variant == routine.Batched {
		d.Optimal.add(buffer.VectorCopyPointers, product(8, a.Batch()))
	}
	return d
}

// trsv needs one counter of finished blocks for each problem of any size (rocblas_trsv.hpp).
func trsv(_ *Target, a *routine.Args) (d Demand) {
	d.Optimal.add(buffer.BlockCounters, product(4, a.Batch()))
	return d
}

// symv is symv and hemv: a result vector for every 64 columns (rocblas_hemv_kernels.cpp). The 64-bit forms truncate n
// and the batch to 32 bits.
func symv(_ *Target, a *routine.Args) (d Demand) {
	n, batch := a.Int(routine.N), a.Batch()
	blocks := ceilDiv(n, 64)
	if a.Routine.Wide {
		n, batch = int64(int32(n)), int64(int32(batch))
		blocks = int64(int32(n)-1)/64 + 1
		if n == math.MinInt32 {
			blocks = math.MaxInt32/64 + 1
		}
	}
	d.Optimal.add(buffer.BlockColumns, product(a.Routine.Type.Size(), blocks, n, batch))
	return d
}
