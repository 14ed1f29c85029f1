package routine

import "roclua/hip/routine/buffer"

// Orthogonal matrices of Householder reflectors: forming and applying Q.
func orthogonalFamilies() []*Family {
	return []*Family{
		generateQ(&Family{ID: Org2r, Name: "org2r", About: "the matrix Q of geqr2, unblocked"}, unblockedGenerate),
		generateQ(&Family{ID: Org2l, Name: "org2l", About: "the matrix Q of geql2, unblocked"}, unblockedGenerate),
		generateQ(&Family{ID: Orgl2, Name: "orgl2", About: "the matrix Q of gelq2, unblocked"}, unblockedGenerate),
		generateQ(&Family{ID: Orgqr, Name: "orgqr", About: "the matrix Q of geqrf"}, generateBuffers),
		generateQ(&Family{ID: Orgql, Name: "orgql", About: "the matrix Q of geqlf"}, generateBuffers),
		generateQ(&Family{ID: Orglq, Name: "orglq", About: "the matrix Q of gelqf"}, generateBuffers),
		complexNamed(&Family{
			ID: Orgbr, Name: "orgbr", Buffers: generateBuffers, About: "the matrix Q or P of gebrd",
			params: []part{storev(), rowsAndColumns("A"),
				dim(K, "the other size of gebrd's matrix"), matrix(A, Dense, m, n, InOut,
					"the reflections; the matrix"),
				pivots(OfType, byStorage("min(storev is columns ? m : n, k)", smaller(M, K), smaller(N, K)), In,
					"the reflections' scalars")},
		}),
		complexNamed(&Family{
			ID: Orgtr, Name: "orgtr", Buffers: generateBuffers, About: "the matrix Q of sytrd",
			params: []part{uplo("triangle that sytrd used"), dim(N, "order of A"),
				matrix(A, Dense, n, n, InOut, "the reflections; the matrix"),
				pivots(OfType, minusOne(N), In, "the reflections' scalars")},
		}),
		applyQ(&Family{ID: Orm2r, Name: "orm2r", About: "multiplies by the Q of geqr2, unblocked"},
			unblockedMultiply, inColumns),
		applyQ(&Family{ID: Orm2l, Name: "orm2l", About: "multiplies by the Q of geql2, unblocked"},
			unblockedMultiply, inColumns),
		applyQ(&Family{ID: Orml2, Name: "orml2", About: "multiplies by the Q of gelq2, unblocked"},
			unblockedMultiply, inRows),
		applyQ(&Family{ID: Ormqr, Name: "ormqr", About: "multiplies by the Q of geqrf"}, multiplyBuffers, inColumns),
		applyQ(&Family{ID: Ormql, Name: "ormql", About: "multiplies by the Q of geqlf"}, multiplyBuffers, inColumns),
		applyQ(&Family{ID: Ormlq, Name: "ormlq", About: "multiplies by the Q of gelqf"}, multiplyBuffers, inRows),
		complexNamed(&Family{
			ID: Ormbr, Name: "ormbr", Buffers: multiplyBuffers, About: "multiplies by the Q or P of gebrd",
			idle: []Extent{k},
			params: []part{storev(), sideOfQ, operation("trans", TransA, "op on Q or P"), rowsAndColumns("C"),
				dim(K, "the other size of gebrd's matrix"),
				matrix(A, Dense, byStorage("storev is columns ? order of Q : min(order of Q, k)", orderOfQ, smallerOfQ),
					byStorage("storev is columns ? min(order of Q, k) : order of Q", smallerOfQ, orderOfQ), In,
					"the reflections"),
				pivots(OfType, smallerOfQ, In, "the reflections' scalars"), productC},
		}),
		complexNamed(&Family{
			ID: Ormtr, Name: "ormtr",
			Buffers: buffer.Join(multiplyBuffers, []buffer.ID{buffer.ReflectionOrSolve, buffer.InvertedBlocks}),
			About:   "multiplies by the Q of sytrd",
			params: []part{sideOfQ, uplo("triangle that sytrd used"), operation("trans", TransA, "op on Q"),
				rowsAndColumns("C"), matrix(A, Dense, orderOfQ, orderOfQ, In, "the reflections"),
				pivots(OfType, lessThanQ, In, "the reflections' scalars"), productC},
		}),
	}
}

var (
	generateBuffers = []buffer.ID{
		buffer.Scalars, buffer.FactorWork, buffer.AppliedOrBlockReflection, buffer.TriangularFactor,
	}
	multiplyBuffers = []buffer.ID{
		buffer.Scalars, buffer.AppliedReflectionOrFactorWork, buffer.DiagonalOrBlockReflection, buffer.TriangularFactor,
	}
	unblockedGenerate = []buffer.ID{buffer.Scalars, buffer.AppliedReflection}
	unblockedMultiply = []buffer.ID{buffer.Scalars, buffer.AppliedReflection, buffer.Diagonal}

	sideOfQ  = side("side of the product on which Q is")
	productC = matrix(C, Dense, m, n, InOut, "the matrix; the product")

	// inColumns and inRows are the vectors of the reflections of Q. Their zeros and ones are not read.
	inColumns = partly(neverWhole, matrix(A, Dense, orderBySide, k, In, "the reflections"))
	inRows    = partly(neverWhole, matrix(A, Dense, k, orderBySide, In, "the reflections"))

	orderOfQ   = orderBySide
	smallerOfQ = Extent{"min(order of Q, k)", func(a *Args) int64 { return min(orderOfQ.Of(a), a.Int(K)) }}
	lessThanQ  = Extent{"order of Q - 1", func(a *Args) int64 { return orderOfQ.Of(a) - 1 }}
)

// complexNamed completes a family whose complex routines have another name, such as ung2r for org2r.
func complexNamed(f *Family) *Family {
	f.forms = plainOnly
	name := "un" + f.Name[2:]
	f.names = map[Type]string{TypeC: "c" + name, TypeZ: "z" + name}
	return f
}

// generateQ completes the generation of an orthogonal matrix.
func generateQ(f *Family, buffers []buffer.ID) *Family {
	f.Buffers = buffers
	f.params = []part{rowsAndColumns("A"), dim(K, "reflections"),
		partly(fewReflections, matrix(A, Dense, m, n, InOut, "the reflections; the matrix")),
		pivots(OfType, k, In, "the reflections' scalars")}
	return complexNamed(f)
}

// fewReflections reports whether a generated matrix has rows or columns without a reflection.
func fewReflections(a *Args) bool { return a.Int(K) < min(a.Int(M), a.Int(N)) }

// applyQ completes a product with an orthogonal matrix.
func applyQ(f *Family, buffers []buffer.ID, vectors part) *Family {
	f.Buffers, f.idle = buffers, []Extent{k}
	f.params = []part{sideOfQ, operation("trans", TransA, "op on Q"), rowsAndColumns("C"), dim(K, "reflections"),
		vectors, pivots(OfType, k, In, "the reflections' scalars"), productC}
	return complexNamed(f)
}
