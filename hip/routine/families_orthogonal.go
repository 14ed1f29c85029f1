package routine

import "roclua/hip/routine/buffer"

// Orthogonal matrices of Householder reflectors: forming and applying Q.
func orthogonalFamilies() []*Family {
	return []*Family{
		generate(&Family{ID: Org2r, Name: "org2r", About: "the matrix Q of geqr2, unblocked"}, unblockedGenerate),
		generate(&Family{ID: Org2l, Name: "org2l", About: "the matrix Q of geql2, unblocked"}, unblockedGenerate),
		generate(&Family{ID: Orgl2, Name: "orgl2", About: "the matrix Q of gelq2, unblocked"}, unblockedGenerate),
		generate(&Family{ID: Orgqr, Name: "orgqr", About: "the matrix Q of geqrf"}, generateBuffers),
		generate(&Family{ID: Orgql, Name: "orgql", About: "the matrix Q of geqlf"}, generateBuffers),
		generate(&Family{ID: Orglq, Name: "orglq", About: "the matrix Q of gelqf"}, generateBuffers),
		complexNamed(&Family{
			ID: Orgbr, Name: "orgbr", Buffers: generateBuffers, About: "the matrix Q or P of gebrd",
			params: []part{storev(), dim(M, "rows of A"), dim(N, "columns of A"),
				dim(K, "the other size of gebrd's matrix"),
				matrix(A, Dense, m, n, InOut, "the reflections; the matrix"),
				pivots(OfType, smallerByStorage, In, "the reflections' scalars")},
		}),
		complexNamed(&Family{
			ID: Orgtr, Name: "orgtr", Buffers: generateBuffers, About: "the matrix Q of sytrd",
			params: []part{uplo("triangle that sytrd used"), dim(N, "order of A"),
				matrix(A, Dense, n, n, InOut, "the reflections; the matrix"),
				pivots(OfType, minusOne(N), In, "the reflections' scalars")},
		}),
		multiply(&Family{ID: Orm2r, Name: "orm2r", About: "multiplies by the Q of geqr2, unblocked"}, unblockedMultiply,
			true),
		multiply(&Family{ID: Orm2l, Name: "orm2l", About: "multiplies by the Q of geql2, unblocked"}, unblockedMultiply,
			true),
		multiply(&Family{ID: Orml2, Name: "orml2", About: "multiplies by the Q of gelq2, unblocked"}, unblockedMultiply,
			false),
		multiply(&Family{ID: Ormqr, Name: "ormqr", About: "multiplies by the Q of geqrf"}, multiplyBuffers, true),
		multiply(&Family{ID: Ormql, Name: "ormql", About: "multiplies by the Q of geqlf"}, multiplyBuffers, true),
		multiply(&Family{ID: Ormlq, Name: "ormlq", About: "multiplies by the Q of gelqf"}, multiplyBuffers, false),
		complexNamed(&Family{
			ID: Ormbr, Name: "ormbr", Buffers: multiplyBuffers, About: "multiplies by the Q or P of gebrd",
			idle: []Extent{of(K)},
			params: []part{storev(), sideOfQ, operation("trans", TransA, "op on Q or P"), dim(M, "rows of C"),
				dim(N, "columns of C"), dim(K, "the other size of gebrd's matrix"),
				matrix(A, Dense, bidiagonalRows, bidiagonalColumns, In, "the reflections"),
				pivots(OfType, smallerBySide, In, "the reflections' scalars"), productC},
		}),
		complexNamed(&Family{
			ID: Ormtr, Name: "ormtr",
			Buffers: buffer.Join(multiplyBuffers, []buffer.ID{buffer.ReflectionOrSolve, buffer.InvertedBlocks}),
			About:   "multiplies by the Q of sytrd",
			params: []part{sideOfQ, uplo("triangle that sytrd used"), operation("trans", TransA, "op on Q"),
				dim(M, "rows of C"), dim(N, "columns of C"),
				matrix(A, Dense, bySide(M, N), bySide(M, N), In, "the reflections"),
				pivots(OfType, lessBySide, In, "the reflections' scalars"), productC},
		}),
	}
}

var generateBuffers = []buffer.ID{
	buffer.Scalars, buffer.FactorWork, buffer.AppliedOrBlockReflection, buffer.TriangularFactor,
}

var multiplyBuffers = []buffer.ID{
	buffer.Scalars, buffer.AppliedReflectionOrFactorWork, buffer.DiagonalOrBlockReflection, buffer.TriangularFactor,
}

var unblockedGenerate = []buffer.ID{buffer.Scalars, buffer.AppliedReflection}

var unblockedMultiply = []buffer.ID{buffer.Scalars, buffer.AppliedReflection, buffer.Diagonal}

var sideOfQ = side("side of the product on which Q is")

var productC = matrix(C, Dense, m, n, InOut, "the matrix; the product")

// complexNamed completes a family whose complex routines have another name, such as ung2r for org2r.
func complexNamed(f *Family) *Family {
	f.Library, f.Level, f.types, f.forms = RocSOLVER, SolverLevel, sdcz, plainOnly
	name := "un" + f.Name[2:]
	f.names = map[Type]string{TypeC: "c" + name, TypeZ: "z" + name}
	return f
}

// generate completes the generation of an orthogonal matrix.
func generate(f *Family, buffers []buffer.ID) *Family {
	f.Buffers = buffers
	f.params = []part{dim(M, "rows of A"), dim(N, "columns of A"), dim(K, "reflections"),
		partly(fewReflections, matrix(A, Dense, m, n, InOut, "the reflections; the matrix")),
		pivots(OfType, of(K), In, "the reflections' scalars")}
	return complexNamed(f)
}

// fewReflections reports whether a generated matrix has rows or columns without a reflection.
func fewReflections(a *Args) bool { return a.Int(K) < min(a.Int(M), a.Int(N)) }

// multiply completes a product with an orthogonal matrix, whose vectors are columns or rows.
func multiply(f *Family, buffers []buffer.ID, columns bool) *Family {
	f.Buffers, f.idle = buffers, []Extent{of(K)}
	a := partly(always, matrix(A, Dense, bySide(M, N), of(K), In, "the reflections"))
	if !columns {
		a = partly(always, matrix(A, Dense, of(K), bySide(M, N), In, "the reflections"))
	}
	f.params = []part{sideOfQ, operation("trans", TransA, "op on Q"), dim(M, "rows of C"), dim(N, "columns of C"),
		dim(K, "reflections"), a, pivots(OfType, of(K), In, "the reflections' scalars"), productC}
	return complexNamed(f)
}

var smallerByStorage = Extent{"min(storev is columns ? m : n, k)", func(a *Args) int64 {
	if a.Int(Storev) == StorevRows {
		return min(a.Int(N), a.Int(K))
	}
	return min(a.Int(M), a.Int(K))
}}

var smallerBySide = Extent{"min(order of Q, k)", func(a *Args) int64 { return min(orderOfQ(a), a.Int(K)) }}

var lessBySide = Extent{"order of Q - 1", func(a *Args) int64 { return orderOfQ(a) - 1 }}

var bidiagonalRows = Extent{"storev is columns ? order of Q : min(order of Q, k)", func(a *Args) int64 {
	if a.Int(Storev) == StorevRows {
		return min(orderOfQ(a), a.Int(K))
	}
	return orderOfQ(a)
}}

var bidiagonalColumns = Extent{"storev is columns ? min(order of Q, k) : order of Q", func(a *Args) int64 {
	if a.Int(Storev) == StorevRows {
		return orderOfQ(a)
	}
	return min(orderOfQ(a), a.Int(K))
}}
