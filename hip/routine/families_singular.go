package routine

import "roclua/hip/routine/buffer"

// Singular values and vectors.
const (
	Bdsqr FamilyID = endOfEigen + iota
	Gesvd
	Gesvdj

	endOfSingular
)

var singular = []*Family{
	{
		ID: Bdsqr, Name: "bdsqr", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
		Buffers: []buffer.ID{buffer.SplitMap, buffer.RotationWork, buffer.JacobiDone},
		About:   "singular values and vectors of a bidiagonal matrix",
		params: []part{uplo("whether the matrix is upper or lower bidiagonal"), dim(N, "order of the matrix"),
			dim(NV, "columns of V"), dim(NU, "rows of U"), dim(NC, "columns of C"),
			contiguous(VecD, OfReal, n, InOut, "diagonal; the singular values"), diagonalE(),
			matrix(MatV, Dense, n, of(NV), InOut, "multiplied by the right vectors"),
			matrix(MatU, Dense, of(NU), n, InOut, "multiplied by the left vectors"),
			matrix(C, Dense, n, of(NC), InOut, "multiplied by the left vectors, transposed"), info()},
	},
	singularValues(&Family{ID: Gesvd, Name: "gesvd", About: "singular values and vectors of a matrix",
		Buffers: []buffer.ID{buffer.Scalars, buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3, buffer.EigenWork4,
			buffer.EigenScalars, buffer.EigenWork5, buffer.EigenWork6, buffer.Pointers}},
		flat(contiguous(VecE, OfReal, lessSingular, Out, "work: the other diagonal")),
		value(FastAlg, WorkMode, "whether more memory may be used")),
	singularValues(&Family{ID: Gesvdj, Name: "gesvdj",
		About: "singular values and vectors of a matrix, by Jacobi rotations",
		Buffers: []buffer.ID{buffer.Scalars, buffer.MatrixCopy, buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3,
			buffer.EigenWork4, buffer.EigenWork5, buffer.Pointers}}),
}

// singularValues completes a singular value decomposition. Extra arguments follow the vectors.
func singularValues(f *Family, extra ...part) *Family {
	f.Library, f.Level, f.types = RocSOLVER, SolverLevel, sdcz
	k := smaller(M, N)
	f.params = []part{value(LeftSvect, SingularVectorJob, "which left vectors"),
		value(RightSvect, SingularVectorJob, "which right vectors"), dim(M, "rows of A"), dim(N, "columns of A"),
		matrix(A, Dense, m, n, InOut, "the matrix; destroyed, or some vectors")}
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

func rowsOf(a *Args) int64    { return a.Int(M) }
func columnsOf(a *Args) int64 { return a.Int(N) }
func shorterOf(a *Args) int64 { return min(a.Int(M), a.Int(N)) }

var (
	lessSingular = Extent{"min(m, n)-1", func(a *Args) int64 { return shorterOf(a) - 1 }}

	leftRows     = whenWanted("m if left vectors are stored in U", LeftSvect, rowsOf, rowsOf)
	leftColumns  = whenWanted("m or min(m, n)", LeftSvect, rowsOf, shorterOf)
	rightRows    = whenWanted("n or min(m, n) if right vectors are stored in V", RightSvect, columnsOf, shorterOf)
	rightColumns = whenWanted("n", RightSvect, columnsOf, columnsOf)
)
