package routine

import (
	"slices"

	"roclua/hip/routine/buffer"
)

// Cholesky factorization: factors, solutions and inverses.
func choleskyFamilies() []*Family {
	return []*Family{
		factorized(&Family{ID: Potrf, Name: "potrf", info: notPositive, wide: true, About: "Cholesky factorization",
			Buffers: choleskyFactorization}, cubic(1.0/3),
			matrix(A, Upper, n, n, InOut, "the matrix; its factor"), info()),
		factorized(&Family{ID: Potf2, Name: "potf2", info: notPositive,
			wide: true, About: "Cholesky factorization, unblocked",
			Buffers: []buffer.ID{buffer.Scalars, buffer.UnblockedWork, buffer.Pivots}}, cubic(1.0/3),
			matrix(A, Upper, n, n, InOut, "the matrix; its factor"), info()),
		factorized(&Family{ID: Potrs, Name: "potrs", wide: true, Triangles: 2, Factored: true, Buffers: solverSolve,
			About: "solves A X = B from the factor of potrf; X overwrites B"}, solve,
			dim(NRHS, "right-hand sides"), matrix(A, Upper, n, n, In, "the factor"), solutionB),
		factorized(&Family{ID: Posv, Name: "posv", Triangles: 2, info: notPositive,
			About: "solves A X = B by Cholesky factorization; X overwrites B",
			Buffers: buffer.Join([]buffer.ID{buffer.Scalars}, solverSolve,
				[]buffer.ID{buffer.RightSideCopy, buffer.PanelInfo})}, together(cubic(1.0/3), solve),
			dim(NRHS, "right-hand sides"), matrix(A, Upper, n, n, InOut, "the matrix; its factor"), solutionB, info()),
		factorized(&Family{ID: Potri, Name: "potri", info: zeroOnDiagonal, Buffers: inversionBuffers,
			About: "inverse of a matrix from the factor of potrf"}, cubic(2.0/3),
			matrix(A, Upper, n, n, InOut, "the factor; the inverse"), info()),
	}
}

// choleskyFactorization are the buffers of potrf.
var choleskyFactorization = buffer.Join([]buffer.ID{buffer.Scalars}, solverSolve,
	[]buffer.ID{buffer.Pivots, buffer.UnblockedWork, buffer.PanelInfo})

// factorized completes a routine for one triangle of A.
func factorized(f *Family, count operations, operands ...part) *Family {
	f.operations = count
	f.params = slices.Concat([]part{uplo("triangle of A"), dim(N, "order of A")}, operands, []part{batchCount()})
	return f
}

// Bunch-Kaufman factorization of symmetric indefinite matrices.
func indefiniteFamilies() []*Family {
	return []*Family{
		factorIndefinite(&Family{ID: Sytrf, Name: "sytrf", About: "Bunch-Kaufman factorization of a symmetric matrix",
			Buffers: []buffer.ID{buffer.PanelWork}}),
		factorIndefinite(&Family{ID: Sytf2, Name: "sytf2",
			About: "Bunch-Kaufman factorization of a symmetric matrix, unblocked"}),
		{
			ID: Lasyf, Name: "lasyf", info: zeroPivot, forms: plainOnly,
			About:   "part of the Bunch-Kaufman factorization of a symmetric matrix",
			Buffers: []buffer.ID{buffer.PanelWork},
			params: []part{uplo("triangle of A"), dim(N, "order of A"), dim(NB, "columns that are factorized at most"),
				contiguous(KB, OfInt, length1, Out, "columns that were factorized"),
				matrix(A, Upper, n, n, InOut, "the matrix; its factors"), pivots(OfInt, n, Out, "exchanges and blocks"),
				info()},
		},
	}
}

// factorIndefinite completes a factorization of a symmetric indefinite matrix.
func factorIndefinite(f *Family) *Family {
	f.info, f.operations = zeroPivot, cubic(1.0/3)
	f.params = []part{uplo("triangle of A"), dim(N, "order of A"),
		matrix(A, Upper, n, n, InOut, "the matrix; its factors"), pivots(OfInt, n, Out, "exchanges and blocks"), info(),
		batchCount()}
	return f
}
