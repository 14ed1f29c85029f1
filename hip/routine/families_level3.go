package routine

import "roclua/hip/routine/buffer"

// Level 3: products and solves of matrices.
const (
	Trsm FamilyID = endOfUpdates + iota
	Symm
	Syrk
	Syr2k
	Syrkx
	Trmm
	Hemm
	Herk
	Her2k
	Herkx
	Gemm
	Trtri

	endOfLevel3
)

// triangularSolve are the buffers of trsm.
var triangularSolve = []buffer.ID{
	buffer.BlockCounters, buffer.Solution, buffer.SolutionPointers, buffer.InvertedBlocks, buffer.InvertedBlockPointers,
}

var (
	sideOfA        = side("side of the product on which A is")
	triangularA    = matrix(A, Upper, bySide(M, N), bySide(M, N), In, "the triangular matrix")
	operandRows    = byOperation(TransA, N, K)
	operandColumns = byOperation(TransA, K, N)
)

func level3() []*Family {
	return []*Family{
		{
			ID: Trsm, Name: "trsm", Level: 3, types: sdcz, wide: true, strides: lower,
			About:   "solves op(A) X = alpha B or X op(A) = alpha B, A triangular; X overwrites B",
			Buffers: triangularSolve,
			params: []part{sideOfA, uplo("triangle that A is"), operation("transA", TransA, "op"), diag(),
				dim(M, "rows of B"),
				dim(N, "columns of B"), alpha(), triangularA,
				matrix(B, Dense, m, n, InOut, "right-hand sides and solution"), batchCount()},
		},
		symmetricProduct(&Family{ID: Symm, Name: "symm", types: sdcz,
			About: "C = alpha A B + beta C or alpha B A + beta C, A symmetric"}),
		rankK(&Family{ID: Syrk, Name: "syrk", types: sdcz, Buffers: []buffer.ID{buffer.TriangleCopy},
			About: "C = alpha op(A) op(A)^T + beta C, C symmetric"}),
		rank2K(&Family{ID: Syr2k, Name: "syr2k", types: sdcz,
			About: "C = alpha (op(A) op(B)^T + op(B) op(A)^T) + beta C, C symmetric"}),
		rank2K(&Family{ID: Syrkx, Name: "syrkx", types: sdcz,
			About: "C = alpha op(A) op(B)^T + beta C, C symmetric"}),
		{
			ID: Trmm, Name: "trmm", Level: 3, types: sdcz, wide: true, strides: underscore,
			About: "C = alpha op(A) B or alpha B op(A), A triangular",
			params: []part{sideOfA, uplo("triangle that A is"), operation("transA", TransA, "op"), diag(),
				dim(M, "rows of B"),
				dim(N, "columns of B"), alpha(), triangularA, matrix(B, Dense, m, n, In, "the factor"),
				matrix(C, Dense, m, n, Out, "the result; may be B"), batchCount()},
		},
		symmetricProduct(&Family{ID: Hemm, Name: "hemm", Hermitian: true, types: cz,
			About: "C = alpha A B + beta C or alpha B A + beta C, A Hermitian"}),
		rankK(&Family{ID: Herk, Name: "herk", Hermitian: true, types: cz, Buffers: []buffer.ID{buffer.TriangleCopy},
			About: "C = alpha op(A) op(A)^H + beta C, C Hermitian"}),
		rank2K(&Family{ID: Her2k, Name: "her2k", Hermitian: true, types: cz,
			About: "C = alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C, C Hermitian"}),
		rank2K(&Family{ID: Herkx, Name: "herkx", Hermitian: true, types: cz,
			About: "C = alpha op(A) op(B)^H + beta C, C Hermitian"}),
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

func symmetricProduct(f *Family) *Family {
	f.Level, f.wide, f.strides = 3, true, underscore
	f.params = []part{sideOfA, uplo("triangle of A that is read"), dim(M, "rows of C"), dim(N, "columns of C"), alpha(),
		matrix(A, Upper, bySide(M, N), bySide(M, N), In, "the square matrix"),
		matrix(B, Dense, m, n, In, "the other factor"), beta(), matrix(C, Dense, m, n, InOut, "the result"),
		batchCount()}
	return f
}

// rankK completes a rank-k update. The scalars of a Hermitian one are real.
func rankK(f *Family) *Family {
	scalars := OfType
	if f.Hermitian {
		scalars = OfReal
	}
	f.Level, f.wide, f.strides = 3, true, underscore
	f.params = []part{uplo("triangle of C that is written"), operation("transA", TransA, "op"), dim(N, "order of C"),
		dim(K, "columns of op(A)"), scalar(Alpha, scalars, "factor of the product"),
		matrix(A, Dense, operandRows, operandColumns, In, "the factor"),
		scalar(Beta, scalars, "factor of the old result"), matrix(C, Upper, n, n, InOut, "the result"), batchCount()}
	return f
}

// rank2K completes an update by two factors. The beta of a Hermitian one is real.
func rank2K(f *Family) *Family {
	betaElem := OfType
	if f.Hermitian {
		betaElem = OfReal
	}
	f.Level, f.wide, f.strides = 3, true, underscore
	f.params = []part{uplo("triangle of C that is written"), operation("trans", TransA, "op"), dim(N, "order of C"),
		dim(K, "columns of op(A) and op(B)"), alpha(),
		matrix(A, Dense, operandRows, operandColumns, In, "first factor"),
		matrix(B, Dense, operandRows, operandColumns, In, "second factor"),
		scalar(Beta, betaElem, "factor of the old result"), matrix(C, Upper, n, n, InOut, "the result"), batchCount()}
	return f
}
