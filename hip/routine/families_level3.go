package routine

import "roclua/hip/routine/buffer"

// Level 3: products and solves of matrices.
func level3Families() []*Family {
	return []*Family{
		{
			ID: Gemm, Name: "gemm", operations: product,
			product: true, types: sdcz + fp16, wide: true, strides: lowerCase,
			About: "C = alpha op(A) op(B) + beta C",
			params: []part{productSizes("A", "B", "C"), alpha(), firstFactor("first factor"),
				secondFactor("second factor"),
				beta(), matrix(C, Dense, m, n, InOut, "the result"), batchCount()},
		},
		{
			ID: Gemmt, Name: "gemmt", operations: triangleOfProduct, wide: true, strides: lowerCase,
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
			ID: Trmm, Name: "trmm", operations: bySquare(1), wide: true, strides: underscore,
			About: "C = alpha op(A) B or alpha B op(A), A triangular",
			params: []part{triangularFactor, alpha(), triangularA, matrix(B, Dense, m, n, In, "the factor"),
				matrix(C, Dense, m, n, Out, "the result; may be B"), batchCount()},
		},
		{
			ID: Trsm, Name: "trsm", operations: bySquare(1),
			wide: true, strides: lowerCase, Triangles: 1, Buffers: triangularSolve,
			About: "solves op(A) X = alpha B or X op(A) = alpha B, A triangular; X overwrites B",
			params: []part{triangularFactor, alpha(), triangularA,
				matrix(B, Dense, m, n, InOut, "right-hand sides and solution"), batchCount()},
		},
		{
			ID: Trtri, Name: "trtri", operations: cubic(1.0 / 3), shared: true, strides: lowerCase,
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
	f.wide, f.strides, f.operations = true, underscore, bySquare(2)
	f.params = []part{sideOfA, uplo("triangle of A that is read"), rowsAndColumns("C"), alpha(),
		matrix(A, Upper, orderBySide, orderBySide, In, "the square matrix"),
		matrix(B, Dense, m, n, In, "the other factor"), beta(), matrix(C, Dense, m, n, InOut, "the result"),
		batchCount()}
	return f
}

// Level 3 for mixed datatypes.
func level3ExFamilies() []*Family {
	return []*Family{
		{
			ID: GemmEx, Name: "gemm_ex", operations: product,
			product: true, types: mixedTypes, wide: true, strides: lowerCase,
			About:  "D = alpha op(A) op(B) + beta C, each of any type",
			arrays: map[Slot]string{A: "a", B: "b", C: "c", D: "d"},
			params: []part{productSizes("a", "b", "c and d"),
				mixedOperands("first factor", "second factor", "the summand", "the result; may be c"),
				batchCount(), following(AType, computeType), kernelChoice},
		},
		{
			ID: GemmEx3, Name: "gemm_ex3", operations: product, product: true, types: mixedTypes, strides: lowerCase,
			Without: []string{"rocm-7.1", "rocm-7.2"},
			Float8:  true, Buffers: []buffer.ID{buffer.ConvertedFactors},
			About:  "D = alpha op(A) op(B) + beta C of 8-bit floating-point numbers",
			arrays: map[Slot]string{A: "a", B: "b", C: "c", D: "d"},
			params: []part{productSizes("a", "b", "c and d"),
				mixedOperands("first factor", "second factor", "the summand", "the result; may be c"), batchCount(),
				withDefault(ComputeF32, byValue(ComputeType, ComputeMode, "types that are multiplied")), kernelChoice},
		},
		{
			ID: GemmKernelName, Name: "gemm_kernel_name", types: fp16 + sd, strides: lowerCase, forms: plainOnly,
			Without: []string{"rocm-7.1", "rocm-7.2"},
			About:   "would report the kernel of a strided batch of gemm; the library does not implement it",
			params: []part{productSizes("A", "B", "C"), alpha(), inStridedBatch(firstFactor("first factor")),
				inStridedBatch(secondFactor("second factor")),
				beta(), inStridedBatch(matrix(C, Dense, m, n, None, "the result of gemm")),
				inStridedBatch(batchCount())},
		},
		{
			ID: GeamEx, Name: "geam_ex", operations: perEntry(3), types: mixedTypes, forms: plainOnly,
			About: "D = min(alpha op(A) + alpha op(B), beta C) or min(alpha op(A), alpha op(B)) + beta C, " +
				"over the inner dimension",
			params: []part{productSizes("A", "B", "C and D"),
				mixedOperands("first matrix", "second matrix", "the summand or comparand", "the result; may be C"),
				following(AType, computeType), byValue(GeamOperation, GeamOp, "the operation")},
		},
		{
			ID: SyrkEx, Name: "syrk_ex", operations: triangleOfProduct, types: mixedTypes, forms: plainOnly,
			Without: []string{"rocm-6.4", "rocm-7.1"},
			About:   "C = alpha op(A) op(A)^T + beta C, of any types; one triangle of C is kept",
			Buffers: []buffer.ID{buffer.TriangleCopy},
			params: []part{uplo("triangle of C that is updated"), operation("transA", TransA, "op"),
				dim(N, "order of C"), dim(K, "columns of op(A)"), ofArgument(ExecutionType, alpha()),
				typed(AType, matrix(A, Dense, operandRows, operandColumns, In, "factor")),
				ofArgument(ExecutionType, beta()),
				typedAs(CType, AType, matrix(C, Upper, n, n, InOut, "the summand, and the result")),
				following(CType, executionType)},
		},
		{
			ID: TrsmEx, Name: "trsm_ex", operations: bySquare(1), types: mixedTypes, strides: underscore, Triangles: 1,
			About:   "trsm of any type, which may be given the inverted diagonal blocks of A",
			Buffers: triangularSolve,
			params: []part{triangularFactor, ofArgument(ComputeType, alpha()), ofArgument(ComputeType, triangularA),
				ofArgument(ComputeType, matrix(B, Dense, m, n, InOut, "right-hand sides and solution")), batchCount(),
				suppliedInverse(), suppliedElements(), computeType},
		},
	}
}

// inStridedBatch gives a part the parameters that it has in a strided batch, in a routine that has only one form.
func inStridedBatch(p part) part {
	return func(f *Family, _ Variant) []Param { return p(f, StridedBatched) }
}

// mixedOperands declares the scalars and matrices of a routine for mixed datatypes: A and B of one type, C and D of
// another. The parameters describe the four matrices.
func mixedOperands(first, second, third, result string) part {
	return several(ofArgument(ComputeType, alpha()),
		typed(AType, firstFactor(first)), typedAs(BType, AType, secondFactor(second)),
		ofArgument(ComputeType, beta()),
		typedAs(CType, AType, unreadWhenZero(Beta, matrix(C, Dense, m, n, In, third))),
		typedAs(DType, CType, matrix(D, Dense, m, n, Out, result)))
}

var (
	computeType = byValue(ComputeType, Datatype, "datatype that is computed in, and of the scalars")

	kernelChoice = several(withDefault(GemmAlgoStandard, byValue(Algo, GemmAlgo, "how a kernel is chosen")),
		withDefault(0, byValue(SolutionIndex, FixedInt32, "the kernel, if algo is gemm_algo_solution_index")),
		withDefault(0, byValue(Flags, Uint32, "options of the kernels")))
)

// suppliedInverse declares the inverted blocks of 128 x 128 on the diagonal of A, one after the other.
func suppliedInverse() part {
	p := ofArgument(ComputeType, contiguous(InvA, OfArgument, sizeOf(InvASize), In,
		"inverted diagonal blocks of A, or null"))
	return func(f *Family, v Variant) []Param { return p(f, v)[:1] }
}

// suppliedElements declares the size of invA, and the stride of invA, which follows the size in the header.
func suppliedElements() part {
	size := withDefault(0, dim(InvASize, "elements of invA; with too few, the routine inverts the blocks itself"))
	return func(f *Family, v Variant) []Param { return appendStride(size(f, v), f, v, InvA) }
}

// Sums and scalings of matrices.
func geamFamilies() []*Family {
	return []*Family{
		{
			ID: Dgmm, Name: "dgmm", operations: perEntry(1), wide: true, strides: underscore,
			About: "C = diag(x) A or A diag(x)",
			params: []part{side("side of the product on which the diagonal matrix is"), rowsAndColumns("A and C"),
				matrix(A, Dense, m, n, In, "the factor"), vector(X, orderBySide, In, "the diagonal"),
				matrix(C, Dense, m, n, Out, "the result; may be A"), batchCount()},
		},
		{
			ID: Geam, Name: "geam", operations: perEntry(3), wide: true, strides: underscore,
			About: "C = alpha op(A) + beta op(B)",
			params: []part{operation("transA", TransA, "op on A"), operation("transB", TransB, "op on B"),
				rowsAndColumns("C"), scalar(Alpha, OfType, "factor of op(A)"),
				matrix(A, Dense, byOperation(TransA, M, N), byOperation(TransA, N, M), In, "first matrix"),
				scalar(Beta, OfType, "factor of op(B)"),
				unreadWhenZero(Beta,
					matrix(B, Dense, byOperation(TransB, M, N), byOperation(TransB, N, M), In, "second matrix")),
				matrix(C, Dense, m, n, Out, "the result; may be A or B"), batchCount()},
		},
	}
}

// Rank-1, rank-2, rank-k and rank-2k updates.
func updatesFamilies() []*Family {
	return []*Family{
		rankOne(&Family{ID: Ger, Name: "ger", types: sd, About: "A = alpha x y^T + A"}),
		rankOne(&Family{ID: Geru, Name: "geru", types: cz, About: "A = alpha x y^T + A"}),
		rankOne(&Family{ID: Gerc, Name: "gerc", types: cz, Conjugated: true, About: "A = alpha x y^H + A"}),
		symmetricUpdate(&Family{ID: Syr, Name: "syr", strides: joined, About: "A = alpha x x^T + A, A symmetric"}, 1),
		symmetricUpdate(&Family{ID: Her, Name: "her", Hermitian: true, types: cz, strides: underscore,
			About: "A = alpha x x^H + A, A Hermitian"}, 1),
		packedUpdate(&Family{ID: Spr, Name: "spr", About: "A = alpha x x^T + A, A symmetric in packed storage"}, 1),
		packedUpdate(&Family{ID: Hpr, Name: "hpr", Hermitian: true, types: cz,
			About: "A = alpha x x^H + A, A Hermitian in packed storage"}, 1),
		symmetricUpdate(&Family{ID: Syr2, Name: "syr2", strides: joined,
			About: "A = alpha (x y^T + y x^T) + A, A symmetric"}, 2),
		symmetricUpdate(&Family{ID: Her2, Name: "her2", Hermitian: true, types: cz, strides: underscore,
			About: "A = alpha x y^H + conj(alpha) y x^H + A, A Hermitian"}, 2),
		packedUpdate(&Family{ID: Spr2, Name: "spr2", types: sd,
			About: "A = alpha (x y^T + y x^T) + A, A symmetric in packed storage"}, 2),
		packedUpdate(&Family{ID: Hpr2, Name: "hpr2", Hermitian: true, types: cz,
			About: "A = alpha x y^H + conj(alpha) y x^H + A, A Hermitian in packed storage"}, 2),
		rankK(&Family{ID: Syrk, Name: "syrk", About: "C = alpha op(A) op(A)^T + beta C, C symmetric"}),
		rankK(&Family{ID: Herk, Name: "herk", Hermitian: true, types: cz,
			About: "C = alpha op(A) op(A)^H + beta C, C Hermitian"}),
		rank2K(&Family{ID: Syr2k, Name: "syr2k",
			About: "C = alpha (op(A) op(B)^T + op(B) op(A)^T) + beta C, C symmetric"}, rank2KProduct),
		rank2K(&Family{ID: Her2k, Name: "her2k", Hermitian: true, types: cz,
			About: "C = alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C, C Hermitian"}, rank2KProduct),
		rank2K(&Family{ID: Syrkx, Name: "syrkx", About: "C = alpha op(A) op(B)^T + beta C, C symmetric"},
			triangleOfProduct),
		rank2K(&Family{ID: Herkx, Name: "herkx", Hermitian: true, types: cz,
			About: "C = alpha op(A) op(B)^H + beta C, C Hermitian"}, triangleOfProduct),
	}
}

// rankOne completes an update of a general matrix.
func rankOne(f *Family) *Family {
	f.wide, f.operations = true, perEntry(2)
	f.params = []part{rowsAndColumns("A"), alpha(), vector(X, m, In, "column"),
		vector(Y, n, In, "row"), matrix(A, Dense, m, n, InOut, "the result"), batchCount()}
	return f
}

// symmetricUpdate completes an update of a symmetric matrix by one or two vectors.
func symmetricUpdate(f *Family, vectors int) *Family {
	return triangleUpdate(f, vectors, matrix(A, Upper, n, n, InOut, "the result"))
}

// packedUpdate completes an update of a packed symmetric matrix by one or two vectors.
func packedUpdate(f *Family, vectors int) *Family {
	f.strides, f.arrays = underscore, packedName
	return triangleUpdate(f, vectors, packedA(InOut, "the result"))
}

// triangleUpdate completes an update of one triangle. The alpha of a Hermitian update by one vector is real.
func triangleUpdate(f *Family, vectors int, result part) *Family {
	f.wide, f.operations = true, ofOrder(float64(vectors))
	factor := OfType
	if f.Hermitian && vectors == 1 {
		factor = OfReal
	}
	f.params = []part{uplo("triangle of A that is written"), dim(N, "order of A"),
		scalar(Alpha, factor, "factor of the product"), vector(X, n, In, "first vector")}
	if vectors == 2 {
		f.params = append(f.params, vector(Y, n, In, "second vector"))
	}
	f.params = append(f.params, result, batchCount())
	return f
}

var (
	operandRows    = byOperation(TransA, N, K)
	operandColumns = byOperation(TransA, K, N)
)

// scalarsOf returns the type of the scalars of a family that are real for Hermitian matrices.
func scalarsOf(f *Family) Element {
	if f.Hermitian {
		return OfReal
	}
	return OfType
}

// leavesC ends the description of the inner dimension of products that keep one triangle.
const leavesC = "; if 0, the 64-bit forms leave C as it is, without scaling it"

// rankK completes a rank-k update. The scalars of a Hermitian one are real.
func rankK(f *Family) *Family {
	f.Level, f.wide, f.strides, f.Buffers = 3, true, underscore, []buffer.ID{buffer.TriangleCopy}
	f.operations = triangleOfProduct
	f.params = []part{uplo("triangle of C that is written"), operation("transA", TransA, "op"), dim(N, "order of C"),
		dim(K, "columns of op(A)"+leavesC), scalar(Alpha, scalarsOf(f), "factor of the product"),
		matrix(A, Dense, operandRows, operandColumns, In, "the factor"),
		scalar(Beta, scalarsOf(f), "factor of the old result"), matrix(C, Upper, n, n, InOut, "the result"),
		batchCount()}
	return f
}

// rank2K completes an update by two factors. The beta of a Hermitian one is real.
func rank2K(f *Family, count operations) *Family {
	f.Level, f.wide, f.strides, f.operations = 3, true, underscore, count
	f.params = []part{uplo("triangle of C that is written"), operation("trans", TransA, "op"), dim(N, "order of C"),
		dim(K, "columns of op(A) and op(B)"+leavesC), alpha(),
		matrix(A, Dense, operandRows, operandColumns, In, "first factor"),
		matrix(B, Dense, operandRows, operandColumns, In, "second factor"),
		scalar(Beta, scalarsOf(f), "factor of the old result"), matrix(C, Upper, n, n, InOut, "the result"),
		batchCount()}
	return f
}
