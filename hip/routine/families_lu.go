package routine

import (
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
			ID: Getrs, Name: "getrs", wide: true, Buffers: solverSolve,
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
			ID: Gesv, Name: "gesv", Buffers: buffer.Join(luFactorization, []buffer.ID{buffer.RightSideCopy}),
			About: "solves A X = B by LU factorization; X overwrites B",
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
	f.wide = true
	f.params = slices.Concat([]part{rowsAndColumns("A"), matrix(A, Dense, m, n, InOut, "the matrix; its factors")},
		pivots, []part{info(), batchCount()})
	return f
}

// invertLU completes an inversion from LU factors.
func invertLU(f *Family, operands ...part) *Family {
	f.params = slices.Concat([]part{dim(N, "order of A")}, operands, []part{info(), batchCount()})
	return f
}
