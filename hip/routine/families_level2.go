package routine

import (
	"slices"

	"roclua/hip/routine/buffer"
)

// Level 2: products and solves of a matrix and a vector.
func level2Families() []*Family {
	return []*Family{
		{
			ID: Gemv, Name: "gemv", operations: perEntry(2), wide: true, Buffers: columnSums, rename: stridedTransA,
			About: "y = alpha op(A) x + beta y",
			params: []part{operation("trans", TransA, "op: none, transpose or conjugate transpose"),
				rowsAndColumns("A"), alpha(), matrix(A, Dense, m, n, In, "the matrix"),
				vector(X, byOperation(TransA, N, M), In, "the factor"), beta(),
				vector(Y, byOperation(TransA, M, N), InOut, "the result"), batchCount()},
		},
		{
			ID: Gbmv, Name: "gbmv", operations: band, wide: true, strides: underscore,
			About: "y = alpha op(A) x + beta y, A in band storage",
			params: []part{operation("trans", TransA, "op"), rowsAndColumns("A"),
				dim(KL, "diagonals of A below the main one"), dim(KU, "diagonals of A above the main one"), alpha(),
				matrix(A, Band, bandRows, n, In, "the band matrix"),
				vector(X, byOperation(TransA, N, M), In, "the factor"), beta(),
				vector(Y, byOperation(TransA, M, N), InOut, "the result"), batchCount()},
		},
		halfGemv(&Family{ID: HalfGemv, Name: "hshgemv",
			names: map[Type]string{TypeH: "hshgemv", TypeBF: "tstgemv"},
			About: "y = alpha op(A) x + beta y of 16-bit numbers, added in float"}, OfType),
		halfGemv(&Family{ID: HalfSingleGemv, Name: "hssgemv",
			names: map[Type]string{TypeH: "hssgemv", TypeBF: "tssgemv"},
			About: "y = alpha op(A) x + beta y, A and x of 16-bit numbers and y float"}, OfSingle),

		symmetricVector(&Family{ID: Symv, Name: "symv", strides: joined, Buffers: blockColumns,
			About: "y = alpha A x + beta y, A symmetric"}, ofOrder(2),
			alpha(), matrix(A, Upper, n, n, In, "the matrix")),
		symmetricVector(&Family{ID: Hemv, Name: "hemv", Hermitian: true, types: cz, strides: underscore,
			Buffers: blockColumns, About: "y = alpha A x + beta y, A Hermitian"}, ofOrder(2),
			alpha(), matrix(A, Upper, n, n, In, "the matrix")),
		symmetricVector(&Family{ID: Sbmv, Name: "sbmv", types: sd, strides: joined,
			About: "y = alpha A x + beta y, A symmetric in band storage"}, symmetricBand,
			bandWidth, alpha(), bandMatrix),
		symmetricVector(&Family{ID: Hbmv, Name: "hbmv", Hermitian: true, types: cz, strides: underscore,
			About: "y = alpha A x + beta y, A Hermitian in band storage"}, symmetricBand,
			bandWidth, alpha(), bandMatrix),
		symmetricVector(&Family{ID: Spmv, Name: "spmv", types: sd, strides: joined,
			About: "y = alpha A x + beta y, A symmetric in packed storage"}, ofOrder(2),
			alpha(), matrix(A, Packed, n, n, In, "the packed matrix")),
		symmetricVector(&Family{ID: Hpmv, Name: "hpmv", Hermitian: true, types: cz, strides: underscore,
			arrays: packedName, About: "y = alpha A x + beta y, A Hermitian in packed storage"}, ofOrder(2),
			alpha(), packedA(In, "the packed matrix")),

		triangularVector(&Family{ID: Trmv, Name: "trmv", About: "x = op(A) x, A triangular",
			Buffers: []buffer.ID{buffer.VectorCopy}}, ofOrder(1), "transA", "factor and result", triangularMatrix),
		triangularVector(&Family{ID: Tbmv, Name: "tbmv", About: "x = op(A) x, A triangular in band storage",
			Buffers: []buffer.ID{buffer.VectorCopy, buffer.VectorCopyPointers}}, triangularBand,
			"trans", "factor and result", bandWidth, bandMatrix),
		triangularVector(&Family{ID: Tpmv, Name: "tpmv", About: "x = op(A) x, A triangular in packed storage",
			Buffers: []buffer.ID{buffer.VectorCopy}}, ofOrder(1), "transA", "factor and result",
			packedA(In, "the packed matrix")),
		triangularVector(&Family{ID: Trsv, Name: "trsv", About: "solves op(A) x = b, A triangular; x overwrites b",
			Triangles: 1, Buffers: []buffer.ID{buffer.BlockCounters}}, ofOrder(1),
			"transA", "right-hand side and solution", triangularMatrix),
		triangularVector(&Family{ID: Tbsv, Name: "tbsv",
			About: "solves op(A) x = b, A triangular in band storage; x overwrites b"}, triangularBand,
			"transA", "right-hand side and solution", bandWidth, bandMatrix),
		triangularVector(&Family{ID: Tpsv, Name: "tpsv", arrays: packedName,
			About: "solves op(A) x = b, A triangular in packed storage; x overwrites b"}, ofOrder(1),
			"transA", "right-hand side and solution", packedA(In, "the packed matrix")),
	}
}

var (
	columnSums   = []buffer.ID{buffer.ColumnSums}
	blockColumns = []buffer.ID{buffer.BlockColumns}

	// stridedTransA is the name of trans in the strided forms of gemv.
	stridedTransA = map[string]string{"_strided_batched trans": "transA"}
	// packedName is the name of a packed matrix in most headers.
	packedName = map[Slot]string{A: "AP"}

	// bandRows is the height of a general matrix in band storage.
	bandRows   = Extent{"kl+ku+1", func(a *Args) int64 { return a.Int(KL) + a.Int(KU) + 1 }}
	bandWidth  = dim(K, "diagonals of A except the main one")
	bandMatrix = matrix(A, Band, plusOne(K), n, In, "the band matrix")

	triangularMatrix = matrix(A, Upper, n, n, In, "the triangular matrix")
)

// packedA declares a packed matrix, whose stride does not follow its name.
func packedA(access Access, about string) part {
	return withStride("stride_A", matrix(A, Packed, n, n, access, about))
}

// symmetricVector completes a product of a symmetric matrix, stored in some way, and a vector.
func symmetricVector(f *Family, count operations, stored ...part) *Family {
	f.wide, f.operations = true, count
	f.params = slices.Concat([]part{uplo("triangle of A that is read"), dim(N, "order of A")}, stored,
		[]part{vector(X, n, In, "the factor"), beta(), vector(Y, n, InOut, "the result"), batchCount()})
	return f
}

// triangularVector completes a product or a solve with a triangular matrix, stored in some way. Headers call the
// operation trans or transA.
func triangularVector(f *Family, count operations, trans, about string, stored ...part) *Family {
	f.wide, f.strides, f.operations = true, underscore, count
	f.params = slices.Concat([]part{uplo("triangle that A is"), operation(trans, TransA, "op"), diag(),
		dim(N, "order of A")}, stored, []part{vector(X, n, InOut, about), batchCount()})
	return f
}

// halfGemv completes a gemv of 16-bit numbers, which exists only for batches.
func halfGemv(f *Family, result Element) *Family {
	f.wide, f.types, f.forms = true, fp16+bf16, []Variant{Batched, StridedBatched}
	f.Buffers, f.rename, f.operations = columnSums, stridedTransA, perEntry(2)
	f.params = []part{operation("trans", TransA, "op"), rowsAndColumns("A"),
		scalar(Alpha, OfSingle, "factor of the product"), matrix(A, Dense, m, n, In, "the matrix"),
		vector(X, byOperation(TransA, N, M), In, "the factor"),
		scalar(Beta, OfSingle, "factor of the old result; 0 means it is not read"),
		edit(vector(Y, byOperation(TransA, M, N), InOut, "the result"), func(p *Param) { p.Elem = result }),
		batchCount()}
	return f
}
