package routine

import "roclua/hip/routine/buffer"

// Level 3: products and solves of matrices.
func level3Families() []*Family {
	return []*Family{
		{
			ID: Gemm, Name: "gemm", types: sdcz + fp16, wide: true, strides: lowerCase,
			About: "C = alpha op(A) op(B) + beta C",
			params: []part{productSizes("A", "B", "C"), alpha(), firstFactor("first factor"),
				secondFactor("second factor"),
				beta(), matrix(C, Dense, m, n, InOut, "the result"), batchCount()},
		},
		{
			ID: Gemmt, Name: "gemmt", wide: true, strides: lowerCase,
			About: "one triangle of C = alpha op(A) op(B) + beta C",
			params: []part{uplo("triangle of C that is written"), operation("transA", TransA, "op on A"),
				operation("transB", TransB, "op on B"), dim(N, "order of C"),
				dim(K, "columns of op(A), rows of op(B)"+leavesC),
				alpha(), matrix(A, Dense, operandRows, operandColumns, In, "first factor"),
				secondFactor("second factor"), beta(), matrix(C, Upper, n, n, InOut, "the result"), batchCount()},
		},
		symmetricProduct(&Family{ID: Symm, Name: "symm",
			About: "C = alpha A B + beta C or alpha B A + beta C, A symmetric"}),
		symmetricProduct(&Family{ID: Hemm, Name: "hemm", Hermitian: true, types: cz,
			About: "C = alpha A B + beta C or alpha B A + beta C, A Hermitian"}),
		{
			ID: Trmm, Name: "trmm", wide: true, strides: underscore,
			About: "C = alpha op(A) B or alpha B op(A), A triangular",
			params: []part{triangularFactor, alpha(), triangularA, matrix(B, Dense, m, n, In, "the factor"),
				matrix(C, Dense, m, n, Out, "the result; may be B"), batchCount()},
		},
		{
			ID: Trsm, Name: "trsm", wide: true, strides: lowerCase, Buffers: triangularSolve,
			About: "solves op(A) X = alpha B or X op(A) = alpha B, A triangular; X overwrites B",
			params: []part{triangularFactor, alpha(), triangularA,
				matrix(B, Dense, m, n, InOut, "right-hand sides and solution"), batchCount()},
		},
		{
			ID: Trtri, Name: "trtri", strides: lowerCase,
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

var (
	// triangularSolve are the buffers of trsm.
	triangularSolve = []buffer.ID{buffer.BlockCounters, buffer.Solution, buffer.SolutionPointers,
		buffer.InvertedBlocks, buffer.InvertedBlockPointers}

	sideOfA = side("side of the product on which A is")

	// triangularFactor has the options and sizes of a product or a solve with a triangular matrix.
	triangularFactor = several(sideOfA, uplo("triangle that A is"), operation("transA", TransA, "op"), diag(),
		rowsAndColumns("B"))
	triangularA = matrix(A, Upper, orderBySide, orderBySide, In, "the triangular matrix")
)

// productSizes declares the operations and the sizes of a product of general matrices. The parameters name the factors
// and the result.
func productSizes(a, b, c string) part {
	return several(operation("transA", TransA, "op on "+a), operation("transB", TransB, "op on "+b), rowsAndColumns(c),
		dim(K, "columns of op("+a+"), rows of op("+b+")"))
}

func firstFactor(about string) part {
	return matrix(A, Dense, byOperation(TransA, M, K), byOperation(TransA, K, M), In, about)
}

func secondFactor(about string) part {
	return matrix(B, Dense, byOperation(TransB, K, N), byOperation(TransB, N, K), In, about)
}

// symmetricProduct completes a product of a symmetric matrix and a general one.
func symmetricProduct(f *Family) *Family {
	f.wide, f.strides = true, underscore
	f.params = []part{sideOfA, uplo("triangle of A that is read"), rowsAndColumns("C"), alpha(),
		matrix(A, Upper, orderBySide, orderBySide, In, "the square matrix"),
		matrix(B, Dense, m, n, In, "the other factor"), beta(), matrix(C, Dense, m, n, InOut, "the result"),
		batchCount()}
	return f
}
