package routine

import "roclua/hip/routine/buffer"

// LU factorization: factors, solutions and inverses.
func luFamilies() []*Family {
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
			ID: Getf2Npvt, Name: "getf2_npvt", Library: RocSOLVER, Level: SolverLevel, types: sdcz, wide: true,
			About:   "LU factorization without pivoting, unblocked",
			Buffers: []buffer.ID{buffer.Scalars, buffer.PivotValues},
			params: []part{dim(M, "rows of A"), dim(N, "columns of A"),
				matrix(A, Dense, m, n, InOut, "the matrix; its factors"), info(), batchCount()},
		},
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
			ID: GetriNpvt, Name: "getri_npvt", Library: RocSOLVER, Level: SolverLevel, types: sdcz, Buffers: inversion,
			About: "inverse of a matrix from the factors of getrf_npvt",
			params: []part{dim(N, "order of A"), matrix(A, Dense, n, n, InOut, "the factors; the inverse"), info(),
				batchCount()},
		},
		{
			ID: GetriOutOfPlace, Name: "getri_outofplace", Library: RocSOLVER, Level: SolverLevel, types: sdcz,
			Buffers: solverSolve,
			About:   "inverse of a matrix from the factors of getrf, in another matrix",
			params: []part{dim(N, "order of A"), matrix(A, Dense, n, n, In, "the factors"),
				pivots(OfInt, n, In, "row exchanges of getrf"), matrix(C, Dense, n, n, Out, "the inverse"), info(),
				batchCount()},
		},
		{
			ID: GetriNpvtOutOfPlace, Name: "getri_npvt_outofplace", Library: RocSOLVER, Level: SolverLevel, types: sdcz,
			Buffers: solverSolve,
			About:   "inverse of a matrix from the factors of getrf_npvt, in another matrix",
			params: []part{dim(N, "order of A"), matrix(A, Dense, n, n, In, "the factors"),
				matrix(C, Dense, n, n, Out, "the inverse"), info(), batchCount()},
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
		{
			ID: Laswp, Name: "laswp", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
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

// solverSolve are the buffers of a triangular solve inside a solver routine.
var solverSolve = []buffer.ID{
	buffer.TriangularSolve, buffer.TriangularSolvePointers, buffer.InvertedBlocks, buffer.InvertedBlockPointers,
}

// luFactorization are the buffers of getrf.
var luFactorization = buffer.Join([]buffer.ID{buffer.Scalars}, solverSolve,
	[]buffer.ID{buffer.PivotValues, buffer.PivotIndices, buffer.RowPermutation, buffer.PanelInfo})

// factorLU completes a factorization with pivoting.
func factorLU(f *Family) *Family {
	f.Library, f.Level, f.types, f.wide = RocSOLVER, SolverLevel, sdcz, true
	f.params = []part{dim(M, "rows of A"), dim(N, "columns of A"),
		matrix(A, Dense, m, n, InOut, "the matrix; its factors"),
		pivots(OfInt, smaller(M, N), Out, "row exchanges, 1-based"), info(), batchCount()}
	return f
}

// gapsBelow reports whether a column of laswp may have rows that are not exchanged.
func gapsBelow(a *Args) bool { return a.Int(LDA) > a.Int(K2) }

// exchangedRows are at least k2. The pivots, which are not known, may be any row of a column.
var exchangedRows = Extent{"k2", func(a *Args) int64 { return max(a.Int(K2), a.Int(LDA)) }}

var lastExchange = Extent{"k1 + (k2-k1)*|incx|", func(a *Args) int64 {
	inc := a.Int(IncX)
	return a.Int(K1) + (a.Int(K2)-a.Int(K1))*max(inc, -inc)
}}

// inversion are the buffers of an inversion of a triangle, and a copy of the matrix.
var inversion = buffer.Join(solverSolve, []buffer.ID{buffer.MatrixCopy, buffer.MatrixCopyPointers})
