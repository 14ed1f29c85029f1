package routine

import "roclua/hip/routine/buffer"

// Bidiagonal and tridiagonal forms, and factorizations of symmetric indefinite matrices.
const (
	Labrd FamilyID = endOfReflections + iota
	Gebd2
	Gebrd
	Latrd
	Sytd2
	Sytrd
	Sytf2
	Sytrf
	Lasyf

	endOfTridiagonal
)

var bidiagonalBuffers = []buffer.ID{
	buffer.Scalars, buffer.ReflectionOrPointers, buffer.AppliedReflectionOrNorms,
}

var tridiagonalBuffers = []buffer.ID{
	buffer.Scalars, buffer.ReflectionOrProduct, buffer.ReflectionNorms, buffer.ScalarReflection,
	buffer.ReflectionPointers,
}

func tridiagonal() []*Family {
	return []*Family{
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
		bidiagonal(&Family{ID: Gebd2, Name: "gebd2", About: "reduces A to bidiagonal form, unblocked",
			Buffers: bidiagonalBuffers}),
		bidiagonal(&Family{ID: Gebrd, Name: "gebrd", About: "reduces A to bidiagonal form",
			Buffers: buffer.Join(bidiagonalBuffers, []buffer.ID{buffer.BidiagonalX, buffer.BidiagonalY})}),
		{
			ID: Latrd, Name: "latrd", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			idle:    []Extent{of(K)},
			About:   "reduces some rows and columns of a symmetric matrix to tridiagonal form",
			Buffers: []buffer.ID{buffer.Scalars, buffer.ReflectionOrProduct, buffer.ReflectionNorms},
			params: []part{uplo("triangle of A"), dim(N, "order of A"), dim(K, "rows and columns that are reduced"),
				matrix(A, Dense, n, n, InOut, "the matrix; the reflections"),
				contiguous(VecE, OfReal, minusOne(N), Out, "other diagonal"),
				contiguous(Tau, OfType, minusOne(N), Out, "scalars of the reflections"),
				matrix(MatW, Dense, n, of(K), Out, "the update of the rest")},
		},
		tridiagonalForm(&Family{ID: Sytd2, Name: "sytd2",
			About: "reduces a symmetric matrix to tridiagonal form, unblocked"}),
		tridiagonalForm(&Family{ID: Sytrd, Name: "sytrd", About: "reduces a symmetric matrix to tridiagonal form"}),
		indefinite(&Family{ID: Sytf2, Name: "sytf2",
			About: "Bunch-Kaufman factorization of a symmetric matrix, unblocked"}),
		indefinite(&Family{ID: Sytrf, Name: "sytrf", About: "Bunch-Kaufman factorization of a symmetric matrix",
			Buffers: []buffer.ID{buffer.PanelWork}}),
		{
			ID: Lasyf, Name: "lasyf", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			About:   "part of the Bunch-Kaufman factorization of a symmetric matrix",
			Buffers: []buffer.ID{buffer.PanelWork},
			params: []part{uplo("triangle of A"), dim(N, "order of A"), dim(NB, "columns that are factorized at most"),
				contiguous(KB, OfInt, one, Out, "columns that were factorized"),
				matrix(A, Upper, n, n, InOut, "the matrix; its factors"), pivots(OfInt, n, Out, "exchanges and blocks"),
				info()},
		},
	}
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

// tridiagonalForm completes a reduction to tridiagonal form, which is called hetrd for complex matrices.
func tridiagonalForm(f *Family) *Family {
	f.Library, f.Level, f.types, f.Buffers = RocSOLVER, SolverLevel, sdcz, tridiagonalBuffers
	f.names = map[Type]string{TypeC: "che" + f.Name[2:], TypeZ: "zhe" + f.Name[2:]}
	f.params = []part{uplo("triangle of A"), dim(N, "order of A"),
		matrix(A, Dense, n, n, InOut, "the matrix; the reflections"),
		flat(contiguous(VecD, OfReal, n, Out, "diagonal")),
		flat(contiguous(VecE, OfReal, minusOne(N), Out, "other diagonal")),
		flat(contiguous(Tau, OfType, minusOne(N), Out, "scalars of the reflections")), batchCount()}
	return f
}

// indefinite completes a factorization of a symmetric indefinite matrix.
func indefinite(f *Family) *Family {
	f.Library, f.Level, f.types = RocSOLVER, SolverLevel, sdcz
	f.params = []part{uplo("triangle of A"), dim(N, "order of A"),
		matrix(A, Upper, n, n, InOut, "the matrix; its factors"), pivots(OfInt, n, Out, "exchanges and blocks"), info(),
		batchCount()}
	return f
}
