package routine

import "roclua/hip/routine/buffer"

// Level 2: band and packed matrices, rank updates, and gemv of 16-bit numbers.
const (
	Gbmv FamilyID = endOfLevel2 + iota
	Sbmv
	Hbmv
	Spmv
	Hpmv
	Tbsv
	Tpsv
	Ger
	Geru
	Gerc
	Syr
	Her
	Spr
	Hpr
	Syr2
	Her2
	Spr2
	Hpr2
	HalfGemv
	HalfSingleGemv

	endOfUpdates
)

func updates() []*Family {
	return []*Family{
		{
			ID: Gbmv, Name: "gbmv", Level: 2, types: sdcz, wide: true, strides: underscore,
			About: "y = alpha op(A) x + beta y, A in band storage",
			params: []part{operation("trans", TransA, "op"), dim(M, "rows of A"), dim(N, "columns of A"),
				dim(KL, "diagonals of A below the main one"), dim(KU, "diagonals of A above the main one"), alpha(),
				matrix(A, Band, bandRows, n, In, "the band matrix"), vector(X, byOperation(TransA, N, M), In,
					"the factor"),
				beta(), vector(Y, byOperation(TransA, M, N), InOut, "the result"), batchCount()},
		},
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
		rankOne(&Family{ID: Ger, Name: "ger", types: sd, About: "A = alpha x y^T + A"}),
		rankOne(&Family{ID: Geru, Name: "geru", types: cz, About: "A = alpha x y^T + A"}),
		rankOne(&Family{ID: Gerc, Name: "gerc", types: cz, Conjugated: true, About: "A = alpha x y^H + A"}),
		update(&Family{ID: Syr, Name: "syr", types: sdcz, strides: joined, About: "A = alpha x x^T + A, A symmetric"},
			1),
		update(&Family{ID: Her, Name: "her", Hermitian: true, types: cz, strides: underscore,
			About: "A = alpha x x^H + A, A Hermitian"}, 1),
		packedUpdate(&Family{ID: Spr, Name: "spr", types: sdcz,
			About: "A = alpha x x^T + A, A symmetric in packed storage"}, 1),
		packedUpdate(&Family{ID: Hpr, Name: "hpr", Hermitian: true, types: cz,
			About: "A = alpha x x^H + A, A Hermitian in packed storage"}, 1),
		update(&Family{ID: Syr2, Name: "syr2", types: sdcz, strides: joined,
			About: "A = alpha (x y^T + y x^T) + A, A symmetric"}, 2),
		update(&Family{ID: Her2, Name: "her2", Hermitian: true, types: cz, strides: underscore,
			About: "A = alpha x y^H + conj(alpha) y x^H + A, A Hermitian"}, 2),
		packedUpdate(&Family{ID: Spr2, Name: "spr2", types: sd,
			About: "A = alpha (x y^T + y x^T) + A, A symmetric in packed storage"}, 2),
		packedUpdate(&Family{ID: Hpr2, Name: "hpr2", Hermitian: true, types: cz,
			About: "A = alpha x y^H + conj(alpha) y x^H + A, A Hermitian in packed storage"}, 2),
		halfGemv(&Family{ID: HalfGemv, Name: "hshgemv",
			names: map[Type]string{TypeH: "hshgemv", TypeBF: "tstgemv"},
			About: "y = alpha op(A) x + beta y of 16-bit numbers, added in float"}, OfType),
		halfGemv(&Family{ID: HalfSingleGemv, Name: "hssgemv",
			names: map[Type]string{TypeH: "hssgemv", TypeBF: "tssgemv"},
			About: "y = alpha op(A) x + beta y, A and x of 16-bit numbers and y float"}, OfSingle),
	}
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

// rankOne completes an update of a general matrix.
func rankOne(f *Family) *Family {
	f.Level, f.wide = 2, true
	f.params = []part{dim(M, "rows of A"), dim(N, "columns of A"), alpha(), vector(X, of(M), In, "column"),
		vector(Y, n, In, "row"), matrix(A, Dense, m, n, InOut, "the result"), batchCount()}
	return f
}

// update completes an update of a symmetric matrix by one or two vectors.
func update(f *Family, vectors int) *Family {
	return symmetricUpdate(f, vectors, matrix(A, Upper, n, n, InOut, "the result"))
}

// packedUpdate completes an update of a packed symmetric matrix by one or two vectors.
func packedUpdate(f *Family, vectors int) *Family {
	f.strides, f.arrays = underscore, map[Slot]string{A: "AP"}
	return symmetricUpdate(f, vectors, packed(InOut, "the result"))
}

// symmetricUpdate completes an update of one triangle. The alpha of a Hermitian update by one vector is real.
func symmetricUpdate(f *Family, vectors int, result part) *Family {
	f.Level, f.wide = 2, true
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
