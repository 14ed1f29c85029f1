package routine

import "roclua/hip/routine/buffer"

// Level 2: products and solves of a matrix and a vector.
func level2Families() []*Family {
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
			ID: Gbmv, Name: "gbmv", Level: 2, types: sdcz, wide: true, strides: underscore,
			About: "y = alpha op(A) x + beta y, A in band storage",
			params: []part{operation("trans", TransA, "op"), dim(M, "rows of A"), dim(N, "columns of A"),
				dim(KL, "diagonals of A below the main one"), dim(KU, "diagonals of A above the main one"), alpha(),
				matrix(A, Band, bandRows, n, In, "the band matrix"), vector(X, byOperation(TransA, N, M), In,
					"the factor"),
				beta(), vector(Y, byOperation(TransA, M, N), InOut, "the result"), batchCount()},
		},
		halfGemv(&Family{ID: HalfGemv, Name: "hshgemv",
			names: map[Type]string{TypeH: "hshgemv", TypeBF: "tstgemv"},
			About: "y = alpha op(A) x + beta y of 16-bit numbers, added in float"}, OfType),
		halfGemv(&Family{ID: HalfSingleGemv, Name: "hssgemv",
			names: map[Type]string{TypeH: "hssgemv", TypeBF: "tssgemv"},
			About: "y = alpha op(A) x + beta y, A and x of 16-bit numbers and y float"}, OfSingle),
		matrixVector(&Family{ID: Symv, Name: "symv", types: sdcz, strides: joined,
			About: "y = alpha A x + beta y, A symmetric"}),
		matrixVector(&Family{ID: Hemv, Name: "hemv", Hermitian: true, types: cz, strides: underscore,
			About: "y = alpha A x + beta y, A Hermitian"}),
		bandVector(&Family{ID: Sbmv, Name: "sbmv", types: sd, strides: joined,
			About: "y = alpha A x + beta y, A symmetric in band storage"}),
		bandVector(&Family{ID: Hbmv, Name: "hbmv", Hermitian: true, types: cz, strides: underscore,
			About: "y = alpha A x + beta y, A Hermitian in band storage"}),
		packedVector(&Family{ID: Spmv, Name: "spmv", types: sd, strides: joined,
			About: "y = alpha A x + beta y, A symmetric in packed storage"}),
		packedVector(&Family{ID: Hpmv, Name: "hpmv", Hermitian: true, types: cz, strides: underscore,
			arrays: map[Slot]string{A: "AP"},
			About:  "y = alpha A x + beta y, A Hermitian in packed storage"}),
		{
			ID: Trmv, Name: "trmv", Level: 2, types: sdcz, wide: true, strides: underscore,
			About:   "x = op(A) x, A triangular",
			Buffers: []buffer.ID{buffer.VectorCopy},
			params: []part{uplo("triangle that A is"), operation("transA", TransA, "op"), diag(), dim(N, "order of A"),
				matrix(A, Upper, n, n, In, "the triangular matrix"), vector(X, n, InOut, "factor and result"),
				batchCount()},
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
			ID: Trsv, Name: "trsv", Level: 2, types: sdcz, wide: true, strides: underscore,
			About:   "solves op(A) x = b, A triangular; x overwrites b",
			Buffers: []buffer.ID{buffer.BlockCounters},
			params: []part{uplo("triangle that A is"), operation("transA", TransA, "op"), diag(), dim(N, "order of A"),
				matrix(A, Upper, n, n, In, "the triangular matrix"),
				vector(X, n, InOut, "right-hand side and solution"), batchCount()},
		},
		{
			ID: Tbsv, Name: "tbsv", Level: 2, types: sdcz, wide: true, strides: underscore,
			About: "solves op(A) x = b, A triangular in band storage; x overwrites b",
			params: []part{uplo("triangle that A is"), operation("transA", TransA, "op"), diag(), dim(N, "order of A"),
				dim(K, "diagonals of A except the main one"), matrix(A, Band, plusOne(K), n, In, "the band matrix"),
				vector(X, n, InOut, "right-hand side and solution"), batchCount()},
		},
		{
			ID: Tpsv, Name: "tpsv", Level: 2, types: sdcz, wide: true, strides: underscore,
			arrays: map[Slot]string{A: "AP"},
			About:  "solves op(A) x = b, A triangular in packed storage; x overwrites b",
			params: []part{uplo("triangle that A is"), operation("transA", TransA, "op"), diag(), dim(N, "order of A"),
				packed(In, "the packed matrix"), vector(X, n, InOut, "right-hand side and solution"), batchCount()},
		},
	}
}

func matrixVector(f *Family) *Family {
	f.Level, f.wide, f.Buffers = 2, true, []buffer.ID{buffer.BlockColumns}
	f.params = []part{uplo("triangle of A that is read"), dim(N, "order of A"), alpha(),
		matrix(A, Upper, n, n, In, "the matrix"), vector(X, n, In, "the factor"), beta(),
		vector(Y, n, InOut, "the result"), batchCount()}
	return f
}

var columnSums = []buffer.ID{buffer.ColumnSums}

// bandRows is the height of a general band matrix in band storage.
var bandRows = Extent{"kl+ku+1", func(a *Args) int64 { return a.Int(KL) + a.Int(KU) + 1 }}

// packed declares a packed matrix, whose stride does not follow its name.
func packed(access Access, about string) part {
	return withStride("stride_A", matrix(A, Packed, n, n, access, about))
}

// bandVector completes a product of a symmetric band matrix and a vector.
func bandVector(f *Family) *Family {
	f.Level, f.wide = 2, true
	f.params = []part{uplo("triangle of A that is read"), dim(N, "order of A"),
		dim(K, "diagonals of A except the main one"), alpha(), matrix(A, Band, plusOne(K), n, In, "the band matrix"),
		vector(X, n, In, "the factor"), beta(), vector(Y, n, InOut, "the result"), batchCount()}
	return f
}

// packedVector completes a product of a symmetric packed matrix and a vector.
func packedVector(f *Family) *Family {
	f.Level, f.wide = 2, true
	a := matrix(A, Packed, n, n, In, "the packed matrix")
	if f.Hermitian {
		a = packed(In, "the packed matrix")
	}
	f.params = []part{uplo("triangle of A that is read"), dim(N, "order of A"), alpha(), a,
		vector(X, n, In, "the factor"), beta(), vector(Y, n, InOut, "the result"), batchCount()}
	return f
}

// halfGemv completes a gemv of 16-bit numbers, which exists only for batches.
func halfGemv(f *Family, result Element) *Family {
	f.Level, f.wide, f.types, f.forms = 2, true, half+bf, []Variant{Batched, StridedBatched}
	f.Buffers, f.rename = columnSums, map[string]string{"_strided_batched trans": "transA"}
	f.params = []part{operation("trans", TransA, "op"), dim(M, "rows of A"), dim(N, "columns of A"),
		scalar(Alpha, OfSingle, "factor of the product"), matrix(A, Dense, m, n, In, "the matrix"),
		vector(X, byOperation(TransA, N, M), In, "the factor"),
		scalar(Beta, OfSingle, "factor of the old result; 0 means it is not read"),
		edit(vector(Y, byOperation(TransA, M, N), InOut, "the result"), func(p *Param) { p.Elem = result }),
		batchCount()}
	return f
}
