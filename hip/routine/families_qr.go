package routine

import "roclua/hip/routine/buffer"

// QR, QL, LQ and RQ factorizations.
func qrFamilies() []*Family {
	return []*Family{
		{
			ID: Geqrf, Name: "geqrf", operations: qr, wide: true, narrowBatched: true,
			About:   "QR factorization by Householder reflections",
			Buffers: qrFactorization,
			params: []part{rowsAndColumns("A"),
				matrix(A, Dense, m, n, InOut, "the matrix; R and the reflections"),
				pivots(OfType, smaller(M, N), Out, "the reflections' scalars"), batchCount()},
		},
		factorQR(&Family{ID: Geqlf, Name: "geqlf", About: "QL factorization by Householder reflections"}, panelBuffers),
		factorQR(&Family{ID: Gelqf, Name: "gelqf", About: "LQ factorization by Householder reflections"}, panelBuffers),
		factorQR(&Family{ID: Gerqf, Name: "gerqf", About: "RQ factorization by Householder reflections"}, panelBuffers),
		factorQR(&Family{ID: Geqr2, Name: "geqr2", wide: true, About: "QR factorization, unblocked"},
			reflectionBuffers),
		factorQR(&Family{ID: Geql2, Name: "geql2", About: "QL factorization, unblocked"}, reflectionBuffers),
		factorQR(&Family{ID: Gelq2, Name: "gelq2", About: "LQ factorization, unblocked"}, reflectionBuffers),
		factorQR(&Family{ID: Gerq2, Name: "gerq2", About: "RQ factorization, unblocked"}, reflectionBuffers),
	}
}

var (
	reflectionBuffers = []buffer.ID{
		buffer.Scalars, buffer.ReflectionOrPointers, buffer.AppliedReflectionOrNorms, buffer.Diagonal,
	}
	panelBuffers = buffer.Join(reflectionBuffers, []buffer.ID{
		buffer.ReflectionOrPanel, buffer.TriangularFactor, buffer.BlockReflection, buffer.Pointers,
	})
)

// factorQR completes a factorization like geqrf.
func factorQR(f *Family, buffers []buffer.ID) *Family {
	f.Buffers, f.operations = buffers, qr
	f.params = []part{rowsAndColumns("A"),
		matrix(A, Dense, m, n, InOut, "the matrix; the triangle and the reflections"),
		pivots(OfType, smaller(M, N), Out, "the reflections' scalars"), batchCount()}
	return f
}

// qrFactorization are the buffers of geqrf.
var qrFactorization = []buffer.ID{buffer.Scalars, buffer.ReflectionOrPointers, buffer.AppliedReflectionOrNorms,
	buffer.Diagonal, buffer.ReflectionOrPanel, buffer.ReflectionOrSolve, buffer.InvertedBlocks,
	buffer.TriangularFactor, buffer.BlockReflection, buffer.Pointers}

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
			ID: Orgbr, Name: "orgbr", operations: formOfBidiagonal,
			Buffers: generateBuffers, About: "the matrix Q or P of gebrd",
			params: []part{storev(), rowsAndColumns("A"),
				dim(K, "the other size of gebrd's matrix"), matrix(A, Dense, m, n, InOut,
					"the reflections; the matrix"),
				pivots(OfType, byStorage("min(storev is columns ? m : n, k)", smaller(M, K), smaller(N, K)), In,
					"the reflections' scalars")},
		}),
		complexNamed(&Family{
			ID: Orgtr, Name: "orgtr", operations: formOfTridiagonal,
			Buffers: generateBuffers, About: "the matrix Q of sytrd",
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
			ID: Ormbr, Name: "ormbr", operations: productOfBidiagonal,
			Buffers: multiplyBuffers, About: "multiplies by the Q or P of gebrd",
			idle: []Extent{k},
			params: []part{storev(), sideOfQ, operation("trans", TransA, "op on Q or P"), rowsAndColumns("C"),
				dim(K, "the other size of gebrd's matrix"),
				matrix(A, Dense, byStorage("storev is columns ? order of Q : min(order of Q, k)", orderOfQ, smallerOfQ),
					byStorage("storev is columns ? min(order of Q, k) : order of Q", smallerOfQ, orderOfQ), In,
					"the reflections"),
				pivots(OfType, smallerOfQ, In, "the reflections' scalars"), productC},
		}),
		complexNamed(&Family{
			ID: Ormtr, Name: "ormtr", operations: productOfTridiagonal,
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
	f.Buffers, f.operations = buffers, formQ
	f.params = []part{rowsAndColumns("A"), dim(K, "reflections"),
		partly(fewReflections, matrix(A, Dense, m, n, InOut, "the reflections; the matrix")),
		pivots(OfType, k, In, "the reflections' scalars")}
	return complexNamed(f)
}

// fewReflections reports whether a generated matrix has rows or columns without a reflection.
func fewReflections(a *Args) bool { return a.Int(K) < min(a.Int(M), a.Int(N)) }

// applyQ completes a product with an orthogonal matrix.
func applyQ(f *Family, buffers []buffer.ID, vectors part) *Family {
	f.Buffers, f.idle, f.operations = buffers, []Extent{k}, productWithQ
	f.params = []part{sideOfQ, operation("trans", TransA, "op on Q"), rowsAndColumns("C"), dim(K, "reflections"),
		vectors, pivots(OfType, k, In, "the reflections' scalars"), productC}
	return complexNamed(f)
}

// Householder reflectors.
func reflectorsFamilies() []*Family {
	return []*Family{
		{
			ID: Larfg, Name: "larfg", wide: true, forms: plainOnly, leaves: []Slot{Tau},
			About:   "makes the reflection that turns (alpha, x) into (beta, 0)",
			Buffers: []buffer.ID{buffer.ReflectionWork, buffer.ReflectionNorms},
			arrays:  map[Slot]string{C: "alpha"},
			params: []part{dim(N, "order of the reflection"), contiguous(C, OfType, length1, InOut,
				"first element; beta"),
				vector(X, minusOne(N), InOut, "other elements; the reflection's vector"),
				contiguous(Tau, OfType, length1, Out, "the reflection's scalar")},
		},
		{
			ID: Larf, Name: "larf", wide: true, forms: plainOnly,
			About:   "A = H A or A H, H a reflection",
			Buffers: []buffer.ID{buffer.Scalars, buffer.AppliedReflection},
			arrays:  map[Slot]string{C: "alpha"},
			params: []part{side("side of the product on which the reflection is"), rowsAndColumns("A"),
				vector(X, orderBySide, In, "the reflection's vector"),
				contiguous(C, OfType, length1, In, "the reflection's scalar"), matrix(A, Dense, m, n, InOut,
					"the matrix")},
		},
		{
			ID: Larft, Name: "larft", forms: plainOnly,
			About:   "the triangular factor T of a block of reflections",
			Buffers: []buffer.ID{buffer.Scalars, buffer.FactorWork},
			params: []part{direct(), storev(), dim(N, "order of the reflections"), dim(K, "reflections"),
				partly(neverWhole, matrix(MatV, Dense, byStorage("storev is columns ? n : k", n, k),
					byStorage("storev is columns ? k : n", k, n), In, "the vectors")),
				contiguous(Tau, OfType, k, In, "the reflections' scalars"),
				matrix(MatT, Dense, k, k, Out, "the factor")},
		},
		{
			ID: Larfb, Name: "larfb", forms: plainOnly,
			About:   "A = H A or A H, H a block of reflections",
			Buffers: []buffer.ID{buffer.BlockReflection},
			params: []part{side("side of the product on which the reflections are"),
				operation("trans", TransA, "op on H"),
				direct(), storev(), rowsAndColumns("A"), dim(K, "reflections"),
				partly(neverWhole, matrix(MatV, Dense, byStorage("storev is rows ? k : order of H", orderBySide, k),
					byStorage("storev is rows ? order of H : k", k, orderBySide), In, "the vectors")),
				partly(neverWhole, matrix(MatT, Dense, k, k, In, "the triangular factor")),
				matrix(A, Dense, m, n, InOut, "the matrix")},
		},
		{
			ID: Lacgv, Name: "lacgv", types: cz, wide: true, forms: plainOnly,
			About:  "conjugates x",
			params: []part{dim(N, "elements of x"), vector(X, n, InOut, "the vector")},
		},
	}
}

// neverWhole is for vectors of reflections, whose zeros and ones are not read, and for triangular factors.
func neverWhole(*Args) bool { return true }

// Least squares.
func lsqFamilies() []*Family {
	return []*Family{
		{
			ID: Gels, Name: "gels", operations: leastSquares, info: lacksRank, zeroes: []Slot{B},
			About: "solves A X = B or A^H X = B in the sense of least squares or least norm; X overwrites B",
			Buffers: []buffer.ID{buffer.Scalars, buffer.LeastSquaresWork, buffer.LeastSquaresSolvePointers,
				buffer.LeastSquaresInverse, buffer.LeastSquaresPointers, buffer.RightSideCopy},
			params: []part{operation("trans", TransA, "op on A"), rowsAndColumns("A"),
				dim(NRHS, "right-hand sides"), matrix(A, Dense, m, n, InOut, "the matrix; its factors"),
				partly(longSolution, matrix(B, Dense, larger(M, N), nrhs, InOut, "right-hand sides and solution")),
				info(), batchCount()},
		},
	}
}

// longSolution reports whether the solution of gels has more rows than the right-hand sides.
func longSolution(a *Args) bool {
	return a.Int(M) != a.Int(N) && (a.Int(TransA) == OperationNone) == (a.Int(M) < a.Int(N))
}
