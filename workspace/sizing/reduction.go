package sizing

import (
	"math"

	"roclua/hip/routine"
)

// Limits of the 64-bit forms: they work through a vector in chunks of elements and through a batch in chunks of problems.
const (
	ChunkLength = 1 << 28
	ChunkBatch  = 65520
)

// realReduction is asum and nrm2: a partial sum for every 512 elements and the result, in the real type.
func realReduction(a *routine.Args, d *Demand) {
	if a.Int(routine.IncX) > 0 {
		partialSums(a, d, a.Routine.Type.RealSize(), 512)
	}
}

// dot is dot, dotu and dotc: a partial sum for every block of elements and the result, in the routine's type. Blocks are
// 2048 floats or 1024 of the other types.
func dot(a *routine.Args, d *Demand) {
	block := int64(1024)
	if a.Routine.Type == routine.TypeS {
		block = 2048
	}
	partialSums(a, d, a.Routine.Type.Size(), block)
}

// partialSums asks for the cells of a reduction (rocblas_reduction.hpp): one for each block and one for the result. The
// 64-bit forms add a cell for each pass when a size leaves 32 bits or the batch its largest chunk.
func partialSums(a *routine.Args, d *Demand, element, block int64) {
	n, batch := a.Int(routine.N), a.Batch()
	if n <= 0 || batch <= 0 {
		return
	}
	cells := ceilDiv(n, block) + 1
	if a.Routine.Wide && chunked(a) {
		passes := ceilDiv(n, ChunkLength)
		batch = min(batch, ChunkBatch)
		cells = ceilDiv(min(n, ChunkLength), block) + 1 + passes
	}
	d.Optimal.add("partial sums and result", product(element, cells, batch))
}

// chunked reports whether a 64-bit reduction works in chunks.
func chunked(a *routine.Args) bool {
	return a.Int(routine.N) > math.MaxInt32 || a.Batch() >= ChunkBatch ||
		leaves32Bits(a.Int(routine.IncX)) || leaves32Bits(a.Int(routine.IncY))
}

func leaves32Bits(inc int64) bool { return inc > math.MaxInt32 || inc < -math.MaxInt32 }

// extremum is iamax and iamin: pairs of value and index. The 64-bit forms have wider pairs for every type, and always
// bound length and batch.
func extremum(a *routine.Args, d *Demand) {
	n, batch := a.Int(routine.N), a.Batch()
	if n <= 0 || a.Int(routine.IncX) <= 0 || batch <= 0 {
		return
	}
	pair := 2 * a.Routine.Type.RealSize()
	if a.Routine.Wide {
		pair, n, batch = 16, min(n, ChunkLength), min(batch, ChunkBatch)
	}
	d.Optimal.add("values and indices of blocks, and the result", product(pair, ceilDiv(n, 1024)+1, batch))
}
