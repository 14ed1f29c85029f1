package routine

import "roclua/hip/routine/buffer"

// Level 3 for mixed datatypes.
func level3ExFamilies() []*Family {
	return []*Family{
		{
			ID: GemmEx, Name: "gemm_ex", types: mixedTypes, wide: true, strides: lowerCase,
			About:  "D = alpha op(A) op(B) + beta C, each of any type",
			arrays: map[Slot]string{A: "a", B: "b", C: "c", D: "d"},
			params: []part{productSizes("a", "b", "c and d"),
				mixedOperands("first factor", "second factor", "what is added", "the result; may be c"),
				batchCount(), following(AType, computeType), kernelChoice},
		},
		{
			ID: GemmEx3, Name: "gemm_ex3", types: mixedTypes, strides: lowerCase,
			Without: []string{"rocm-7.1", "rocm-7.2"},
			Float8:  true, Buffers: []buffer.ID{buffer.ConvertedFactors},
			About:  "D = alpha op(A) op(B) + beta C of 8-bit floating-point numbers",
			arrays: map[Slot]string{A: "a", B: "b", C: "c", D: "d"},
			params: []part{productSizes("a", "b", "c and d"),
				mixedOperands("first factor", "second factor", "what is added", "the result; may be c"), batchCount(),
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
			ID: GeamEx, Name: "geam_ex", types: mixedTypes, forms: plainOnly,
			About: "D = min(alpha op(A) + alpha op(B), beta C) or min(alpha op(A), alpha op(B)) + beta C, " +
				"over the inner dimension",
			params: []part{productSizes("A", "B", "C and D"),
				mixedOperands("first matrix", "second matrix", "what is added or compared", "the result; may be C"),
				following(AType, computeType), byValue(GeamOperation, GeamOp, "the operation")},
		},
		{
			ID: SyrkEx, Name: "syrk_ex", types: mixedTypes, forms: plainOnly,
			Without: []string{"rocm-6.4", "rocm-7.1"},
			About:   "C = alpha op(A) op(A)^T + beta C, of any types, of which one triangle is kept",
			Buffers: []buffer.ID{buffer.TriangleCopy},
			params: []part{uplo("triangle of C that is updated"), operation("transA", TransA, "op"),
				dim(N, "order of C"), dim(K, "columns of op(A)"), ofArgument(ExecutionType, alpha()),
				typed(AType, matrix(A, Dense, operandRows, operandColumns, In, "factor")),
				ofArgument(ExecutionType, beta()),
				typedAs(CType, AType, matrix(C, Upper, n, n, InOut, "what is added, and the result")),
				following(CType, executionType)},
		},
		{
			ID: TrsmEx, Name: "trsm_ex", types: mixedTypes, strides: underscore,
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
