package behavior

import (
	"math"
	"slices"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Level 2: products and solves with a vector, and updates with vectors. Only the products and solves need memory.
func level2() []family {
	return []family{
		{ID: routine.Gemv, also: ids{routine.HalfGemv, routine.HalfSingleGemv}, checks: gemvChecks, size: gemv,
			steps: gemvSteps, numbers: before(matA, vecX, vecY).after(vecY).narrowed(routine.Vector)},
		{ID: routine.Gbmv, checks: generalBand, size: noWorkspace, steps: noSteps, numbers: before(vecX).after(vecY)},
		{ID: routine.Symv, checks: symmetricVector, size: symv, steps: noSteps,
			numbers: before(matA, vecX, vecY).after(matA, vecX, vecY)},
		{ID: routine.Hemv, checks: symmetricVector, size: symv, steps: noSteps,
			numbers: before(matA, vecX, vecY).after(vecY)},
		{ID: routine.Sbmv, also: ids{routine.Hbmv, routine.Spmv, routine.Hpmv}, checks: bandOrPackedVector,
			size: noWorkspace, steps: noSteps, numbers: before(vecX, vecY).after(vecX, vecY)},

		{ID: routine.Trmv, checks: triangularVector, size: vectorCopy, steps: noSteps,
			numbers: before(matA, vecX).after(vecX)},
		{ID: routine.Tbmv, checks: bandTriangular, size: bandCopy, steps: noSteps, numbers: before(vecX).after(vecX)},
		{ID: routine.Tpmv, checks: triangularVector, size: vectorCopy, steps: noSteps,
			numbers: before(vecX).after(vecX)},
		{ID: routine.Trsv, checks: triangularVector, size: trsv, steps: trsvSteps,
			numbers: before(matA, vecX).after(vecX)},
		{ID: routine.Tbsv, also: ids{routine.Tpsv}, checks: bandOrPackedSolve, size: noWorkspace, steps: noSteps,
			numbers: before(vecX).after(vecX)},

		{ID: routine.Ger, also: ids{routine.Geru, routine.Gerc}, checks: generalUpdate, size: noWorkspace,
			steps: noSteps, numbers: before(matA, vecX, vecY).after(matA)},
		{ID: routine.Syr, also: ids{routine.Her}, checks: symmetricUpdate, size: noWorkspace, steps: noSteps,
			numbers: before(matA, vecX).after(matA)},
		{ID: routine.Spr, also: ids{routine.Hpr}, checks: packedUpdate, size: noWorkspace, steps: noSteps,
			numbers: before(vecX).after(vecX)},
		{ID: routine.Syr2, also: ids{routine.Her2}, checks: symmetricUpdate, size: noWorkspace, steps: noSteps,
			numbers: before(matA, vecX, vecY).after(matA)},
		{ID: routine.Spr2, also: ids{routine.Hpr2}, checks: packedUpdate, size: noWorkspace, steps: noSteps,
			numbers: before(vecX, vecY).after(vecX, vecY)},
	}
}

// A query has no checks: even with an illegal operation it returns bytes.
func gemvChecks(o operands) []rule {
	return slices.Concat([]rule{queryReturns, o.values(), o.sizes(1), o.nothing()}, scaledVector())
}

func generalBand(o operands) []rule {
	return slices.Concat([]rule{needsNone, o.values(), o.sizes(0), o.nothing()}, scaledVector(), o.kernels())
}

// A query returns success, not size_unchanged, if there is nothing to compute.
func symmetricVector(o operands) []rule {
	return slices.Concat([]rule{o.values(), o.sizes(1), o.nothing(), queryReturns}, scaledVector(), o.kernels())
}

// A packed matrix has no leading dimension.
func bandOrPackedVector(o operands) []rule {
	return slices.Concat([]rule{needsNone, o.values(), o.sizes(1), o.nothing()}, scaledVector(), o.kernels())
}

// scaledVector is the end of y = alpha A x + beta y. With an alpha of 0 neither A nor x is read; with a beta of 1 as
// well there is nothing to compute.
func scaledVector() []rule {
	return []rule{
		pointers(null(alpha), null(beta)),
		quickReturn(both(alphaZero, betaOne)).only(hostPointers),
		pointers(null(vecY), null(matA).unless(alphaZero), null(vecX).unless(alphaZero)).only(hostPointers),
	}
}

func triangularVector(o operands) []rule {
	return slices.Concat([]rule{o.values(), o.sizes(1), unchanged(o.empty()...), o.nothing(), queryReturns,
		pointers(null(matA), nullX)}, o.kernels())
}

// The band product is the only routine that checks its arrays in a query.
func bandTriangular(o operands) []rule {
	return slices.Concat([]rule{o.values(), o.sizes(1), unchanged(o.empty()...), o.nothing(),
		pointers(null(matA), nullX), queryReturns}, o.kernels())
}

// A solve with a packed triangle of a strided batch has no code for queries: the call runs inside a query too.
func bandOrPackedSolve(o operands) []rule {
	list := []rule{needsNone, o.values(), o.sizes(0), o.nothing(), pointers(null(matA), nullX)}
	if o.r.Family.ID == routine.Tpsv && o.r.Variant == routine.StridedBatched {
		return append(list[1:], rule{mark: numbersMark, in: everywhere}, size(beyond32(n)),
			quickReturn(runsInQuery).only(queried).with(WithoutWorkspace))
	}
	return append(list, o.kernels()...)
}

// runsInQuery holds for every routine call that executes inside a size query.
var runsInQuery = condition{
	test:    always,
	message: func(a *routine.Args) string { return a.Routine.CName() + " runs inside a query" },
}

func generalUpdate(o operands) []rule {
	return slices.Concat([]rule{needsNone, o.sizes(1), o.nothing()}, o.addedProduct())
}

// A symmetric update with one vector takes any order, and uses its lower 32 bits.
func symmetricUpdate(o operands) []rule {
	if o.r.Has(vecY) || o.r.Family.Hermitian {
		return packedUpdate(o)
	}
	return append(o.triangleUpdate(), numbersChecked, o.in64(quickReturn(zeroIn32(n))))
}

func packedUpdate(o operands) []rule { return append(o.triangleUpdate(), o.kernels()...) }

func (o operands) triangleUpdate() []rule {
	return slices.Concat([]rule{needsNone, o.values(), o.sizes(1), o.nothing()}, o.addedProduct())
}

// addedProduct is the end of A = alpha x y^T + A. In device pointer mode the arrays are not checked.
func (o operands) addedProduct() []rule {
	arrays := []condition{null(matA), nullX}
	if o.r.Has(vecY) {
		arrays = append(arrays, nullY)
	}
	return []rule{
		pointers(null(alpha)),
		quickReturn(alphaZero).only(hostPointers),
		pointers(arrays...).only(hostPointers),
	}
}

// gemv needs column sums when the matrix is transposed, skinny and at least 2048 times as tall as wide, and also runs
// without them (rocblas_gemv_kernels.cpp). The library checks nothing else of the call: it treats every operation
// except none as transposed.
func gemv(r *request) {
	r.CanDegrade = true
	m, n, batch := r.m, r.n, r.batch
	extra := zero
	if r.Routine.Wide {
		if m > math.MaxInt32 || n > math.MaxInt32 {
			extra = product(16)
		}
		m, n, batch = min(m, math.MaxInt32), min(n, math.MaxInt32), min(batch, ChunkBatch)
	}
	bytes, transposed := zero, r.Int(routine.TransA) != routine.OperationNone
	if transposed && n < columnsOf(r.Routine.Type) && m >= 2048*n {
		bytes = product(sumSize(r.Routine.Type), max(n, 0), max(batch, 0), ceilDiv(m, 1024))
	}
	r.add(buffer.ColumnSums, bytes.plus(extra))
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
func vectorCopy(r *request) {
	r.add(buffer.VectorCopy, product(r.element, r.n, r.batch))
}

// bandCopy is tbmv: as trmv, with an array of pointers in the batched form (rocblas_tbmv_batched_imp.hpp).
func bandCopy(r *request) {
	vectorCopy(r)
	if r.Routine.Variant == routine.Batched {
		r.add(buffer.VectorCopyPointers, r.arrays)
	}
}

// trsv needs one counter of finished blocks for each problem of any size (rocblas_trsv.hpp).
func trsv(r *request) { r.add(buffer.BlockCounters, product(4, r.batch)) }

// symv is symv and hemv: a result vector for every 64 columns (rocblas_hemv_kernels.cpp). The 64-bit forms truncate n
// and the batch to 32 bits.
func symv(r *request) {
	n, batch, blocks := r.n, r.batch, ceilDiv(r.n, 64)
	if r.Routine.Wide {
		n, batch = int64(int32(n)), int64(int32(batch))
		blocks = int64(int32(n)-1)/64 + 1
		if n == math.MinInt32 {
			blocks = math.MaxInt32/64 + 1
		}
	}
	r.add(buffer.BlockColumns, product(r.element, blocks, n, batch))
}

// gemvSteps copies the factor 1 of y to the workspace in device pointer mode if it computes in pieces because of a
// dimension beyond 32 bits. Without workspace the copy fails.
func gemvSteps(w *Steps) {
	if w.OnDevice && max(w.m, w.n) > math.MaxInt32 {
		w.do(WriteFactor)
	}
	w.launch()
}

// trsvSteps makes another HIP call before its kernels.
func trsvSteps(w *Steps) {
	w.Launch.Repeated, w.Vectors = false, solvePieces(w.Args)
	w.launch()
}

// solvePieces counts the pieces of a batch, which only the 64-bit form divides.
func solvePieces(a *routine.Args) int64 {
	if !a.Routine.Wide {
		return 1
	}
	return (a.Batch() + ChunkBatch - 1) / ChunkBatch
}
