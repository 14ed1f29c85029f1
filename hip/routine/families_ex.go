package routine

// The routines whose arguments say what their arrays hold. They have one name for all types, and take void pointers.

const mixed = string(Mixed)

var level1Ex = []*Family{
	dotEx("dot_ex", "dot product of x and y, each of any type"),
	dotEx("dotc_ex", "dot product of conjugated x and y, each of any type"),
	{Name: "nrm2_ex", Level: 1, types: mixed, wide: true, strides: underscore, About: "Euclidean norm of x of any type",
		params: []part{dim(N, "elements of x"), typed(XType, vector(X, n, In, "the vector")), batchCount(),
			resultOfType("results", "the norm"), executionType()}},
}

func dotEx(name, about string) *Family {
	return &Family{Name: name, Level: 1, types: mixed, wide: true, strides: underscore, About: about,
		params: []part{dim(N, "elements of x and y"), typed(XType, vector(X, n, In, "first vector")), typed(YType, vector(Y, n, In, "second vector")),
			batchCount(), resultOfType("result", "the product"), executionType()}}
}

// resultOfType declares a result and its datatype, which the headers call result_type whatever the result is called.
func resultOfType(name, about string) part {
	return func(f *Family, v Variant) []Param {
		list := ofArgument(ResultType, result(name, name, OfArgument, about))(f, v)
		return append(list, Param{Name: "result_type", Slot: ResultType, Kind: Datatype, About: "datatype of the result"})
	}
}

func executionType() part {
	return option("execution_type", ExecutionType, Datatype, "datatype that is computed in")
}

func computeType() part {
	return option("compute_type", ComputeType, Datatype, "datatype that is computed in, and of the scalars")
}

var level3Ex = []*Family{
	{Name: "trsm_ex", Level: 3, types: mixed, strides: underscore, About: "trsm of any type, which may be given the inverted diagonal blocks of A",
		params: []part{side("where A stands"), uplo("triangle that A is"), operation("transA", TransA, "op"), diag(),
			dim(M, "rows of B"), dim(N, "columns of B"), ofArgument(ComputeType, alpha()),
			ofArgument(ComputeType, matrix(A, Upper, bySide(M, N), bySide(M, N), In, "the triangular matrix")),
			ofArgument(ComputeType, matrix(B, Dense, m, n, InOut, "right-hand sides and solution")), batchCount(), suppliedInverse(), computeType()}},
	{Name: "gemm_ex", Level: 3, types: mixed, wide: true, strides: lower, lowercase: true, About: "D = alpha op(A) op(B) + beta C, each of any type",
		params: []part{operation("transA", TransA, "op on a"), operation("transB", TransB, "op on b"),
			dim(M, "rows of c and d"), dim(N, "columns of c and d"), dim(K, "columns of op(a), rows of op(b)"), ofArgument(ComputeType, alpha()),
			typed(AType, matrix(A, Dense, byOperation(TransA, M, K), byOperation(TransA, K, M), In, "first factor")),
			typed(BType, matrix(B, Dense, byOperation(TransB, K, N), byOperation(TransB, N, K), In, "second factor")),
			ofArgument(ComputeType, beta()), typed(CType, unreadWhenZero(Beta, matrix(C, Dense, m, n, In, "what is added"))),
			typed(DType, matrix(D, Dense, m, n, Out, "the result; may be c")), batchCount(), computeType(),
			option("algo", Algo, GemmAlgo, "how a kernel is chosen"), option("solution_index", SolutionIndex, FixedInt32, "the kernel, if algo says so"),
			option("flags", Flags, Uint32, "options of the kernels")}},
}

// suppliedInverse declares the inverted blocks of 128 x 128 on the diagonal of A, one after the other.
func suppliedInverse() part {
	return func(f *Family, v Variant) []Param {
		list := []Param{array(Param{Name: "invA", Slot: InvA, Access: In, Elem: OfArgument, Type: ComputeType, Layout: Contiguous,
			Rows: Extent{"invA_size", func(a *Args) int64 { return a.Int(InvASize) }}, About: "inverted diagonal blocks of A, or null"}, v),
			{Name: "invA_size", Slot: InvASize, Kind: Int32, About: "elements of invA; too few, and the blocks are inverted anew"}}
		return appendStride(list, f, v, InvA)
	}
}
