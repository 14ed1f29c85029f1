package routine

import "roclua/hip/routine/buffer"

// Reduction to bidiagonal form.
func bidiagonalFamilies() []*Family {
	return []*Family{
		reduceBidiagonal(&Family{ID: Gebrd, Name: "gebrd", About: "reduces A to bidiagonal form",
			Buffers: buffer.Join(bidiagonalBuffers, []buffer.ID{buffer.BidiagonalX, buffer.BidiagonalY})}),
		reduceBidiagonal(&Family{ID: Gebd2, Name: "gebd2", About: "reduces A to bidiagonal form, unblocked",
			Buffers: bidiagonalBuffers}),
		{
			ID: Labrd, Name: "labrd", forms: plainOnly, idle: []Extent{k},
			About:   "reduces the first rows and columns of A to bidiagonal form",
			Buffers: []buffer.ID{buffer.Scalars, buffer.ReflectionWork, buffer.ReflectionNorms},
			params: []part{rowsAndColumns("A"), dim(K, "rows and columns that are reduced"),
				matrix(A, Dense, m, n, InOut, "the matrix; the reflections"), bidiagonalForm(k, k),
				matrix(MatX, Dense, m, k, Out, "with Y, the update of the rest"),
				matrix(MatY, Dense, n, k, Out, "with X, the update of the rest")},
		},
	}
}

var bidiagonalBuffers = []buffer.ID{
	buffer.Scalars, buffer.ReflectionOrPointers, buffer.AppliedReflectionOrNorms,
}

// reduceBidiagonal completes a reduction to bidiagonal form.
func reduceBidiagonal(f *Family) *Family {
	f.params = []part{rowsAndColumns("A"), matrix(A, Dense, m, n, InOut, "the matrix; the reflections"),
		bidiagonalForm(smaller(M, N), lessThanSmaller), batchCount()}
	return f
}

// bidiagonalForm declares the diagonals and the scalars of a reduction to bidiagonal form.
func bidiagonalForm(diagonal, other Extent) part {
	return several(flat(contiguous(VecD, OfReal, diagonal, Out, "diagonal")),
		flat(contiguous(VecE, OfReal, other, Out, "other diagonal")),
		flat(contiguous(TauQ, OfType, diagonal, Out, "scalars of the column reflections")),
		flat(contiguous(TauP, OfType, diagonal, Out, "scalars of the row reflections")))
}
