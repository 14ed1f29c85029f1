package routine

import "roclua/hip/routine/buffer"

// Cholesky factorization: factors, solutions and inverses.
func choleskyFamilies() []*Family {
	return []*Family{
		{
			ID: Potrf, Name: "potrf", Library: RocSOLVER, Level: SolverLevel, types: sdcz, wide: true,
			About: "Cholesky factorization",
			Buffers: buffer.Join([]buffer.ID{buffer.Scalars}, solverSolve,
				[]buffer.ID{buffer.Pivots, buffer.UnblockedWork, buffer.PanelInfo}),
			params: []part{uplo("triangle of A"), dim(N, "order of A"),
				matrix(A, Upper, n, n, InOut, "the matrix; its factor"),
				info(), batchCount()},
		},
		{
			ID: Potf2, Name: "potf2", Library: RocSOLVER, Level: SolverLevel, types: sdcz, wide: true,
			About:   "Cholesky factorization, unblocked",
			Buffers: []buffer.ID{buffer.Scalars, buffer.UnblockedWork, buffer.Pivots},
			params: []part{uplo("triangle of A"), dim(N, "order of A"),
				matrix(A, Upper, n, n, InOut, "the matrix; its factor"), info(), batchCount()},
		},
		{
			ID: Potrs, Name: "potrs", Library: RocSOLVER, Level: SolverLevel, types: sdcz, wide: true,
			About:   "solves A X = B from the factor of potrf; X overwrites B",
			Buffers: solverSolve,
			params: []part{uplo("triangle of A"), dim(N, "order of A"), dim(NRHS, "right-hand sides"),
				matrix(A, Upper, n, n, In, "the factor"),
				matrix(B, Dense, n, nrhs, InOut, "right-hand sides and solution"), batchCount()},
		},
		{
			ID: Posv, Name: "posv", Library: RocSOLVER, Level: SolverLevel, types: sdcz,
			About: "solves A X = B by Cholesky factorization; X overwrites B",
			Buffers: buffer.Join([]buffer.ID{buffer.Scalars}, solverSolve,
				[]buffer.ID{buffer.RightSideCopy, buffer.PanelInfo}),
			params: []part{uplo("triangle of A"), dim(N, "order of A"), dim(NRHS, "right-hand sides"),
				matrix(A, Upper, n, n, InOut, "the matrix; its factor"),
				matrix(B, Dense, n, nrhs, InOut, "right-hand sides and solution"), info(), batchCount()},
		},
		{
			ID: Potri, Name: "potri", Library: RocSOLVER, Level: SolverLevel, types: sdcz, Buffers: inversion,
			About: "inverse of a matrix from the factor of potrf",
			params: []part{uplo("triangle of A"), dim(N, "order of A"),
				matrix(A, Upper, n, n, InOut, "the factor; the inverse"), info(), batchCount()},
		},
	}
}
