package behavior

import (
	"math"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// solve returns the memory that rocSOLVER reserves for a triangular solve inside a routine. Releases differ: older ones
// ask rocBLAS, newer ones use one bound for the solve and every smaller one.
func (s triangular) solve(t *Target) solveBuffers {
	if t.Release.SolveSizedByTrsm {
		return s.sizeOfTrsm(t)
	}
	return s.solveBound()
}

// sizeOfTrsm is rocsolver_trsm_mem of rocSOLVER 3.28: the size of rocBLAS's trsm.
func (s triangular) sizeOfTrsm(t *Target) solveBuffers {
	if s.wide {
		if s.m >= math.MaxInt32 || s.n > math.MaxInt32 || s.ld >= math.MaxInt32 {
			return solveBuffers{}
		}
		s.batch = min(s.batch, ChunkBatch)
	}
	if s.left && s.n == 1 {
		return solveBuffers{x: product(4, s.batch)}
	}
	optimal, _, _ := s.blas(t)
	return optimal
}

// solveBound is rocsolver_trsm_mem of rocSOLVER 3.32. Its smallest panel of 4096 elements counts for each problem. The
// library compares signed numbers of elements, and then bytes with a smaller panel, which may overflow.
func (s triangular) solveBound() solveBuffers {
	k, other := s.order()
	whole := s.m * s.n
	x := larger(product(max(32*k, 4096, trsmBlock*other, whole), s.element, s.batch),
		product(max(trsmBlock, whole), s.element, s.batch))
	x.overflow = x.overflow || product(s.m, s.n).overflow
	arrays := zero
	if s.pointers {
		arrays = product(addressBytes, s.batch)
	}
	return solveBuffers{x, arrays, product(trsmBlock, k, s.element, s.batch), arrays}
}

// larger returns the larger of each buffer: memory that two steps share.
func (b solveBuffers) larger(c solveBuffers) solveBuffers {
	return solveBuffers{
		larger(b.x, c.x), larger(b.xPointers, c.xPointers),
		larger(b.inverse, c.inverse), larger(b.inversePointers, c.inversePointers),
	}
}

func (b *Buffers) addSolve(v solveBuffers) {
	b.addAll([]piece{{buffer.TriangularSolve, v.x}, {buffer.TriangularSolvePointers, v.xPointers},
		{buffer.InvertedBlocks, v.inverse}, {buffer.InvertedBlockPointers, v.inversePointers}})
}

// offMultiple returns m, or m+1 where m is a multiple of 128: rocBLAS needs less for multiples, and a blocked routine
// solves smaller systems too.
func offMultiple(m int64) int64 {
	if m%trsmBlock == 0 {
		return m + 1
	}
	return m
}

// triangular is a solve with a routine's type and form for an m x n matrix, with a triangle that is not transposed.
func (r *callSizes) triangular(from sides, m, n int64) triangular {
	return triangular{left: from == leftSide, none: true, m: m, n: n, element: r.element, real: r.element == r.real,
		batch: r.batch, pointers: r.Routine.Variant == routine.Batched, wide: r.Routine.Wide, ld: r.Int(routine.LDB)}
}

// solve is the memory of such a solve inside a routine.
func (r *callSizes) solve(from sides, m, n int64) solveBuffers {
	return r.triangular(from, m, n).solve(r.Target)
}

// sizedAsBatch reports whether the library sizes a solve of a routine like a batch.
func sizedAsBatch(r *routine.Routine) bool {
	return r.Variant == routine.Batched || r.Variant == routine.StridedBatched && !r.Family.StridedAsPlain
}

// callsBLAS reports whether a solve with a triangle of order n is sized as one that rocSOLVER leaves to rocBLAS.
func callsBLAS(a *routine.Args, n, nrhs int64) bool {
	kind := kindOfBlocks(a.Routine.Type.IsComplex(), sizedAsBatch(a.Routine))
	return n > 0 && solveBlock(kind, n, nrhs) == blockOfBLAS
}

// reducedSolve is a solve with a triangle of order m that rocSOLVER's own kernels may compute. The result is the same
// for every operation, because n is 64 or m.
func (r *callSizes) reducedSolve(m, n int64) solveBuffers {
	if m > 0 && !callsBLAS(r.Args, m, n) { // an empty triangle needs memory, too
		return solveBuffers{}
	}
	return r.solve(leftSide, m, n)
}

// blockTable has the sizes of blocks for matrices, as rocSOLVER has them.
type blockTable struct {
	rows, columns []int64   // the largest size of each row and column of the table but the last ones
	blocks        [][]int64 // by row and column
}

// of returns the value for a matrix.
func (t *blockTable) of(m, n int64) int64 {
	return t.blocks[interval(t.rows, m)][interval(t.columns, n)]
}

// interval returns the index of the first limit that is not less than a size.
func interval(limits []int64, size int64) int {
	for i, limit := range limits {
		if size <= limit {
			return i
		}
	}
	return len(limits)
}

// blockKind selects a table of blocks. It is a combination of flags, because each size query looks up several tables.
type blockKind uint8

const (
	ofComplex blockKind = 1 << iota
	ofBatch
	unpivoted
)

// blockKinds is the number of combinations.
const blockKinds = int(ofComplex|ofBatch|unpivoted) + 1

// kindOfBlocks returns the table for elements and routines.
func kindOfBlocks(complex, batched bool) (k blockKind) {
	if complex {
		k |= ofComplex
	}
	if batched {
		k |= ofBatch
	}
	return k
}

// Blocks of solveBlocks that are not sizes.
const (
	blockOfBLAS = 0 // rocBLAS solves
	wholeBlock  = 1 // one block, also of panels
)

// largestOwnBlock is the largest block that a kernel of rocSOLVER solves with.
const largestOwnBlock = 512

// solveBlocks are the blocks of triangular solves, by the order of the triangle and the number of right-hand sides
// (roclapack_trsm_specialized_kernels.hpp).
var solveBlocks = [blockKinds]*blockTable{
	0: {
		rows:    []int64{40, 56, 80, 112, 144, 176, 208, 240, 288, 352, 480},
		columns: []int64{448, 768, 960, 1152, 1408, 1920, 2304, 2816, 3840, 4096, 4736, 4992, 5888, 7680, 9728},
		blocks: [][]int64{
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 24, 24, 24, 16},
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 32, 32, 32, 32, 32, 24, 16},
			{1, 1, 1, 1, 1, 1, 1, 48, 48, 48, 48, 32, 32, 32, 24, 16},
			{1, 1, 1, 1, 1, 1, 64, 64, 64, 48, 48, 32, 32, 32, 24, 16},
			{1, 1, 1, 1, 1, 80, 80, 80, 56, 56, 40, 40, 40, 32, 32, 32},
			{1, 1, 1, 1, 80, 80, 80, 80, 80, 48, 48, 48, 40, 32, 0, 0},
			{1, 1, 1, 80, 80, 80, 80, 80, 56, 56, 32, 32, 32, 32, 0, 0},
			{1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
			{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
			{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
			{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		},
	},
	ofBatch: {
		rows:    []int64{20, 28, 40, 80, 112, 176, 208, 288, 352, 480},
		columns: []int64{6, 10, 12, 22, 28, 30, 36, 42, 46, 50, 60, 96, 432, 928, 960, 1472},
		blocks: [][]int64{
			{1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
			{1, 1, 1, 1, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
			{1, 1, 1, 1, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0},
			{1, 24, 24, 24, 24, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16},
			{48, 48, 32, 32, 24, 24, 16, 16, 16, 32, 32, 32, 16, 16, 16, 16, 16},
			{64, 64, 32, 32, 24, 24, 16, 16, 16, 32, 32, 32, 24, 24, 24, 24, 24},
			{64, 64, 32, 32, 24, 24, 24, 24, 32, 32, 32, 32, 32, 24, 24, 24, 24},
			{64, 64, 64, 32, 32, 32, 32, 40, 40, 40, 40, 32, 32, 24, 24, 32, 32},
			{64, 64, 64, 32, 32, 32, 32, 40, 48, 48, 40, 32, 32, 32, 32, 32, 32},
			{64, 64, 64, 32, 32, 32, 32, 40, 48, 48, 40, 32, 32, 32, 32, 32, 0},
			{64, 64, 64, 32, 32, 32, 48, 48, 48, 48, 40, 32, 32, 32, 0, 0, 0},
		},
	},
	ofComplex: {
		rows:    []int64{40, 56, 80, 112, 144, 208, 240, 288, 480},
		columns: []int64{704, 960, 1344, 1920, 2304, 2816, 3200, 3840, 4864, 5888, 7680},
		blocks: [][]int64{
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 24, 24, 24},
			{1, 1, 1, 1, 1, 1, 1, 1, 32, 32, 32, 32},
			{1, 1, 1, 1, 1, 72, 72, 56, 48, 32, 32, 32},
			{1, 1, 1, 1, 64, 64, 64, 64, 48, 32, 32, 32},
			{1, 1, 1, 80, 80, 80, 64, 64, 48, 32, 32, 32},
			{1, 1, 80, 80, 80, 80, 64, 64, 40, 40, 32, 32},
			{1, 1, 72, 72, 64, 64, 64, 64, 32, 32, 32, 0},
			{1, 80, 80, 80, 80, 80, 64, 64, 48, 40, 32, 0},
			{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		},
	},
	ofComplex | ofBatch: {
		rows:    []int64{20, 28, 40, 56, 80, 112, 144, 176, 480},
		columns: []int64{4, 12, 16, 28, 32, 40, 48, 50, 60, 72, 88, 176, 232, 400, 464},
		blocks: [][]int64{
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
			{1, 1, 1, 1, 1, 1, 1, 1, 8, 1, 1, 1, 1, 1, 1, 1},
			{1, 1, 1, 1, 16, 16, 16, 16, 1, 1, 1, 16, 16, 16, 16, 16},
			{1, 1, 1, 24, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16},
			{1, 1, 32, 32, 32, 32, 32, 32, 32, 32, 32, 16, 16, 16, 16, 16},
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 48, 48, 32},
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 64, 64, 64, 64, 64, 32},
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 80, 80, 56, 56, 32, 32},
			{1, 64, 32, 32, 32, 64, 48, 32, 32, 32, 32, 32, 32, 32, 32, 32},
			{1, 1, 1, 1, 1, 1, 64, 64, 64, 64, 64, 64, 64, 48, 48, 48},
		},
	},
}

// solveBlock returns the order of the blocks that rocSOLVER divides a triangle of order n into.
func solveBlock(kind blockKind, n, nrhs int64) int64 {
	if block := solveBlocks[kind].of(n, nrhs); block != wholeBlock {
		return block
	}
	return min(n, largestOwnBlock)
}

// substitutes reports whether trsm solves by substitution, without memory: in one kernel, or in blocks.
func (s *triangular) substitutes() bool {
	inBlocks := s.left &&
		(s.n <= 32 && s.batch >= 16 && s.m < largestOwnBlock || 32 < s.n && s.n <= trsmBlock && s.m <= 340)
	return s.oneKernel() || inBlocks && s.block() != blockOfBLAS
}

func (s *triangular) oneKernel() bool {
	k, _ := s.order()
	return k <= 32 || s.m <= 64 && s.n <= 64
}

// block returns the order of the blocks of a solve by substitution. rocBLAS has the table of rocSOLVER, and reads the
// part for batches only for arrays of pointers.
func (s *triangular) block() int64 {
	return solveBlocks[kindOfBlocks(!s.real, s.pointers)].of(s.m, s.n)
}

// multiplies reports whether a solve by substitution on the left updates the rows below its blocks by products of
// matrices.
func (s *triangular) multiplies() bool {
	block := s.block()
	return !s.oneKernel() && s.n > 1 && wholeBlock < block && block < s.m
}

// solve adds the waits of equal triangular solves of rocSOLVER, which leaves some sizes to rocBLAS.
func (w *Steps) solve(times, n, nrhs int64) {
	block := min(n, largestOwnBlock)
	if !w.spread {
		kind := kindOfBlocks(w.Routine.Type.IsComplex(), w.inBatch())
		block = solveBlock(kind, n, nrhs)
	}
	switch {
	case n <= 0 || times <= 0:
	case block != blockOfBLAS:
		w.inBlocks(times, n, block)
	case nrhs > 0:
		for range times {
			w.blasSolve(w.triangular(leftSide, n, nrhs))
		}
	}
}

// rightSides adds the waits of equal solves for the right-hand sides of a call, if it has any.
func (w *Steps) rightSides(times, n int64) {
	if nrhs := w.nrhs; nrhs != 0 {
		w.solve(times, n, nrhs)
	}
}

// inBlocks adds the waits of equal solves by the kernels of rocSOLVER. On some architectures it waits after each
// block but the last, before rocBLAS updates the other rows. A wait that fails ends the solve, but not the call.
func (w *Steps) inBlocks(times, n, block int64) {
	if waits := ceilDiv(n, block) - 1; waits != 0 && w.waitsInSolves() {
		w.step(Step{Times: times, Waits: waits})
	}
}

func (w *Steps) waitsInSolves() bool { return w.Arch.WaitsInSolves(w.Release) }
