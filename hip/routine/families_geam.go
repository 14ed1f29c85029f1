package routine

// Sums and scalings of matrices.
func geamFamilies() []*Family {
	return []*Family{
		{
			ID: Dgmm, Name: "dgmm", wide: true, strides: underscore,
			About: "C = diag(x) A or A diag(x)",
			params: []part{side("side of the product on which the diagonal matrix is"), rowsAndColumns("A and C"),
				matrix(A, Dense, m, n, In, "the factor"), vector(X, orderBySide, In, "the diagonal"),
				matrix(C, Dense, m, n, Out, "the result; may be A"), batchCount()},
		},
		{
			ID: Geam, Name: "geam", wide: true, strides: underscore,
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
