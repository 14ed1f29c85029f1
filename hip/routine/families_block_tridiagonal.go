package routine

import (
	"math"

	"roclua/hip/routine/buffer"
)

// Block tridiagonal matrices.
func blockTridiagonalFamilies() []*Family {
	return []*Family{
		factorBlocks(&Family{ID: GeblttrfNpvt, Name: "geblttrf_npvt",
			About: "LU factorization of a block tridiagonal matrix, without pivoting"}),
		factorBlocks(&Family{ID: GeblttrfNpvtInterleaved, Name: "geblttrf_npvt_interleaved", interleaved: true,
			About: "LU factorization of block tridiagonal matrices whose elements alternate, without pivoting"}),
		solveBlocks(&Family{ID: GeblttrsNpvt, Name: "geblttrs_npvt",
			About: "solves with the factors of geblttrf_npvt; the solution overwrites X"}),
		solveBlocks(&Family{ID: GeblttrsNpvtInterleaved, Name: "geblttrs_npvt_interleaved", interleaved: true,
			About: "solves with the factors of geblttrf_npvt_interleaved_batched; the solution overwrites X"}),
	}
}

var (
	diagonalBlocks = columnsOfBlocks("nb*nblocks", NB, 0)
	otherBlocks    = columnsOfBlocks("nb*(nblocks-1)", NB, 1)
	blockSolutions = columnsOfBlocks("nrhs*nblocks", NRHS, 0)

	sizesOfBlocks = several(dim(NB, "order of the blocks"), dim(NBlocks, "blocks on the diagonal"))
)

// columnsOfBlocks is the number of columns of adjacent blocks, some fewer than on the diagonal. It saturates, so that
// its product with a leading dimension fits 64 bits.
func columnsOfBlocks(text string, width Slot, fewer int64) Extent {
	return Extent{text, func(a *Args) int64 { return min(a.Int(width)*(a.Int(NBlocks)-fewer), math.MaxUint32) }}
}

// factorBlocks completes a factorization of a block tridiagonal matrix.
func factorBlocks(f *Family) *Family {
	f.Buffers, f.leaves = buffer.Join(luFactorization, []buffer.ID{buffer.BlockInfo}), []Slot{Info}
	f.params = []part{sizesOfBlocks, f.blocksOf(A, otherBlocks, In, "blocks below the diagonal"),
		f.blocksOf(B, diagonalBlocks, InOut, "blocks on the diagonal; the factors"),
		f.blocksOf(C, otherBlocks, InOut, "blocks above the diagonal; the factors"), info(), batchCount()}
	return f.ofBlocks()
}

// solveBlocks completes a solve with the factors of a block tridiagonal matrix.
func solveBlocks(f *Family) *Family {
	f.Buffers = solverSolve
	f.params = []part{sizesOfBlocks, dim(NRHS, "right-hand sides"),
		f.blocksOf(A, otherBlocks, In, "blocks below the diagonal"),
		f.blocksOf(B, diagonalBlocks, In, "factors of the blocks on the diagonal"),
		f.blocksOf(C, otherBlocks, In, "factors above the diagonal"),
		f.blocksOf(MatX, blockSolutions, InOut, "right-hand sides and solution"), batchCount()}
	return f.ofBlocks()
}

// blocksOf declares an array of adjacent blocks. In interleaved arrays the elements of a column have an increment.
func (f *Family) blocksOf(s Slot, cols Extent, access Access, about string) part {
	p := matrix(s, Dense, sizeOf(NB), cols, access, about)
	if f.interleaved {
		return spread(s, p)
	}
	return p
}

// ofBlocks completes a family for adjacent blocks.
func (f *Family) ofBlocks() *Family {
	f.idle = []Extent{sizeOf(NB), sizeOf(NBlocks)}
	if f.interleaved {
		f.forms = []Variant{StridedBatched}
	}
	return f
}
