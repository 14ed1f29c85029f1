package routine

import (
	"slices"

	"roclua/hip/routine/buffer"
)

// Singular values and vectors.
func svdFamilies() []*Family {
	return []*Family{
		singularValues(&Family{ID: Gesvd, Name: "gesvd", About: "singular values and vectors of a matrix",
			leavesInfo: true,
			Buffers: []buffer.ID{buffer.Scalars, buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3,
				buffer.EigenWork4,
				buffer.EigenScalars, buffer.EigenWork5, buffer.EigenWork6, buffer.Pointers}},
			flat(contiguous(VecE, OfReal, lessSingular, Out, "work: the other diagonal")),
			value(FastAlg, WorkMode, "whether more memory may be used")),
		singularValues(&Family{ID: Gesvdj, Name: "gesvdj",
			About: "singular values and vectors of a matrix, by Jacobi rotations",
			Buffers: []buffer.ID{buffer.Scalars, buffer.MatrixCopy, buffer.EigenWork1, buffer.EigenWork2,
				buffer.EigenWork3,
				buffer.EigenWork4, buffer.EigenWork5, buffer.Pointers}}),
		{
			ID: Gesdd, Name: "gesdd", Library: RocSOLVER, Level: SolverLevel, types: sdcz,
			Buffers: []buffer.ID{buffer.MatrixCopy, buffer.SecondCopy, buffer.Scalars, buffer.EigenWork1,
				buffer.EigenWork2, buffer.EigenWork3, buffer.EigenWork4, buffer.BidiagonalScalars, buffer.SplitMap,
				buffer.EigenWork5, buffer.EigenScalars, buffer.EigenWork6, buffer.RepeatedWork, buffer.Pointers},
			About: "singular values and vectors of a matrix, by divide and conquer",
			params: slices.Concat(singularProblem(SvectAll, SvectSingular, SvectNone),
				[]part{dim(M, "rows of A"), dim(N, "columns of A"),
					matrix(A, Dense, m, n, InOut, "the matrix; destroyed"),
					flat(contiguous(VecS, OfReal, smaller(M, N), Out, "singular values")),
					flat(matrix(MatU, Dense, leftRows, leftColumns, Out, "left vectors")),
					flat(matrix(MatV, Dense, rightRows, rightColumns, Out, "right vectors, transposed")), info(),
					batchCount()}),
		},
		{
			ID: Gesvdx, Name: "gesvdx", Library: RocSOLVER, Level: SolverLevel, types: sdcz, Buffers: rangeBuffers,
			About: "some singular values and vectors of a matrix, by bisection",
			params: slices.Concat(singularProblem(SvectSingular, SvectNone),
				[]part{value(Srange, SingularValueRange, "which singular values"), dim(M, "rows of A"),
					dim(N, "columns of A"), matrix(A, Dense, m, n, InOut, "the matrix; destroyed")},
				singularRange(smaller(M, N)),
				[]part{flat(matrix(MatU, Dense, leftRows, foundColumns, Out, "left vectors")),
					flat(matrix(MatV, Dense, foundRows, rightColumns, Out, "right vectors, transposed")),
					flat(contiguous(Ifail, OfInt, smaller(M, N), Out, "vectors that did not converge")), info(),
					batchCount()}),
		},
		{
			ID: Bdsqr, Name: "bdsqr", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			leavesInfo: true,
			Buffers:    []buffer.ID{buffer.SplitMap, buffer.RotationWork, buffer.JacobiDone},
			About:      "singular values and vectors of a bidiagonal matrix",
			params: []part{uplo("whether the matrix is upper or lower bidiagonal"), dim(N, "order of the matrix"),
				dim(NV, "columns of V"), dim(NU, "rows of U"), dim(NC, "columns of C"),
				contiguous(VecD, OfReal, n, InOut, "diagonal; the singular values"), diagonalE(),
				matrix(MatV, Dense, n, of(NV), InOut, "multiplied by the right vectors"),
				matrix(MatU, Dense, of(NU), n, InOut, "multiplied by the left vectors"),
				matrix(C, Dense, n, of(NC), InOut, "multiplied by the left vectors, transposed"), info()},
		},
		{
			ID: Bdsvdx, Name: "bdsvdx", Library: RocSOLVER, Level: SolverLevel, types: sd, forms: plainOnly,
			Buffers: bisectionBuffers,
			About:   "some singular values and vectors of a bidiagonal matrix, by bisection",
			params: slices.Concat([]part{uplo("whether the matrix is upper or lower bidiagonal"),
				accepting(value(Svect, SingularVectorJob, "whether singular vectors are computed"), SvectSingular,
					SvectNone),
				value(Srange, SingularValueRange, "which singular values"), dim(N, "order of the matrix"),
				contiguous(VecD, OfReal, n, In, "diagonal"), contiguous(VecE, OfReal, minusOne(N), In,
					"other diagonal")},
				singularRange(n),
				[]part{matrix(MatZ, Dense, twice(N), ofRange(N), Out, "left vectors above right vectors"),
					contiguous(Ifail, OfInt, n, Out, "vectors that did not converge"), info()}),
		},
	}
}

// bisectionBuffers are those of bdsvdx.
var bisectionBuffers = []buffer.ID{buffer.BisectionCounts, buffer.EigenWork1, buffer.BisectionSquares,
	buffer.BisectionBounds, buffer.BisectionIntervals, buffer.BisectionNumbers, buffer.BlockCount, buffer.BlockMap,
	buffer.SplitMap, buffer.TridiagonalDiagonal, buffer.TridiagonalSubdiagonal, buffer.SingularValues}

// rangeBuffers are those of gesvdx: bdsvdx shares most of its memory with the steps that reduce the matrix and multiply
// the vectors.
var rangeBuffers = []buffer.ID{buffer.Scalars, buffer.BisectionCounts, buffer.EigenWork1, buffer.EigenWork2,
	buffer.EigenWork3, buffer.EigenWork4, buffer.BisectionNumbers, buffer.BlockCount, buffer.BlockMap, buffer.SplitMap,
	buffer.EigenWork5, buffer.EigenWork6, buffer.TriangularFactor, buffer.BidiagonalForm, buffer.BidiagonalScalars,
	buffer.SingularVectors, buffer.EigenScalars, buffer.MatrixCopy, buffer.Pointers, buffer.MatrixCopyPointers}

// singularProblem declares the jobs of a singular value decomposition: those given, or all.
func singularProblem(jobs ...int64) []part {
	return []part{accepting(value(LeftSvect, SingularVectorJob, "which left vectors"), jobs...),
		accepting(value(RightSvect, SingularVectorJob, "which right vectors"), jobs...)}
}

// singularRange declares the range of singular values, and where their number and they are stored.
func singularRange(all Extent) []part {
	return []part{value(LowerBound, Real, "lower end"), value(UpperBound, Real, "upper end"),
		withDefault(0, dim(LowerIndex, "first index")), withDefault(0, dim(UpperIndex, "last index")),
		flat(contiguous(Nsv, OfInt, one, Out, "number of singular values")),
		flat(contiguous(VecS, OfReal, inRange(all), Out, "singular values"))}
}

// singularValues completes a singular value decomposition. Extra arguments follow the vectors.
func singularValues(f *Family, extra ...part) *Family {
	f.Library, f.Level, f.types = RocSOLVER, SolverLevel, sdcz
	k := smaller(M, N)
	f.params = append(singularProblem(), dim(M, "rows of A"), dim(N, "columns of A"),
		matrix(A, Dense, m, n, InOut, "the matrix; destroyed, or some vectors"))
	if len(extra) == 0 {
		f.params = append(f.params, sweeps()...)
	}
	f.params = append(f.params, flat(contiguous(VecS, OfReal, k, Out, "singular values")),
		flat(matrix(MatU, Dense, leftRows, leftColumns, Out, "left vectors")),
		flat(matrix(MatV, Dense, rightRows, rightColumns, Out, "right vectors, transposed")))
	f.params = append(append(f.params, extra...), info(), batchCount())
	return f
}

// whenWanted is a dimension of singular vectors, which do not exist for some jobs.
func whenWanted(text string, job Slot, all, singular func(*Args) int64) Extent {
	return Extent{text, func(a *Args) int64 {
		switch a.Int(job) {
		case SvectAll:
			return all(a)
		case SvectSingular:
			return singular(a)
		}
		return 0
	}}
}

func rowsOf(a *Args) int64 { return a.Int(M) }

func columnsOf(a *Args) int64 { return a.Int(N) }

func shorterOf(a *Args) int64 { return min(a.Int(M), a.Int(N)) }

var lessSingular = Extent{"min(m, n)-1", func(a *Args) int64 { return shorterOf(a) - 1 }}

var leftRows = whenWanted("m if left vectors are stored in U", LeftSvect, rowsOf, rowsOf)

var leftColumns = whenWanted("m or min(m, n)", LeftSvect, rowsOf, shorterOf)

var rightRows = whenWanted("n or min(m, n) if right vectors are stored in V", RightSvect, columnsOf, shorterOf)

var rightColumns = whenWanted("n", RightSvect, columnsOf, columnsOf)

var foundColumns = whenWanted("number of singular values looked for, at most", LeftSvect, mostFound, mostFound)

var foundRows = whenWanted("number of singular values looked for, at most", RightSvect, mostFound, mostFound)

// inRange is the largest number of singular values that a range can contain, of all that there are.
func inRange(all Extent) Extent {
	return Extent{"number of singular values looked for, at most", func(a *Args) int64 {
		if a.Int(Srange) == SrangeIndex {
			return a.Int(UpperIndex) - a.Int(LowerIndex) + 1
		}
		return all.of(a)
	}}
}

// mostFound returns the largest number of singular values that a range can contain.
func mostFound(a *Args) int64 {
	if a.Int(Srange) == SrangeIndex {
		return a.Int(UpperIndex) - a.Int(LowerIndex) + 1
	}
	return shorterOf(a)
}

// ofRange is mostFound of a bidiagonal matrix.
func ofRange(order Slot) Extent {
	return Extent{"number of singular values looked for, at most", func(a *Args) int64 {
		switch {
		case a.Int(Svect) == SvectNone:
			return 0
		case a.Int(Srange) == SrangeIndex:
			return a.Int(UpperIndex) - a.Int(LowerIndex) + 1
		}
		return a.Int(order)
	}}
}
