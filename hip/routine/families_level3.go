package routine

import "roclua/hip/routine/buffer"

// Level 3: products and solves of matrices.
func level3Families() []*Family {
	return []*Family{
		{
			ID: Gemm, Name: "gemm", Level: 3, types: sdcz + half, wide: true, strides: lower,
			About: "C = alpha op(A) op(B) + beta C",
			params: []part{operation("transA", TransA, "op on A"), operation("transB", TransB, "op on B"),
				dim(M, "rows of C"), dim(N, "columns of C"), dim(K, "columns of op(A), rows of op(B)"), alpha(),
				matrix(A, Dense, byOperation(TransA, M, K), byOperation(TransA, K, M), In, "first factor"),
				matrix(B, Dense, byOperation(TransB, K, N), byOperation(TransB, N, K), In, "second factor"),
				beta(), matrix(C, Dense, m, n, InOut, "the result"), batchCount()},
		},
		{
			ID: Gemmt, Name: "gemmt", Level: 3, types: sdcz, wide: true, strides: lower,
			About: "one triangle of C = alpha op(A) op(B) + beta C",
			params: []part{uplo("triangle of C that is written"), operation("transA", TransA, "op on A"),
				operation("transB", TransB, "op on B"), dim(N, "order of C"), dim(K, "columns of op(A), rows of op(B)"),
				alpha(), matrix(A, Dense, byOperation(TransA, N, K), byOperation(TransA, K, N), In, "first factor"),
				matrix(B, Dense, byOperation(TransB, K, N), byOperation(TransB, N, K), In, "second factor"),
				beta(), matrix(C, Upper, n, n, InOut, "the result"), batchCount()},
		},
		symmetricProduct(&Family{ID: Symm, Name: "symm", types: sdcz,
			About: "C = alpha A B + beta C or alpha B A + beta C, A symmetric"}),
		symmetricProduct(&Family{ID: Hemm, Name: "hemm", Hermitian: true, types: cz,
			About: "C = alpha A B + beta C or alpha B A + beta C, A Hermitian"}),
		{
			ID: Trmm, Name: "trmm", Level: 3, types: sdcz, wide: true, strides: underscore,
			About: "C = alpha op(A) B or alpha B op(A), A triangular",
			params: []part{sideOfA, uplo("triangle that A is"), operation("transA", TransA, "op"), diag(),
				dim(M, "rows of B"),
				dim(N, "columns of B"), alpha(), triangularA, matrix(B, Dense, m, n, In, "the factor"),
				matrix(C, Dense, m, n, Out, "the result; may be B"), batchCount()},
		},
		{
			ID: Trsm, Name: "trsm", Level: 3, types: sdcz, wide: true, strides: lower,
			About:   "solves op(A) X = alpha B or X op(A) = alpha B, A triangular; X overwrites B",
			Buffers: triangularSolve,
			params: []part{sideOfA, uplo("triangle that A is"), operation("transA", TransA, "op"), diag(),
				dim(M, "rows of B"),
				dim(N, "columns of B"), alpha(), triangularA,
				matrix(B, Dense, m, n, InOut, "right-hand sides and solution"), batchCount()},
		},
		{
			ID: Trtri, Name: "trtri", Level: 3, types: sdcz, strides: lower,
			About:   "inverse of a triangular matrix",
			Buffers: []buffer.ID{buffer.InverseProducts, buffer.InverseProductPointers},
			params: []part{uplo("triangle that A is"), diag(), dim(N, "order of A"),
				matrix(A, Upper, n, n, In, "the triangular matrix"),
				matrix(InvA, Dense, n, n, Out,
					"its inverse, with zeros in the other triangle; may be A, whose other triangle stays"),
				batchCount()},
		},
	}
}

// triangularSolve are the buffers of trsm.
var triangularSolve = []buffer.ID{
	buffer.BlockCounters, buffer.Solution, buffer.SolutionPointers, buffer.InvertedBlocks, buffer.InvertedBlockPointers,
}

var sideOfA = side("side of the product on which A is")

var triangularA = matrix(A, Upper, bySide(M, N), bySide(M, N), In, "the triangular matrix")

func symmetricProduct(f *Family) *Family {
	f.Level, f.wide, f.strides = 3, true, underscore
	f.params = []part{sideOfA, uplo("triangle of A that is read"), dim(M, "rows of C"), dim(N, "columns of C"), alpha(),
		matrix(A, Upper, bySide(M, N), bySide(M, N), In, "the square matrix"),
		matrix(B, Dense, m, n, In, "the other factor"), beta(), matrix(C, Dense, m, n, InOut, "the result"),
		batchCount()}
	return f
}
