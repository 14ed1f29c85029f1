package routine

import "roclua/hip/routine/buffer"

// Least squares.
func lsqFamilies() []*Family {
	return []*Family{
		{
			ID: Gels, Name: "gels",
			About: "solves A X = B or A^H X = B in the sense of least squares or least norm; X overwrites B",
			Buffers: []buffer.ID{buffer.Scalars, buffer.LeastSquaresWork, buffer.LeastSquaresSolvePointers,
				buffer.LeastSquaresInverse, buffer.LeastSquaresPointers, buffer.RightSideCopy},
			params: []part{operation("trans", TransA, "op on A"), rowsAndColumns("A"),
				dim(NRHS, "right-hand sides"), matrix(A, Dense, m, n, InOut, "the matrix; its factors"),
				partly(longSolution, matrix(B, Dense, larger(M, N), nrhs, InOut, "right-hand sides and solution")),
				info(), batchCount()},
		},
	}
}

// longSolution reports whether the solution of gels has more rows than the right-hand sides.
func longSolution(a *Args) bool {
	return a.Int(M) != a.Int(N) && (a.Int(TransA) == OperationNone) == (a.Int(M) < a.Int(N))
}
