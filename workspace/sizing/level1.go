package sizing

import (
	"math"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var level1Rules = map[routine.FamilyID]rule{
	routine.Asum:  realReduction,
	routine.Nrm2:  realReduction,
	routine.Dot:   dot,
	routine.Dotu:  dot,
	routine.Dotc:  dot,
	routine.Iamax: extremum,
	routine.Iamin: extremum,
}

// Limits of the 64-bit forms: they process a vector in chunks of elements and a batch in chunks of problems.
const (
	ChunkLength = 1 << 28
	ChunkBatch  = 65520
)

// realReduction is asum and nrm2: a partial sum for every 512 elements and the result, in the real type.
func realReduction(_ *Target, a *routine.Args) (d Demand) {
	d.partialSums(a, a.Routine.Type.RealSize(), 512)
	return d
}

// dot is dot, dotu and dotc: a partial sum for every block of elements and the result, in the routine's type. Only
// bfloat16 is summed in float.
func dot(_ *Target, a *routine.Args) (d Demand) {
	element := a.Routine.Type.Size()
	if a.Routine.Type == routine.TypeBF {
		element = routine.TypeS.Size()
	}
	d.partialSums(a, element, dotBlock(a.Routine.Type))
	return d
}

// dotBlock returns how many elements a block of dot adds up.
func dotBlock(t routine.Type) int64 {
	switch t {
	case routine.TypeH, routine.TypeBF:
		return 4096
	case routine.TypeS:
		return 2048
	}
	return 1024
}

// partialSums adds the cells of a reduction (rocblas_reduction.hpp): one for each block and one for the result. The
// 64-bit forms add a cell for each pass when a size exceeds 32 bits or the batch its largest chunk.
func (d *Demand) partialSums(a *routine.Args, element, block int64) {
	n, batch := a.Int(routine.N), a.Batch()
	cells := ceilDiv(n, block) + 1
	if a.Routine.Wide && chunked(a) {
		passes := ceilDiv(n, ChunkLength)
		batch = min(batch, ChunkBatch)
		cells = ceilDiv(min(n, ChunkLength), block) + 1 + passes
	}
	d.Optimal.add(buffer.PartialSums, product(element, cells, batch))
}

// chunked reports whether a 64-bit reduction works in chunks.
func chunked(a *routine.Args) bool {
	return a.Int(routine.N) > math.MaxInt32 || a.Batch() >= ChunkBatch ||
		exceeds32Bits(a.Int(routine.IncX)) || exceeds32Bits(a.Int(routine.IncY))
}

func exceeds32Bits(inc int64) bool { return inc > math.MaxInt32 || inc < -math.MaxInt32 }

// extremum is iamax and iamin: pairs of value and index. The 64-bit forms have wider pairs for every type, and always
// bound length and batch.
func extremum(_ *Target, a *routine.Args) (d Demand) {
	n, batch := a.Int(routine.N), a.Batch()
	pair := 2 * a.Routine.Type.RealSize()
	if a.Routine.Wide {
		pair, n, batch = 16, min(n, ChunkLength), min(batch, ChunkBatch)
	}
	d.Optimal.add(buffer.Extrema, product(pair, ceilDiv(n, 1024)+1, batch))
	return d
}

var level1ExRules = map[routine.FamilyID]rule{
	routine.DotEx:  reductionEx,
	routine.DotcEx: reductionEx,
	routine.Nrm2Ex: reductionEx,
}

// reductionEx is dot_ex, dotc_ex and nrm2_ex: a partial sum for every 512 elements and the result, in the execution
// type (rocblas_reduction.hpp). The types of the vectors do not matter.
func reductionEx(_ *Target, a *routine.Args) (d Demand) {
	switch execution := a.Int(routine.ExecutionType); execution {
	case routine.DatatypeF16, routine.DatatypeBF16, routine.DatatypeF32, routine.DatatypeF64, routine.DatatypeF32C,
		routine.DatatypeF64C:
		element, _ := routine.SizeofDatatype(execution)
		d.partialSums(a, element, 512)
	}
	return d
}
