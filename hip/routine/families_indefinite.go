package routine

import "roclua/hip/routine/buffer"

// Bunch-Kaufman factorization of symmetric indefinite matrices.
func indefiniteFamilies() []*Family {
	return []*Family{
		factorIndefinite(&Family{ID: Sytrf, Name: "sytrf", About: "Bunch-Kaufman factorization of a symmetric matrix",
			Buffers: []buffer.ID{buffer.PanelWork}}),
		factorIndefinite(&Family{ID: Sytf2, Name: "sytf2",
			About: "Bunch-Kaufman factorization of a symmetric matrix, unblocked"}),
		{
			ID: Lasyf, Name: "lasyf", forms: plainOnly,
			About:   "part of the Bunch-Kaufman factorization of a symmetric matrix",
			Buffers: []buffer.ID{buffer.PanelWork},
			params: []part{uplo("triangle of A"), dim(N, "order of A"), dim(NB, "columns that are factorized at most"),
				contiguous(KB, OfInt, length1, Out, "columns that were factorized"),
				matrix(A, Upper, n, n, InOut, "the matrix; its factors"), pivots(OfInt, n, Out, "exchanges and blocks"),
				info()},
		},
	}
}

// factorIndefinite completes a factorization of a symmetric indefinite matrix.
func factorIndefinite(f *Family) *Family {
	f.params = []part{uplo("triangle of A"), dim(N, "order of A"),
		matrix(A, Upper, n, n, InOut, "the matrix; its factors"), pivots(OfInt, n, Out, "exchanges and blocks"), info(),
		batchCount()}
	return f
}
