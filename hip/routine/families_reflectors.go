package routine

import "roclua/hip/routine/buffer"

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
