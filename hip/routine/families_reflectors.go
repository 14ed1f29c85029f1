package routine

import "roclua/hip/routine/buffer"

// Householder reflectors.
func reflectorsFamilies() []*Family {
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
	}
}

// always is for vectors of reflections, whose zeros and ones are not read, and triangles.
func always(*Args) bool { return true }

func direct() part {
	return withDefault(DirectForward, value(Direct, Direction, "order of the reflections in the product"))
}

func storev() part {
	return withDefault(StorevColumns, value(Storev, Storage, "whether the vectors are columns or rows"))
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

var blockRows = Extent{"storev is rows ? k : order of H", func(a *Args) int64 {
	if a.Int(Storev) == StorevRows {
		return a.Int(K)
	}
	return orderOfQ(a)
}}

var blockColumns = Extent{"storev is rows ? order of H : k", func(a *Args) int64 {
	if a.Int(Storev) == StorevRows {
		return orderOfQ(a)
	}
	return a.Int(K)
}}
