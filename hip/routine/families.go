package routine

// families is the table, in the order of the documentation's table and then the solver routines. What the library
// takes as A, B, C is said once here; names, C signatures, Lua arguments, memory regions, docs and stubs follow.
var families = concat(level1, level1Ex, level2, level3, level3Ex, solver)

func concat(groups ...[]*Family) []*Family {
	var list []*Family
	for _, g := range groups {
		list = append(list, g...)
	}
	return list
}

const (
	sd   = "sd"
	cz   = "cz"
	sdcz = "sdcz"
)

var (
	m, n, nrhs = of(M), of(N), of(NRHS)
)

var level1 = []*Family{
	{Name: "asum", Level: 1, types: sdcz, wide: true, About: "sum of the absolute values of x (|re| + |im|)",
		names: map[Type]string{TypeC: "scasum", TypeZ: "dzasum"},
		params: []part{dim(N, "elements of x"), vector(X, n, In, "the vector"), batchCount(),
			result("result", "results", OfReal, "the sum")}},
	{Name: "nrm2", Level: 1, types: sdcz, wide: true, About: "Euclidean norm of x",
		names: map[Type]string{TypeC: "scnrm2", TypeZ: "dznrm2"},
		params: []part{dim(N, "elements of x"), vector(X, n, In, "the vector"), batchCount(),
			result("result", "results", OfReal, "the norm")}},
	dot("dot", sd, "dot product of x and y"),
	dot("dotu", cz, "dot product of x and y, unconjugated"),
	dot("dotc", cz, "dot product of conjugated x and y"),
	extremum("iamax", "amax", "1-based place of the first element of largest |re| + |im|"),
	extremum("iamin", "amin", "1-based place of the first element of smallest |re| + |im|"),
}

func dot(name, types, about string) *Family {
	return &Family{Name: name, Level: 1, types: types, wide: true, About: about,
		params: []part{dim(N, "elements of x and y"), vector(X, n, In, "first vector"), vector(Y, n, In, "second vector"),
			batchCount(), result("result", "result", OfType, "the product")}}
}

func extremum(name, suffix, about string) *Family {
	names := map[Type]string{}
	for _, t := range sdcz {
		names[Type(t)] = "i" + string(t) + suffix
	}
	return &Family{Name: name, Level: 1, types: sdcz, wide: true, About: about, names: names,
		params: []part{dim(N, "elements of x"), vector(X, n, In, "the vector"), batchCount(),
			result("result", "result", OfInt, "the place; 0 for an empty vector")}}
}

var level2 = []*Family{
	{Name: "gemv", Level: 2, types: sdcz, wide: true, About: "y = alpha op(A) x + beta y",
		rename: map[string]string{"_strided_batched trans": "transA"},
		params: []part{operation("trans", TransA, "op: none, transpose or conjugate transpose"), dim(M, "rows of A"), dim(N, "columns of A"),
			alpha(), matrix(A, Dense, m, n, In, "the matrix"), vector(X, byOperation(TransA, N, M), In, "the factor"),
			beta(), vector(Y, byOperation(TransA, M, N), InOut, "the result"), batchCount()}},
	{Name: "tbmv", Level: 2, types: sdcz, wide: true, strides: underscore, About: "x = op(A) x, A triangular in band storage",
		params: []part{uplo("triangle that A is"), operation("trans", TransA, "op"), diag(), dim(N, "order of A"), dim(K, "diagonals beside the main one"),
			matrix(A, Band, plusOne(K), n, In, "the band matrix"), vector(X, n, InOut, "factor and result"), batchCount()}},
	{Name: "tpmv", Level: 2, types: sdcz, wide: true, strides: underscore, About: "x = op(A) x, A triangular in packed storage",
		params: []part{uplo("triangle that A is"), operation("transA", TransA, "op"), diag(), dim(N, "order of A"),
			matrix(A, Packed, n, n, In, "the packed matrix"), vector(X, n, InOut, "factor and result"), batchCount()}},
	{Name: "trmv", Level: 2, types: sdcz, wide: true, strides: underscore, About: "x = op(A) x, A triangular",
		params: []part{uplo("triangle that A is"), operation("transA", TransA, "op"), diag(), dim(N, "order of A"),
			matrix(A, Upper, n, n, In, "the triangular matrix"), vector(X, n, InOut, "factor and result"), batchCount()}},
	{Name: "trsv", Level: 2, types: sdcz, wide: true, strides: underscore, About: "solves op(A) x = b, A triangular; x overwrites b",
		params: []part{uplo("triangle that A is"), operation("transA", TransA, "op"), diag(), dim(N, "order of A"),
			matrix(A, Upper, n, n, In, "the triangular matrix"), vector(X, n, InOut, "right-hand side and solution"), batchCount()}},
	matrixVector("hemv", cz, underscore, "y = alpha A x + beta y, A Hermitian"),
	matrixVector("symv", sdcz, joined, "y = alpha A x + beta y, A symmetric"),
}

func matrixVector(name, types string, strides strideStyle, about string) *Family {
	return &Family{Name: name, Level: 2, types: types, wide: true, strides: strides, About: about,
		params: []part{uplo("triangle of A that is read"), dim(N, "order of A"), alpha(), matrix(A, Upper, n, n, In, "the matrix"),
			vector(X, n, In, "the factor"), beta(), vector(Y, n, InOut, "the result"), batchCount()}}
}

var level3 = []*Family{
	{Name: "trsm", Level: 3, types: sdcz, wide: true, strides: lower, About: "solves op(A) X = alpha B or X op(A) = alpha B, A triangular; X overwrites B",
		params: []part{side("where A stands"), uplo("triangle that A is"), operation("transA", TransA, "op"), diag(),
			dim(M, "rows of B"), dim(N, "columns of B"), alpha(), matrix(A, Upper, bySide(M, N), bySide(M, N), In, "the triangular matrix"),
			matrix(B, Dense, m, n, InOut, "right-hand sides and solution"), batchCount()}},
	symmetricProduct("symm", sdcz, "C = alpha A B + beta C or alpha B A + beta C, A symmetric"),
	rankK("syrk", sdcz, OfType, "C = alpha op(A) op(A)^T + beta C, C symmetric"),
	rank2K("syr2k", sdcz, OfType, "C = alpha (op(A) op(B)^T + op(B) op(A)^T) + beta C, C symmetric"),
	rank2K("syrkx", sdcz, OfType, "C = alpha op(A) op(B)^T + beta C, C symmetric"),
	{Name: "trmm", Level: 3, types: sdcz, wide: true, strides: underscore, About: "C = alpha op(A) B or alpha B op(A), A triangular",
		params: []part{side("where A stands"), uplo("triangle that A is"), operation("transA", TransA, "op"), diag(),
			dim(M, "rows of B"), dim(N, "columns of B"), alpha(), matrix(A, Upper, bySide(M, N), bySide(M, N), In, "the triangular matrix"),
			matrix(B, Dense, m, n, In, "the factor"), matrix(C, Dense, m, n, Out, "the result; may be B"), batchCount()}},
	symmetricProduct("hemm", cz, "C = alpha A B + beta C or alpha B A + beta C, A Hermitian"),
	rankK("herk", cz, OfReal, "C = alpha op(A) op(A)^H + beta C, C Hermitian"),
	rank2K("her2k", cz, OfReal, "C = alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C, C Hermitian"),
	rank2K("herkx", cz, OfReal, "C = alpha op(A) op(B)^H + beta C, C Hermitian"),
	{Name: "gemm", Level: 3, types: sdcz, wide: true, strides: lower, About: "C = alpha op(A) op(B) + beta C",
		params: []part{operation("transA", TransA, "op on A"), operation("transB", TransB, "op on B"),
			dim(M, "rows of C"), dim(N, "columns of C"), dim(K, "columns of op(A), rows of op(B)"), alpha(),
			matrix(A, Dense, byOperation(TransA, M, K), byOperation(TransA, K, M), In, "first factor"),
			matrix(B, Dense, byOperation(TransB, K, N), byOperation(TransB, N, K), In, "second factor"),
			beta(), matrix(C, Dense, m, n, InOut, "the result"), batchCount()}},
	{Name: "trtri", Level: 3, types: sdcz, strides: lower, About: "inverse of a triangular matrix",
		params: []part{uplo("triangle that A is"), diag(), dim(N, "order of A"), matrix(A, Upper, n, n, In, "the triangular matrix"),
			matrix(InvA, Dense, n, n, Out, "its inverse, with zeros in the other triangle; may be A, whose other triangle stays"), batchCount()}},
}

func symmetricProduct(name, types, about string) *Family {
	return &Family{Name: name, Level: 3, types: types, wide: true, strides: underscore, About: about,
		params: []part{side("where A stands"), uplo("triangle of A that is read"), dim(M, "rows of C"), dim(N, "columns of C"), alpha(),
			matrix(A, Upper, bySide(M, N), bySide(M, N), In, "the square matrix"), matrix(B, Dense, m, n, In, "the other factor"),
			beta(), matrix(C, Dense, m, n, InOut, "the result"), batchCount()}}
}

func rankK(name, types string, scalars Element, about string) *Family {
	return &Family{Name: name, Level: 3, types: types, wide: true, strides: underscore, About: about,
		params: []part{uplo("triangle of C that is written"), operation("transA", TransA, "op"), dim(N, "order of C"), dim(K, "columns of op(A)"),
			scalar(Alpha, scalars, "factor of the product"), matrix(A, Dense, byOperation(TransA, N, K), byOperation(TransA, K, N), In, "the factor"),
			scalar(Beta, scalars, "factor of the old result"), matrix(C, Upper, n, n, InOut, "the result"), batchCount()}}
}

func rank2K(name, types string, betaElem Element, about string) *Family {
	rows, cols := byOperation(TransA, N, K), byOperation(TransA, K, N)
	return &Family{Name: name, Level: 3, types: types, wide: true, strides: underscore, About: about,
		params: []part{uplo("triangle of C that is written"), operation("trans", TransA, "op"), dim(N, "order of C"), dim(K, "columns of op(A) and op(B)"),
			alpha(), matrix(A, Dense, rows, cols, In, "first factor"), matrix(B, Dense, rows, cols, In, "second factor"),
			scalar(Beta, betaElem, "factor of the old result"), matrix(C, Upper, n, n, InOut, "the result"), batchCount()}}
}

var solver = []*Family{
	factorLU("getrf", "LU factorization with partial pivoting"),
	{Name: "getrf_npvt", Library: RocSOLVER, Level: 4, types: sdcz, About: "LU factorization without pivoting",
		params: []part{dim(M, "rows of A"), dim(N, "columns of A"), matrix(A, Dense, m, n, InOut, "the matrix; its factors"), info(), batchCount()}},
	factorLU("getf2", "LU factorization with partial pivoting, unblocked"),
	{Name: "getrs", Library: RocSOLVER, Level: 4, types: sdcz, About: "solves op(A) X = B from the factors of getrf; X overwrites B",
		params: []part{operation("trans", TransA, "op"), dim(N, "order of A"), dim(NRHS, "right-hand sides"),
			matrix(A, Dense, n, n, In, "the factors"), pivots(OfInt, n, In, "row exchanges of getrf"),
			matrix(B, Dense, n, nrhs, InOut, "right-hand sides and solution"), batchCount()}},
	{Name: "getri", Library: RocSOLVER, Level: 4, types: sdcz, About: "inverse of a matrix from the factors of getrf",
		params: []part{dim(N, "order of A"), matrix(A, Dense, n, n, InOut, "the factors; the inverse"),
			pivots(OfInt, n, In, "row exchanges of getrf"), info(), batchCount()}},
	{Name: "gesv", Library: RocSOLVER, Level: 4, types: sdcz, About: "solves A X = B by LU factorization; X overwrites B",
		params: []part{dim(N, "order of A"), dim(NRHS, "right-hand sides"), matrix(A, Dense, n, n, InOut, "the matrix; its factors"),
			pivots(OfInt, n, Out, "row exchanges, 1-based"), matrix(B, Dense, n, nrhs, InOut, "right-hand sides and solution"), info(), batchCount()}},
	{Name: "potrf", Library: RocSOLVER, Level: 4, types: sdcz, About: "Cholesky factorization",
		params: []part{uplo("triangle of A"), dim(N, "order of A"), matrix(A, Upper, n, n, InOut, "the matrix; its factor"), info(), batchCount()}},
	{Name: "potrs", Library: RocSOLVER, Level: 4, types: sdcz, About: "solves A X = B from the factor of potrf; X overwrites B",
		params: []part{uplo("triangle of A"), dim(N, "order of A"), dim(NRHS, "right-hand sides"), matrix(A, Upper, n, n, In, "the factor"),
			matrix(B, Dense, n, nrhs, InOut, "right-hand sides and solution"), batchCount()}},
	{Name: "posv", Library: RocSOLVER, Level: 4, types: sdcz, About: "solves A X = B by Cholesky factorization; X overwrites B",
		params: []part{uplo("triangle of A"), dim(N, "order of A"), dim(NRHS, "right-hand sides"), matrix(A, Upper, n, n, InOut, "the matrix; its factor"),
			matrix(B, Dense, n, nrhs, InOut, "right-hand sides and solution"), info(), batchCount()}},
	{Name: "geqrf", Library: RocSOLVER, Level: 4, types: sdcz, About: "QR factorization by Householder reflections",
		params: []part{dim(M, "rows of A"), dim(N, "columns of A"), matrix(A, Dense, m, n, InOut, "the matrix; R and the reflections"),
			pivots(OfType, smaller(M, N), Out, "the reflections' scalars"), batchCount()}},
}

func factorLU(name, about string) *Family {
	return &Family{Name: name, Library: RocSOLVER, Level: 4, types: sdcz, About: about,
		params: []part{dim(M, "rows of A"), dim(N, "columns of A"), matrix(A, Dense, m, n, InOut, "the matrix; its factors"),
			pivots(OfInt, smaller(M, N), Out, "row exchanges, 1-based"), info(), batchCount()}}
}
