package routine

import "roclua/hip/routine/buffer"

// Reduction to bidiagonal form.
func bidiagonalFamilies() []*Family {
	return []*Family{
		bidiagonal(&Family{ID: Gebrd, Name: "gebrd", About: "reduces A to bidiagonal form",
			Buffers: buffer.Join(bidiagonalBuffers, []buffer.ID{buffer.BidiagonalX, buffer.BidiagonalY})}),
		bidiagonal(&Family{ID: Gebd2, Name: "gebd2", About: "reduces A to bidiagonal form, unblocked",
			Buffers: bidiagonalBuffers}),
		{
			ID: Labrd, Name: "labrd", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			idle:    []Extent{of(K)},
			About:   "reduces the first rows and columns of A to bidiagonal form",
			Buffers: []buffer.ID{buffer.Scalars, buffer.ReflectionWork, buffer.ReflectionNorms},
			params: []part{dim(M, "rows of A"), dim(N, "columns of A"), dim(K, "rows and columns that are reduced"),
				matrix(A, Dense, m, n, InOut, "the matrix; the reflections"),
				contiguous(VecD, OfReal, of(K), Out, "diagonal"),
				contiguous(VecE, OfReal, of(K), Out, "other diagonal"),
				contiguous(TauQ, OfType, of(K), Out, "scalars of the column reflections"),
				contiguous(TauP, OfType, of(K), Out, "scalars of the row reflections"),
				matrix(MatX, Dense, m, of(K), Out, "with Y, the update of the rest"),
				matrix(MatY, Dense, n, of(K), Out, "with X, the update of the rest")},
		},
	}
}

var bidiagonalBuffers = []buffer.ID{
	buffer.Scalars, buffer.ReflectionOrPointers, buffer.AppliedReflectionOrNorms,
}

// bidiagonal completes a reduction to bidiagonal form.
func bidiagonal(f *Family) *Family {
	f.Library, f.Level, f.types = RocSOLVER, SolverLevel, sdcz
	k := smaller(M, N)
	offDiagonal := Extent{"min(m, n)-1", func(a *Args) int64 { return min(a.Int(M), a.Int(N)) - 1 }}
	f.params = []part{dim(M, "rows of A"), dim(N, "columns of A"),
		matrix(A, Dense, m, n, InOut, "the matrix; the reflections"),
		flat(contiguous(VecD, OfReal, k, Out, "diagonal")),
		flat(contiguous(VecE, OfReal, offDiagonal, Out, "other diagonal")),
		flat(contiguous(TauQ, OfType, k, Out, "scalars of the column reflections")),
		flat(contiguous(TauP, OfType, k, Out, "scalars of the row reflections")), batchCount()}
	return f
}
