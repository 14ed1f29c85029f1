package routine

import "roclua/hip/routine/buffer"

// Reduction to tridiagonal form, and eigenvalues of tridiagonal matrices.
func tridiagonalFamilies() []*Family {
	return []*Family{
		tridiagonalForm(&Family{ID: Sytrd, Name: "sytrd", About: "reduces a symmetric matrix to tridiagonal form"}),
		tridiagonalForm(&Family{ID: Sytd2, Name: "sytd2",
			About: "reduces a symmetric matrix to tridiagonal form, unblocked"}),
		{
			ID: Latrd, Name: "latrd", forms: plainOnly, idle: []Extent{k},
			About:   "reduces some rows and columns of a symmetric matrix to tridiagonal form",
			Buffers: []buffer.ID{buffer.Scalars, buffer.ReflectionOrProduct, buffer.ReflectionNorms},
			params: []part{uplo("triangle of A"), dim(N, "order of A"), dim(K, "rows and columns that are reduced"),
				matrix(A, Dense, n, n, InOut, "the matrix; the reflections"),
				contiguous(VecE, OfReal, minusOne(N), Out, "other diagonal"),
				contiguous(Tau, OfType, minusOne(N), Out, "scalars of the reflections"),
				matrix(MatW, Dense, n, k, Out, "the update of the rest")},
		},
		{
			ID: Sterf, Name: "sterf", types: sd, forms: plainOnly, Buffers: []buffer.ID{buffer.EigenStack},
			About:  "eigenvalues of a symmetric tridiagonal matrix",
			params: []part{dim(N, "order of the matrix"), diagonalD, destroyedE, info()},
		},
		tridiagonalVectors(&Family{ID: Steqr, Name: "steqr", Buffers: []buffer.ID{buffer.EigenStack},
			About: "eigenvalues and eigenvectors of a symmetric tridiagonal matrix"}),
		tridiagonalVectors(&Family{ID: Stedc, Name: "stedc",
			Buffers: []buffer.ID{buffer.EigenStack, buffer.DividedVectors, buffer.DividedProducts, buffer.RankOneUpdate,
				buffer.SplitMap, buffer.Pointers},
			About: "eigenvalues and eigenvectors of a symmetric tridiagonal matrix, by divide and conquer"}),
		{
			ID: Stebz, Name: "stebz", types: sd, forms: plainOnly,
			Buffers: []buffer.ID{buffer.BisectionCounts, buffer.BisectionPivots, buffer.BisectionSquares,
				buffer.BisectionBounds, buffer.BisectionIntervals, buffer.BisectionNumbers},
			About: "some eigenvalues of a symmetric tridiagonal matrix, by bisection",
			params: []part{erange(), byValue(Eorder, EigenvalueOrder, "their order"), dim(N, "order of the matrix"),
				rangeBounds(), abstol(), contiguous(VecD, OfReal, n, In, "diagonal"),
				contiguous(VecE, OfReal, minusOne(N), In, "other diagonal"),
				contiguous(Nev, OfInt, length1, Out, "number of eigenvalues"),
				contiguous(Nsplit, OfInt, length1, Out, "number of blocks"),
				contiguous(VecW, OfReal, n, Out, "eigenvalues"),
				contiguous(Iblock, OfInt, n, Out, "block of each eigenvalue"),
				contiguous(Isplit, OfInt, n, Out, "ends of the blocks"), info()},
		},
		{
			ID: Stein, Name: "stein", forms: plainOnly,
			Buffers: []buffer.ID{buffer.EigenStack, buffer.BisectionCounts},
			About:   "eigenvectors of a symmetric tridiagonal matrix, by inverse iteration",
			params: []part{dim(N, "order of the matrix"), contiguous(VecD, OfReal, n, In, "diagonal"),
				contiguous(VecE, OfReal, minusOne(N), In, "other diagonal"),
				contiguous(Nev, OfInt, length1, In, "number of eigenvalues"),
				contiguous(VecW, OfReal, n, In, "eigenvalues"),
				contiguous(Iblock, OfInt, n, In, "block of each eigenvalue"),
				contiguous(Isplit, OfInt, n, In, "ends of the blocks"), matrix(MatZ, Dense, n, n, Out, "eigenvectors"),
				contiguous(Ifail, OfInt, n, Out, "vectors that did not converge"), info()},
		},
	}
}

var (
	tridiagonalBuffers = []buffer.ID{
		buffer.Scalars, buffer.ReflectionOrProduct, buffer.ReflectionNorms, buffer.ScalarReflection,
		buffer.ReflectionPointers,
	}

	diagonalD  = contiguous(VecD, OfReal, n, InOut, "diagonal; the eigenvalues")
	destroyedE = contiguous(VecE, OfReal, minusOne(N), InOut, "other diagonal; destroyed")
)

// tridiagonalForm completes a reduction to tridiagonal form, which is called hetrd for complex matrices.
func tridiagonalForm(f *Family) *Family {
	f.Buffers = tridiagonalBuffers
	f.params = []part{uplo("triangle of A"), dim(N, "order of A"),
		matrix(A, Dense, n, n, InOut, "the matrix; the reflections"),
		flat(contiguous(VecD, OfReal, n, Out, "diagonal")),
		flat(contiguous(VecE, OfReal, minusOne(N), Out, "other diagonal")),
		flat(contiguous(Tau, OfType, minusOne(N), Out, "scalars of the reflections")), batchCount()}
	return hermitianNamed(f)
}

// tridiagonalVectors completes the eigenvalues and eigenvectors of a tridiagonal matrix.
func tridiagonalVectors(f *Family) *Family {
	f.forms = plainOnly
	f.params = []part{evect(), dim(N, "order of the matrix"), diagonalD, destroyedE,
		matrix(C, Dense, n, n, InOut, "the matrix that is multiplied by the eigenvectors, or the eigenvectors"), info()}
	return f
}
