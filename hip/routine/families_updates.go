package routine

import "roclua/hip/routine/buffer"

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
			About: "C = alpha (op(A) op(B)^T + op(B) op(A)^T) + beta C, C symmetric"}),
		rank2K(&Family{ID: Her2k, Name: "her2k", Hermitian: true, types: cz,
			About: "C = alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C, C Hermitian"}),
		rank2K(&Family{ID: Syrkx, Name: "syrkx", About: "C = alpha op(A) op(B)^T + beta C, C symmetric"}),
		rank2K(&Family{ID: Herkx, Name: "herkx", Hermitian: true, types: cz,
			About: "C = alpha op(A) op(B)^H + beta C, C Hermitian"}),
	}
}

// rankOne completes an update of a general matrix.
func rankOne(f *Family) *Family {
	f.wide = true
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
	f.wide = true
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
	f.params = []part{uplo("triangle of C that is written"), operation("transA", TransA, "op"), dim(N, "order of C"),
		dim(K, "columns of op(A)"+leavesC), scalar(Alpha, scalarsOf(f), "factor of the product"),
		matrix(A, Dense, operandRows, operandColumns, In, "the factor"),
		scalar(Beta, scalarsOf(f), "factor of the old result"), matrix(C, Upper, n, n, InOut, "the result"),
		batchCount()}
	return f
}

// rank2K completes an update by two factors. The beta of a Hermitian one is real.
func rank2K(f *Family) *Family {
	f.Level, f.wide, f.strides = 3, true, underscore
	f.params = []part{uplo("triangle of C that is written"), operation("trans", TransA, "op"), dim(N, "order of C"),
		dim(K, "columns of op(A) and op(B)"+leavesC), alpha(),
		matrix(A, Dense, operandRows, operandColumns, In, "first factor"),
		matrix(B, Dense, operandRows, operandColumns, In, "second factor"),
		scalar(Beta, scalarsOf(f), "factor of the old result"), matrix(C, Upper, n, n, InOut, "the result"),
		batchCount()}
	return f
}
