package routine

import (
	"math"
	"slices"

	"roclua/hip/routine/buffer"
)

// LU factorization: factors, solutions and inverses.
func luFamilies() []*Family {
	return []*Family{
		factorLU(&Family{ID: Getrf, Name: "getrf", Buffers: luFactorization,
			About: "LU factorization with partial pivoting"}, exchangesOut),
		factorLU(&Family{ID: GetrfNpvt, Name: "getrf_npvt", Buffers: luFactorization,
			About: "LU factorization without pivoting"}),
		factorLU(&Family{ID: Getf2, Name: "getf2",
			Buffers: []buffer.ID{buffer.Scalars, buffer.PivotValues, buffer.PivotIndices},
			About:   "LU factorization with partial pivoting, unblocked"}, exchangesOut),
		factorLU(&Family{ID: Getf2Npvt, Name: "getf2_npvt", Buffers: []buffer.ID{buffer.Scalars, buffer.PivotValues},
			About: "LU factorization without pivoting, unblocked"}),
		{
			ID: Getrs, Name: "getrs", operations: solve, wide: true, Triangles: 2, Factored: true, Buffers: solverSolve,
			About: "solves op(A) X = B from the factors of getrf; X overwrites B",
			params: []part{operation("trans", TransA, "op"), dim(N, "order of A"), dim(NRHS, "right-hand sides"),
				matrix(A, Dense, n, n, In, "the factors"), exchangesIn, solutionB, batchCount()},
		},
		invertLU(&Family{ID: Getri, Name: "getri", Buffers: inversionBuffers,
			About: "inverse of a matrix from the factors of getrf"}, inverseInPlace, exchangesIn),
		invertLU(&Family{ID: GetriNpvt, Name: "getri_npvt", Buffers: inversionBuffers,
			About: "inverse of a matrix from the factors of getrf_npvt"}, inverseInPlace),
		invertLU(&Family{ID: GetriOutOfPlace, Name: "getri_outofplace", Buffers: solverSolve,
			About: "inverse of a matrix from the factors of getrf, in another matrix"},
			matrix(A, Dense, n, n, In, "the factors"), exchangesIn, inverseInC),
		invertLU(&Family{ID: GetriNpvtOutOfPlace, Name: "getri_npvt_outofplace", Buffers: solverSolve,
			About: "inverse of a matrix from the factors of getrf_npvt, in another matrix"},
			matrix(A, Dense, n, n, In, "the factors"), inverseInC),
		{
			ID: Gesv, Name: "gesv", operations: together(cubic(2.0/3), solve), Triangles: 2, info: zeroPivot,
			Buffers: buffer.Join(luFactorization, []buffer.ID{buffer.RightSideCopy}),
			About:   "solves A X = B by LU factorization; X overwrites B",
			params: []part{dim(N, "order of A"), dim(NRHS, "right-hand sides"),
				matrix(A, Dense, n, n, InOut, "the matrix; its factors"),
				pivots(OfInt, n, Out, "row exchanges, 1-based"), solutionB, info(), batchCount()},
		},
		{
			ID: Laswp, Name: "laswp", forms: plainOnly,
			About: "exchanges rows of A",
			params: []part{dim(N, "columns of A"),
				partly(gapsBelow, matrix(A, Dense, exchangedRows, n, InOut, "the matrix")),
				withDefault(1, dim(K1, "first exchange, 1-based")), dim(K2, "last exchange"),
				contiguous(Ipiv, OfInt, lastExchange, In, "row exchanges, 1-based; the first one is ipiv[k1]"),
				withDefault(1,
					single(Param{Name: "incx", Slot: IncX, Kind: Int32, About: "distance of two exchanges in ipiv"}))},
		},
	}
}

var (
	// solverSolve are the buffers of a triangular solve inside a solver routine.
	solverSolve = []buffer.ID{
		buffer.TriangularSolve, buffer.TriangularSolvePointers, buffer.InvertedBlocks, buffer.InvertedBlockPointers,
	}

	// luFactorization are the buffers of getrf.
	luFactorization = buffer.Join([]buffer.ID{buffer.Scalars}, solverSolve,
		[]buffer.ID{buffer.PivotValues, buffer.PivotIndices, buffer.RowPermutation, buffer.PanelInfo})

	// inversionBuffers are the buffers of an inversion of a triangle, and a copy of the matrix.
	inversionBuffers = buffer.Join(solverSolve, []buffer.ID{buffer.MatrixCopy, buffer.MatrixCopyPointers})

	exchangesOut = pivots(OfInt, smaller(M, N), Out, "row exchanges, 1-based")
	exchangesIn  = pivots(OfInt, n, In, "row exchanges of getrf")

	// solutionB is the matrix B of a solve.
	solutionB = matrix(B, Dense, n, nrhs, InOut, "right-hand sides and solution")

	inverseInPlace = matrix(A, Dense, n, n, InOut, "the factors; the inverse")
	inverseInC     = matrix(C, Dense, n, n, Out, "the inverse")

	// exchangedRows are at least k2. The pivots, which are not known, may be any row of a column.
	exchangedRows = Extent{"k2", func(a *Args) int64 { return max(a.Int(K2), a.Int(LDA)) }}
	lastExchange  = Extent{"k1 + (k2-k1)*|incx|", func(a *Args) int64 {
		inc := a.Int(IncX)
		return a.Int(K1) + (a.Int(K2)-a.Int(K1))*max(inc, -inc)
	}}
)

// gapsBelow reports whether a column of laswp may have rows that are not exchanged.
func gapsBelow(a *Args) bool { return a.Int(LDA) > a.Int(K2) }

// factorLU completes a factorization, with pivots or without.
func factorLU(f *Family, pivots ...part) *Family {
	f.wide, f.info, f.operations = true, zeroPivot, lu
	f.params = slices.Concat([]part{rowsAndColumns("A"), matrix(A, Dense, m, n, InOut, "the matrix; its factors")},
		pivots, []part{info(), batchCount()})
	return f
}

// invertLU completes an inversion from LU factors.
func invertLU(f *Family, operands ...part) *Family {
	f.info, f.operations = zeroPivot, cubic(4.0/3)
	f.params = slices.Concat([]part{dim(N, "order of A")}, operands, []part{info(), batchCount()})
	return f
}

// Inverses and products of triangular matrices.
func inverseFamilies() []*Family {
	return []*Family{
		{
			ID: SolverTrtri, Name: "trtri", operations: cubic(1.0 / 3), info: zeroOnDiagonal,
			shared: true, Buffers: inversionBuffers, About: "inverse of a triangular matrix",
			params: []part{uplo("triangle that A is"), diag(), dim(N, "order of A"),
				matrix(A, Upper, n, n, InOut, "the triangular matrix; its inverse"), info(), batchCount()},
		},
		{
			ID: Lauum, Name: "lauum", operations: cubic(1.0 / 3),
			forms: plainOnly, Buffers: []buffer.ID{buffer.MatrixCopy}, RunsInQueries: true,
			About: "U U^H or L^H L of a triangular matrix",
			params: []part{uplo("triangle of A"), dim(N, "order of A"),
				matrix(A, Upper, n, n, InOut, "the triangular matrix; the product")},
		},
	}
}

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
	f.info = "a positive number if a block is singular"
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
