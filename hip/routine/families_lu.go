package routine

import "roclua/hip/routine/buffer"

// LU factorization.
const (
	Getrf FamilyID = endOfLevel3Ex + iota
	GetrfNpvt
	Getf2
	Getrs
	Getri
	Gesv

	endOfLU
)

// solverSolve are the buffers of a triangular solve inside a solver routine.
var solverSolve = []buffer.ID{
	buffer.TriangularSolve, buffer.TriangularSolvePointers, buffer.InvertedBlocks, buffer.InvertedBlockPointers,
}

// luFactorization are the buffers of getrf.
var luFactorization = buffer.Join([]buffer.ID{buffer.Scalars}, solverSolve,
	[]buffer.ID{buffer.PivotValues, buffer.PivotIndices, buffer.RowPermutation, buffer.PanelInfo})

func lu() []*Family {
	return []*Family{
		factorLU(&Family{ID: Getrf, Name: "getrf", About: "LU factorization with partial pivoting",
			Buffers: luFactorization}),
		{
			ID: GetrfNpvt, Name: "getrf_npvt", Library: RocSOLVER, Level: SolverLevel, types: sdcz, wide: true,
			About:   "LU factorization without pivoting",
			Buffers: luFactorization,
			params: []part{dim(M, "rows of A"), dim(N, "columns of A"),
				matrix(A, Dense, m, n, InOut, "the matrix; its factors"),
				info(), batchCount()},
		},
		factorLU(&Family{ID: Getf2, Name: "getf2", About: "LU factorization with partial pivoting, unblocked",
			Buffers: []buffer.ID{buffer.Scalars, buffer.PivotValues, buffer.PivotIndices}}),
		{
			ID: Getrs, Name: "getrs", Library: RocSOLVER, Level: SolverLevel, types: sdcz, wide: true,
			About:   "solves op(A) X = B from the factors of getrf; X overwrites B",
			Buffers: solverSolve,
			params: []part{operation("trans", TransA, "op"), dim(N, "order of A"), dim(NRHS, "right-hand sides"),
				matrix(A, Dense, n, n, In, "the factors"), pivots(OfInt, n, In, "row exchanges of getrf"),
				matrix(B, Dense, n, nrhs, InOut, "right-hand sides and solution"), batchCount()},
		},
		{
			ID: Getri, Name: "getri", Library: RocSOLVER, Level: SolverLevel, types: sdcz,
			About:   "inverse of a matrix from the factors of getrf",
			Buffers: buffer.Join(solverSolve, []buffer.ID{buffer.MatrixCopy, buffer.MatrixCopyPointers}),
			params: []part{dim(N, "order of A"), matrix(A, Dense, n, n, InOut, "the factors; the inverse"),
				pivots(OfInt, n, In, "row exchanges of getrf"), info(), batchCount()},
		},
		{
			ID: Gesv, Name: "gesv", Library: RocSOLVER, Level: SolverLevel, types: sdcz,
			About:   "solves A X = B by LU factorization; X overwrites B",
			Buffers: buffer.Join(luFactorization, []buffer.ID{buffer.RightSideCopy}),
			params: []part{dim(N, "order of A"), dim(NRHS, "right-hand sides"),
				matrix(A, Dense, n, n, InOut, "the matrix; its factors"),
				pivots(OfInt, n, Out, "row exchanges, 1-based"),
				matrix(B, Dense, n, nrhs, InOut, "right-hand sides and solution"), info(), batchCount()},
		},
	}
}

// factorLU completes a factorization with pivoting.
func factorLU(f *Family) *Family {
	f.Library, f.Level, f.types, f.wide = RocSOLVER, SolverLevel, sdcz, true
	f.params = []part{dim(M, "rows of A"), dim(N, "columns of A"),
		matrix(A, Dense, m, n, InOut, "the matrix; its factors"),
		pivots(OfInt, smaller(M, N), Out, "row exchanges, 1-based"), info(), batchCount()}
	return f
}
