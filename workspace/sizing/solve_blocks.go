package sizing

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
