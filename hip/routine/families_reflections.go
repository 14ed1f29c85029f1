package routine

import "roclua/hip/routine/buffer"

// Householder reflections.
const (
	Larfg FamilyID = endOfQR + iota
	Larf
	Larft
	Larfb
	Lacgv
	Laswp
	Geqr2
	Geql2
	Gelq2
	Gerq2
	Geqlf
	Gelqf
	Gerqf
	Org2r
	Org2l
	Orgl2
	Orgqr
	Orgql
	Orglq
	Orgbr
	Orgtr
	Orm2r
	Orm2l
	Orml2
	Ormqr
	Ormql
	Ormlq
	Ormbr
	Ormtr

	endOfReflections
)

var (
	plainOnly = []Variant{Plain}

	reflectionBuffers = []buffer.ID{
		buffer.Scalars, buffer.ReflectionOrPointers, buffer.AppliedReflectionOrNorms, buffer.Diagonal,
	}
	panelBuffers = append(reflectionBuffers[:len(reflectionBuffers):len(reflectionBuffers)],
		buffer.ReflectionOrPanel, buffer.TriangularFactor, buffer.BlockReflection, buffer.Pointers)
	generateBuffers = []buffer.ID{
		buffer.Scalars, buffer.FactorWork, buffer.AppliedOrBlockReflection, buffer.TriangularFactor,
	}
	multiplyBuffers = []buffer.ID{
		buffer.Scalars, buffer.AppliedReflectionOrFactorWork, buffer.DiagonalOrBlockReflection, buffer.TriangularFactor,
	}
	unblockedGenerate = []buffer.ID{buffer.Scalars, buffer.AppliedReflection}
	unblockedMultiply = []buffer.ID{buffer.Scalars, buffer.AppliedReflection, buffer.Diagonal}
)

func reflections() []*Family {
	return []*Family{
		{
			ID: Larfg, Name: "larfg", Library: RocSOLVER, Level: SolverLevel, types: sdcz, wide: true, forms: plainOnly,
			About:   "makes the reflection that turns (alpha, x) into (beta, 0)",
			Buffers: []buffer.ID{buffer.ReflectionWork, buffer.ReflectionNorms},
			arrays:  map[Slot]string{C: "alpha"},
			params: []part{dim(N, "order of the reflection"), contiguous(C, OfType, one, InOut, "first element; beta"),
				vector(X, minusOne(N), InOut, "other elements; the reflection's vector"),
				contiguous(Tau, OfType, one, Out, "the reflection's scalar")},
		},
		{
			ID: Larf, Name: "larf", Library: RocSOLVER, Level: SolverLevel, types: sdcz, wide: true, forms: plainOnly,
			About:   "A = H A or A H, H a reflection",
			Buffers: []buffer.ID{buffer.Scalars, buffer.AppliedReflection},
			arrays:  map[Slot]string{C: "alpha"},
			params: []part{side("side of the product on which the reflection is"), dim(M, "rows of A"),
				dim(N, "columns of A"),
				vector(X, bySide(M, N), In, "the reflection's vector"),
				contiguous(C, OfType, one, In, "the reflection's scalar"), matrix(A, Dense, m, n, InOut, "the matrix")},
		},
		{
			ID: Larft, Name: "larft", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			About:   "the triangular factor T of a block of reflections",
			Buffers: []buffer.ID{buffer.Scalars, buffer.FactorWork},
			params: []part{direct(), storev(), dim(N, "order of the reflections"), dim(K, "reflections"),
				partly(always, matrix(MatV, Dense, byStorage(N, K), byStorage(K, N), In, "the vectors")),
				contiguous(Tau, OfType, of(K), In, "the reflections' scalars"),
				matrix(MatT, Dense, of(K), of(K), Out, "the factor")},
		},
		{
			ID: Larfb, Name: "larfb", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			About:   "A = H A or A H, H a block of reflections",
			Buffers: []buffer.ID{buffer.BlockReflection},
			params: []part{side("side of the product on which the reflections are"),
				operation("trans", TransA, "op on H"),
				direct(), storev(), dim(M, "rows of A"), dim(N, "columns of A"), dim(K, "reflections"),
				partly(always, matrix(MatV, Dense, blockRows, blockColumns, In, "the vectors")),
				partly(always, matrix(MatT, Dense, of(K), of(K), In, "the triangular factor")),
				matrix(A, Dense, m, n, InOut, "the matrix")},
		},
		{
			ID: Lacgv, Name: "lacgv", Library: RocSOLVER, Level: SolverLevel, types: cz, wide: true, forms: plainOnly,
			About:  "conjugates x",
			params: []part{dim(N, "elements of x"), vector(X, n, InOut, "the vector")},
		},
		{
			ID: Laswp, Name: "laswp", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			About: "exchanges rows of A",
			params: []part{dim(N, "columns of A"),
				partly(gapsBelow, matrix(A, Dense, exchangedRows, n, InOut, "the matrix")),
				withDefault(1, dim(K1, "first exchange, 1-based")), dim(K2, "last exchange"),
				contiguous(Ipiv, OfInt, lastExchange, In, "row exchanges, 1-based; the first one is ipiv[k1]"),
				withDefault(1,
					single(Param{Name: "incx", Slot: IncX, Kind: Int32, About: "distance of two exchanges in ipiv"}))},
		},
		factorQR(&Family{ID: Geqr2, Name: "geqr2", wide: true, About: "QR factorization, unblocked"},
			reflectionBuffers),
		factorQR(&Family{ID: Geql2, Name: "geql2", About: "QL factorization, unblocked"}, reflectionBuffers),
		factorQR(&Family{ID: Gelq2, Name: "gelq2", About: "LQ factorization, unblocked"}, reflectionBuffers),
		factorQR(&Family{ID: Gerq2, Name: "gerq2", About: "RQ factorization, unblocked"}, reflectionBuffers),
		factorQR(&Family{ID: Geqlf, Name: "geqlf", About: "QL factorization by Householder reflections"}, panelBuffers),
		factorQR(&Family{ID: Gelqf, Name: "gelqf", About: "LQ factorization by Householder reflections"}, panelBuffers),
		factorQR(&Family{ID: Gerqf, Name: "gerqf", About: "RQ factorization by Householder reflections"}, panelBuffers),
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

var (
	sideOfQ  = side("side of the product on which Q is")
	productC = matrix(C, Dense, m, n, InOut, "the matrix; the product")
)

// always is for vectors of reflections, whose zeros and ones are not read, and triangles.
func always(*Args) bool { return true }

// gapsBelow reports whether a column of laswp may have rows that are not exchanged.
func gapsBelow(a *Args) bool { return a.Int(LDA) > a.Int(K2) }

func direct() part {
	return withDefault(DirectForward, value(Direct, Direction, "order of the reflections in the product"))
}

func storev() part {
	return withDefault(StorevColumns, value(Storev, Storage, "whether the vectors are columns or rows"))
}

// complexNamed completes a family whose complex routines have another name, such as ung2r for org2r.
func complexNamed(f *Family) *Family {
	f.Library, f.Level, f.types, f.forms = RocSOLVER, SolverLevel, sdcz, plainOnly
	name := "un" + f.Name[2:]
	f.names = map[Type]string{TypeC: "c" + name, TypeZ: "z" + name}
	return f
}

// factorQR completes a factorization like geqrf.
func factorQR(f *Family, buffers []buffer.ID) *Family {
	f.Library, f.Level, f.types, f.Buffers = RocSOLVER, SolverLevel, sdcz, buffers
	f.params = []part{dim(M, "rows of A"), dim(N, "columns of A"),
		matrix(A, Dense, m, n, InOut, "the matrix; the triangle and the reflections"),
		pivots(OfType, smaller(M, N), Out, "the reflections' scalars"), batchCount()}
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

// byStorage is one dimension when the vectors are columns, another when they are rows.
func byStorage(columns, rows Slot) Extent {
	return Extent{"storev is columns ? " + slotName(columns) + " : " + slotName(rows), func(a *Args) int64 {
		if a.Int(Storev) == StorevRows {
			return a.Int(rows)
		}
		return a.Int(columns)
	}}
}

// orderOfQ returns the order of the matrix by which C is multiplied.
func orderOfQ(a *Args) int64 {
	if a.Int(Side) == SideLeft {
		return a.Int(M)
	}
	return a.Int(N)
}

var (
	blockRows = Extent{"storev is rows ? k : order of H", func(a *Args) int64 {
		if a.Int(Storev) == StorevRows {
			return a.Int(K)
		}
		return orderOfQ(a)
	}}
	blockColumns = Extent{"storev is rows ? order of H : k", func(a *Args) int64 {
		if a.Int(Storev) == StorevRows {
			return orderOfQ(a)
		}
		return a.Int(K)
	}}
	// exchangedRows are at least k2. The pivots, which are not known, may be any row of a column.
	exchangedRows = Extent{"k2", func(a *Args) int64 { return max(a.Int(K2), a.Int(LDA)) }}
	lastExchange  = Extent{"k1 + (k2-k1)*|incx|", func(a *Args) int64 {
		inc := a.Int(IncX)
		return a.Int(K1) + (a.Int(K2)-a.Int(K1))*max(inc, -inc)
	}}
	smallerByStorage = Extent{"min(storev is columns ? m : n, k)", func(a *Args) int64 {
		if a.Int(Storev) == StorevRows {
			return min(a.Int(N), a.Int(K))
		}
		return min(a.Int(M), a.Int(K))
	}}
	smallerBySide  = Extent{"min(order of Q, k)", func(a *Args) int64 { return min(orderOfQ(a), a.Int(K)) }}
	lessBySide     = Extent{"order of Q - 1", func(a *Args) int64 { return orderOfQ(a) - 1 }}
	bidiagonalRows = Extent{"storev is columns ? order of Q : min(order of Q, k)", func(a *Args) int64 {
		if a.Int(Storev) == StorevRows {
			return min(orderOfQ(a), a.Int(K))
		}
		return orderOfQ(a)
	}}
	bidiagonalColumns = Extent{"storev is columns ? min(order of Q, k) : order of Q", func(a *Args) int64 {
		if a.Int(Storev) == StorevRows {
			return orderOfQ(a)
		}
		return min(orderOfQ(a), a.Int(K))
	}}
)
