package routine

import (
	"slices"

	"roclua/hip/routine/buffer"
)

// Singular values and vectors.
func svdFamilies() []*Family {
	return []*Family{
		solveSVD(&Family{ID: Gesvd, Name: "gesvd", info: unconvergedElements, Iterates: true, leaves: []Slot{Info},
			About: "singular values and vectors of a matrix",
			Buffers: []buffer.ID{buffer.Scalars, buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3,
				buffer.EigenWork4, buffer.EigenScalars, buffer.EigenWork5, buffer.EigenWork6, buffer.Pointers}},
			vectorJobs(), rowsAndColumns("A"), overwrittenA, allValues, leftVectors, rightVectors,
			flat(contiguous(VecE, OfReal, lessThanSmaller, Out, "work: the other diagonal")),
			byValue(FastAlg, WorkMode, "whether more memory may be used")),
		solveSVD(&Family{ID: Gesvdj, Name: "gesvdj", info: failedMethod, Iterates: true,
			About:   "singular values and vectors of a matrix, by Jacobi rotations",
			Buffers: singularJacobiBuffers},
			storedVectors, rowsAndColumns("A"), overwrittenA, jacobiSweeps(), allValues,
			leftVectors, rightVectors),
		solveSVD(&Family{ID: Gesdd, Name: "gesdd", info: failedMethod,
			About: "singular values and vectors of a matrix, by divide and conquer",
			Buffers: []buffer.ID{buffer.MatrixCopy, buffer.SecondCopy, buffer.Scalars, buffer.EigenWork1,
				buffer.EigenWork2, buffer.EigenWork3, buffer.EigenWork4, buffer.BidiagonalScalars, buffer.SplitMap,
				buffer.EigenWork5, buffer.EigenScalars, buffer.EigenWork6, buffer.RepeatedWork, buffer.Pointers}},
			storedVectors, rowsAndColumns("A"),
			matrix(A, Dense, m, n, InOut, "the matrix; destroyed"), allValues, leftVectors, rightVectors),
		solveSVD(&Family{ID: Gesvdx, Name: "gesvdx", info: listedVectors, Buffers: rangeBuffers,
			About: "some singular values and vectors of a matrix, by bisection"},
			vectorJobs(SvectSingular, SvectNone), singularRange(), rowsAndColumns("A"),
			matrix(A, Dense, m, n, InOut, "the matrix; destroyed"), rangeBounds(), foundValues(smaller(M, N)),
			flat(matrix(MatU, Dense, leftRows, foundColumns, Out, "left vectors")),
			flat(matrix(MatV, Dense, foundRows, rightColumns, Out, "right vectors, transposed")),
			unconverged(smaller(M, N))),
		{
			ID: Bdsqr, Name: "bdsqr", info: unconvergedElements, Iterates: true, forms: plainOnly, leaves: []Slot{Info},
			Buffers: []buffer.ID{buffer.SplitMap, buffer.RotationWork, buffer.JacobiDone},
			About:   "singular values and vectors of a bidiagonal matrix",
			params: []part{uplo("whether the matrix is upper or lower bidiagonal"), dim(N, "order of the matrix"),
				dim(NV, "columns of V"), dim(NU, "rows of U"), dim(NC, "columns of C"),
				contiguous(VecD, OfReal, n, InOut, "diagonal; the singular values"), destroyedE,
				matrix(MatV, Dense, n, sizeOf(NV), InOut, "multiplied by the right vectors"),
				matrix(MatU, Dense, sizeOf(NU), n, InOut, "multiplied by the left vectors"),
				matrix(C, Dense, n, sizeOf(NC), InOut, "multiplied by the left vectors, transposed"), info()},
		},
		{
			ID: Bdsvdx, Name: "bdsvdx", info: listedVectors,
			types: sd, forms: plainOnly, leaves: []Slot{Nsv}, Buffers: bisectionBuffers,
			About: "some singular values and vectors of a bidiagonal matrix, by bisection",
			params: []part{uplo("whether the matrix is upper or lower bidiagonal"),
				accepting(byValue(Svect, SingularVectorJob, "whether singular vectors are computed"), SvectSingular,
					SvectNone),
				singularRange(), dim(N, "order of the matrix"), contiguous(VecD, OfReal, n, In, "diagonal"),
				contiguous(VecE, OfReal, minusOne(N), In, "other diagonal"), rangeBounds(), foundValues(n),
				matrix(MatZ, Dense, twice(N), whenWanted(mostFound, Svect, inRange(n), inRange(n)), Out,
					"left vectors above right vectors"),
				unconverged(n), info()},
		},
	}
}

var (
	// bisectionBuffers are the buffers of bdsvdx.
	bisectionBuffers = []buffer.ID{buffer.BisectionCounts, buffer.EigenWork1, buffer.BisectionSquares,
		buffer.BisectionBounds, buffer.BisectionIntervals, buffer.BisectionNumbers, buffer.BlockCount, buffer.BlockMap,
		buffer.SplitMap, buffer.TridiagonalDiagonal, buffer.TridiagonalSubdiagonal, buffer.SingularValues}

	// rangeBuffers are the buffers of gesvdx: bdsvdx shares most of its memory with the steps that reduce the matrix
	// and multiply the vectors.
	rangeBuffers = []buffer.ID{buffer.Scalars, buffer.BisectionCounts, buffer.EigenWork1, buffer.EigenWork2,
		buffer.EigenWork3, buffer.EigenWork4, buffer.BisectionNumbers, buffer.BlockCount, buffer.BlockMap,
		buffer.SplitMap, buffer.EigenWork5, buffer.EigenWork6, buffer.TriangularFactor, buffer.BidiagonalForm,
		buffer.BidiagonalScalars, buffer.SingularVectors, buffer.EigenScalars, buffer.MatrixCopy, buffer.Pointers,
		buffer.MatrixCopyPointers}

	singularJacobiBuffers = []buffer.ID{buffer.Scalars, buffer.MatrixCopy, buffer.EigenWork1, buffer.EigenWork2,
		buffer.EigenWork3, buffer.EigenWork4, buffer.EigenWork5, buffer.Pointers}

	storedVectors = vectorJobs(SvectAll, SvectSingular, SvectNone)

	overwrittenA = matrix(A, Dense, m, n, InOut, "the matrix; destroyed, or some vectors")
	allValues    = flat(contiguous(VecS, OfReal, smaller(M, N), Out, "singular values"))
	leftVectors  = flat(matrix(MatU, Dense, leftRows, leftColumns, Out, "left vectors"))
	rightVectors = flat(matrix(MatV, Dense, rightRows, rightColumns, Out, "right vectors, transposed"))

	leftRows     = whenWanted("m if left vectors are stored in U", LeftSvect, m, m)
	leftColumns  = whenWanted("m or min(m, n)", LeftSvect, m, smaller(M, N))
	rightRows    = whenWanted("n or min(m, n) if right vectors are stored in V", RightSvect, n, smaller(M, N))
	rightColumns = whenWanted("n", RightSvect, n, n)
	foundColumns = whenWanted(mostFound, LeftSvect, inRange(smaller(M, N)), inRange(smaller(M, N)))
	foundRows    = whenWanted(mostFound, RightSvect, inRange(smaller(M, N)), inRange(smaller(M, N)))
)

const mostFound = "number of singular values looked for, at most"

// solveSVD completes a singular value decomposition.
func solveSVD(f *Family, arguments ...part) *Family {
	f.params = slices.Concat(arguments, []part{info(), batchCount()})
	return f
}

// vectorJobs declares which vectors are computed. The parameters are the accepted values; none means all.
func vectorJobs(values ...int64) part {
	return several(accepting(byValue(LeftSvect, SingularVectorJob, "which left vectors"), values...),
		accepting(byValue(RightSvect, SingularVectorJob, "which right vectors"), values...))
}

func singularRange() part { return byValue(Srange, SingularValueRange, "which singular values") }

// foundValues declares the number of singular values in the range, and the values.
func foundValues(all Extent) part {
	return several(flat(contiguous(Nsv, OfInt, length1, Out, "number of singular values")),
		flat(contiguous(VecS, OfReal, inRange(all), Out, "singular values")))
}

// whenWanted is a dimension of singular vectors, which do not exist for some jobs.
func whenWanted(text string, job Slot, all, singular Extent) Extent {
	return Extent{text, func(a *Args) int64 {
		switch a.Int(job) {
		case SvectAll:
			return all.Of(a)
		case SvectSingular:
			return singular.Of(a)
		}
		return 0
	}}
}

// inRange is the largest number of singular values that a range can contain.
func inRange(all Extent) Extent {
	return Extent{mostFound, func(a *Args) int64 {
		if a.Int(Srange) == SrangeIndex {
			return a.Int(UpperIndex) - a.Int(LowerIndex) + 1
		}
		return all.Of(a)
	}}
}

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
	f.operations = func(a *Args) float64 { return 2 * qr(a) }
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
