package routine

import "slices"

// Level 3: combinations and products of matrices with special results.
const (
	Dgmm FamilyID = endOfLevel3 + iota
	Geam
	Gemmt
	GeamEx

	endOfCombinations
)

func combinations() []*Family {
	return []*Family{
		{
			ID: Dgmm, Name: "dgmm", Level: 3, types: sdcz, wide: true, strides: underscore,
			About: "C = diag(x) A or A diag(x)",
			params: []part{side("side of the product on which the diagonal matrix is"), dim(M, "rows of A and C"),
				dim(N, "columns of A and C"), matrix(A, Dense, m, n, In, "the factor"),
				vector(X, bySide(M, N), In, "the diagonal"), matrix(C, Dense, m, n, Out, "the result; may be A"),
				batchCount()},
		},
		{
			ID: Geam, Name: "geam", Level: 3, types: sdcz, wide: true, strides: underscore,
			About: "C = alpha op(A) + beta op(B)",
			params: []part{operation("transA", TransA, "op on A"), operation("transB", TransB, "op on B"),
				dim(M, "rows of C"), dim(N, "columns of C"), scalar(Alpha, OfType, "factor of op(A)"),
				matrix(A, Dense, byOperation(TransA, M, N), byOperation(TransA, N, M), In, "first matrix"),
				scalar(Beta, OfType, "factor of op(B)"),
				unreadWhenZero(Beta,
					matrix(B, Dense, byOperation(TransB, M, N), byOperation(TransB, N, M), In, "second matrix")),
				matrix(C, Dense, m, n, Out, "the result; may be A or B"), batchCount()},
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
		{
			ID: GeamEx, Name: "geam_ex", Level: 3, types: mixed, forms: []Variant{Plain},
			About: "D = min(alpha (op(A) + op(B)), beta C) or min(alpha op(A), op(B)) + beta C, " +
				"over the inner dimension",
			params: slices.Concat([]part{operation("transA", TransA, "op on A"), operation("transB", TransB, "op on B"),
				dim(M, "rows of C and D"), dim(N, "columns of C and D"), dim(K, "columns of op(A), rows of op(B)")},
				mixedOperands("first matrix", "second matrix", "what is added or compared", "the result; may be C"),
				[]part{following(AType, computeType()), value(GeamOperation, GeamOp, "the operation")}),
		},
	}
}
