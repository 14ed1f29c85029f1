package routine

import "roclua/hip/routine/buffer"

// Inverses, least squares, and unblocked factorizations.
const (
	Potf2 FamilyID = endOfTridiagonal + iota
	Potri
	SolverTrtri
	Lauum
	Getf2Npvt
	GetriNpvt
	GetriOutOfPlace
	GetriNpvtOutOfPlace
	Gels

	endOfInverses
)

// inversion are the buffers of an inversion of a triangle, and a copy of the matrix.
var inversion = buffer.Join(solverSolve, []buffer.ID{buffer.MatrixCopy, buffer.MatrixCopyPointers})

func inverses() []*Family {
	return []*Family{
		{
			ID: Potf2, Name: "potf2", Library: RocSOLVER, Level: SolverLevel, types: sdcz, wide: true,
			About:   "Cholesky factorization, unblocked",
			Buffers: []buffer.ID{buffer.Scalars, buffer.UnblockedWork, buffer.Pivots},
			params: []part{uplo("triangle of A"), dim(N, "order of A"),
				matrix(A, Upper, n, n, InOut, "the matrix; its factor"), info(), batchCount()},
		},
		{
			ID: Potri, Name: "potri", Library: RocSOLVER, Level: SolverLevel, types: sdcz, Buffers: inversion,
			About: "inverse of a matrix from the factor of potrf",
			params: []part{uplo("triangle of A"), dim(N, "order of A"),
				matrix(A, Upper, n, n, InOut, "the factor; the inverse"), info(), batchCount()},
		},
		{
			ID: SolverTrtri, Name: "trtri", Library: RocSOLVER, Level: SolverLevel, types: sdcz, Buffers: inversion,
			About: "inverse of a triangular matrix",
			params: []part{uplo("triangle that A is"), diag(), dim(N, "order of A"),
				matrix(A, Upper, n, n, InOut, "the triangular matrix; its inverse"), info(), batchCount()},
		},
		{
			ID: Lauum, Name: "lauum", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			RunsInQueries: true,
			About:         "U U^H or L^H L of a triangular matrix",
			Buffers:       []buffer.ID{buffer.MatrixCopy},
			params: []part{uplo("triangle of A"), dim(N, "order of A"),
				matrix(A, Upper, n, n, InOut, "the triangular matrix; the product")},
		},
		{
			ID: Getf2Npvt, Name: "getf2_npvt", Library: RocSOLVER, Level: SolverLevel, types: sdcz, wide: true,
			About:   "LU factorization without pivoting, unblocked",
			Buffers: []buffer.ID{buffer.Scalars, buffer.PivotValues},
			params: []part{dim(M, "rows of A"), dim(N, "columns of A"),
				matrix(A, Dense, m, n, InOut, "the matrix; its factors"), info(), batchCount()},
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
			ID: Gels, Name: "gels", Library: RocSOLVER, Level: SolverLevel, types: sdcz,
			About: "solves A X = B or A^H X = B in the sense of least squares or least norm; X overwrites B",
			Buffers: []buffer.ID{buffer.Scalars, buffer.LeastSquaresWork, buffer.LeastSquaresSolvePointers,
				buffer.LeastSquaresInverse, buffer.LeastSquaresPointers, buffer.RightSideCopy},
			params: []part{operation("trans", TransA, "op on A"), dim(M, "rows of A"), dim(N, "columns of A"),
				dim(NRHS, "right-hand sides"), matrix(A, Dense, m, n, InOut, "the matrix; its factors"),
				partly(longSolution, matrix(B, Dense, larger(M, N), nrhs, InOut, "right-hand sides and solution")),
				info(),
				batchCount()},
		},
	}
}

// longSolution reports whether the solution of gels has more rows than the right-hand sides.
func longSolution(a *Args) bool {
	return a.Int(M) != a.Int(N) && (a.Int(TransA) == OperationNone) == (a.Int(M) < a.Int(N))
}
