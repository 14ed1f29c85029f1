package routine

import "roclua/hip/routine/buffer"

// Level 2: a matrix and one or two vectors.
const (
	Gemv FamilyID = endOfRotations + iota
	Tbmv
	Tpmv
	Trmv
	Trsv
	Hemv
	Symv

	endOfLevel2
)

func level2() []*Family {
	return []*Family{
		{
			ID: Gemv, Name: "gemv", Level: 2, types: sdcz, wide: true,
			About:   "y = alpha op(A) x + beta y",
			Buffers: columnSums,
			rename:  map[string]string{"_strided_batched trans": "transA"},
			params: []part{operation("trans", TransA, "op: none, transpose or conjugate transpose"),
				dim(M, "rows of A"),
				dim(N, "columns of A"), alpha(), matrix(A, Dense, m, n, In, "the matrix"),
				vector(X, byOperation(TransA, N, M), In, "the factor"), beta(),
				vector(Y, byOperation(TransA, M, N), InOut, "the result"), batchCount()},
		},
		{
			ID: Tbmv, Name: "tbmv", Level: 2, types: sdcz, wide: true, strides: underscore,
			About:   "x = op(A) x, A triangular in band storage",
			Buffers: []buffer.ID{buffer.VectorCopy, buffer.VectorCopyPointers},
			params: []part{uplo("triangle that A is"), operation("trans", TransA, "op"), diag(), dim(N, "order of A"),
				dim(K, "diagonals of A except the main one"), matrix(A, Band, plusOne(K), n, In, "the band matrix"),
				vector(X, n, InOut, "factor and result"), batchCount()},
		},
		{
			ID: Tpmv, Name: "tpmv", Level: 2, types: sdcz, wide: true, strides: underscore,
			About:   "x = op(A) x, A triangular in packed storage",
			Buffers: []buffer.ID{buffer.VectorCopy},
			params: []part{uplo("triangle that A is"), operation("transA", TransA, "op"), diag(), dim(N, "order of A"),
				matrix(A, Packed, n, n, In, "the packed matrix"), vector(X, n, InOut, "factor and result"),
				batchCount()},
		},
		{
			ID: Trmv, Name: "trmv", Level: 2, types: sdcz, wide: true, strides: underscore,
			About:   "x = op(A) x, A triangular",
			Buffers: []buffer.ID{buffer.VectorCopy},
			params: []part{uplo("triangle that A is"), operation("transA", TransA, "op"), diag(), dim(N, "order of A"),
				matrix(A, Upper, n, n, In, "the triangular matrix"), vector(X, n, InOut, "factor and result"),
				batchCount()},
		},
		{
			ID: Trsv, Name: "trsv", Level: 2, types: sdcz, wide: true, strides: underscore,
			About:   "solves op(A) x = b, A triangular; x overwrites b",
			Buffers: []buffer.ID{buffer.BlockCounters},
			params: []part{uplo("triangle that A is"), operation("transA", TransA, "op"), diag(), dim(N, "order of A"),
				matrix(A, Upper, n, n, In, "the triangular matrix"),
				vector(X, n, InOut, "right-hand side and solution"), batchCount()},
		},
		matrixVector(&Family{ID: Hemv, Name: "hemv", Hermitian: true, types: cz, strides: underscore,
			About: "y = alpha A x + beta y, A Hermitian"}),
		matrixVector(&Family{ID: Symv, Name: "symv", types: sdcz, strides: joined,
			About: "y = alpha A x + beta y, A symmetric"}),
	}
}

func matrixVector(f *Family) *Family {
	f.Level, f.wide, f.Buffers = 2, true, []buffer.ID{buffer.BlockColumns}
	f.params = []part{uplo("triangle of A that is read"), dim(N, "order of A"), alpha(),
		matrix(A, Upper, n, n, In, "the matrix"), vector(X, n, In, "the factor"), beta(),
		vector(Y, n, InOut, "the result"), batchCount()}
	return f
}
