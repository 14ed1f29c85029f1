package routine

import "roclua/hip/routine/buffer"

// Eigenvalues and eigenvectors.
const (
	Sterf FamilyID = endOfInverses + iota
	Steqr
	Stedc
	Stebz
	Stein
	Lasr
	Sygs2
	Sygst
	Syev
	Syevd
	Syevj
	Syevdj
	Sygv
	Sygvd
	Sygvj
	Sygvdj

	endOfEigen
)

var (
	eigenStack = []buffer.ID{buffer.EigenStack}

	eigenBuffers = []buffer.ID{
		buffer.Scalars, buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3, buffer.EigenScalars, buffer.Pointers,
	}
	jacobiBuffers = []buffer.ID{
		buffer.MatrixCopy, buffer.JacobiRotations, buffer.JacobiNorms, buffer.JacobiTop, buffer.JacobiBottom,
		buffer.JacobiDone,
	}
	standardBuffers = []buffer.ID{
		buffer.Scalars, buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3, buffer.EigenWork4,
	}
	dividedBuffers = buffer.Join(standardBuffers, []buffer.ID{buffer.RankOneUpdate, buffer.SplitMap,
		buffer.EigenScalars, buffer.Pointers})
	generalDividedBuffers = buffer.Join(generalBuffers, []buffer.ID{buffer.RankOneUpdate, buffer.SplitMap,
		buffer.EigenScalars})
	dividedJacobiBuffers = buffer.Join(standardBuffers, []buffer.ID{buffer.TridiagonalSubdiagonal, buffer.EigenScalars,
		buffer.MatrixCopy, buffer.SplitMap, buffer.Pointers})
	generalDividedJacobiBuffers = buffer.Join(dividedJacobiBuffers, []buffer.ID{buffer.PanelInfo})
	generalBuffers              = buffer.Join(standardBuffers, []buffer.ID{buffer.EigenWork5, buffer.PanelInfo})
	generalJacobiBuffers        = buffer.Join(generalBuffers, []buffer.ID{buffer.EigenWork6})
)

func eigen() []*Family {
	return []*Family{
		{
			ID: Sterf, Name: "sterf", Library: RocSOLVER, Level: SolverLevel, types: sd, forms: plainOnly,
			Buffers: eigenStack,
			About:   "eigenvalues of a symmetric tridiagonal matrix",
			params:  []part{dim(N, "order of the matrix"), diagonalD(), diagonalE(), info()},
		},
		{
			ID: Steqr, Name: "steqr", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			Buffers: eigenStack,
			About:   "eigenvalues and eigenvectors of a symmetric tridiagonal matrix",
			params: []part{evect(), dim(N, "order of the matrix"), diagonalD(), diagonalE(),
				matrix(C, Dense, n, n, InOut, "the matrix that is multiplied by the eigenvectors, or the eigenvectors"),
				info()},
		},
		{
			ID: Stedc, Name: "stedc", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			Buffers: []buffer.ID{buffer.EigenStack, buffer.DividedVectors, buffer.DividedProducts, buffer.RankOneUpdate,
				buffer.SplitMap, buffer.Pointers},
			About: "eigenvalues and eigenvectors of a symmetric tridiagonal matrix, by divide and conquer",
			params: []part{evect(), dim(N, "order of the matrix"), diagonalD(), diagonalE(),
				matrix(C, Dense, n, n, InOut, "the matrix that is multiplied by the eigenvectors, or the eigenvectors"),
				info()},
		},
		{
			ID: Stebz, Name: "stebz", Library: RocSOLVER, Level: SolverLevel, types: sd, forms: plainOnly,
			Buffers: []buffer.ID{buffer.BisectionCounts, buffer.BisectionPivots, buffer.BisectionSquares,
				buffer.BisectionBounds, buffer.BisectionIntervals, buffer.BisectionNumbers},
			About: "some eigenvalues of a symmetric tridiagonal matrix, by bisection",
			params: []part{erange(),
				value(Eorder, EigenvalueOrder, "their order"),
				dim(N, "order of the matrix"), lowerBound(), upperBound(), lowerIndex(), upperIndex(),
				value(Abstol, Real, "tolerance"), contiguous(VecD, OfReal, n, In, "diagonal"),
				contiguous(VecE, OfReal, minusOne(N), In, "other diagonal"),
				contiguous(Nev, OfInt, one, Out, "number of eigenvalues"),
				contiguous(Nsplit, OfInt, one, Out, "number of blocks"),
				contiguous(VecW, OfReal, n, Out, "eigenvalues"),
				contiguous(Iblock, OfInt, n, Out, "block of each eigenvalue"),
				contiguous(Isplit, OfInt, n, Out, "ends of the blocks"), info()},
		},
		{
			ID: Stein, Name: "stein", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			Buffers: []buffer.ID{buffer.EigenStack, buffer.BisectionCounts},
			About:   "eigenvectors of a symmetric tridiagonal matrix, by inverse iteration",
			params: []part{dim(N, "order of the matrix"), contiguous(VecD, OfReal, n, In, "diagonal"),
				contiguous(VecE, OfReal, minusOne(N), In, "other diagonal"),
				contiguous(Nev, OfInt, one, In, "number of eigenvalues"),
				contiguous(VecW, OfReal, n, In, "eigenvalues"),
				contiguous(Iblock, OfInt, n, In, "block of each eigenvalue"),
				contiguous(Isplit, OfInt, n, In, "ends of the blocks"), matrix(MatZ, Dense, n, n, Out, "eigenvectors"),
				contiguous(Ifail, OfInt, n, Out, "vectors that did not converge"), info()},
		},
		{
			ID: Lasr, Name: "lasr", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			idle:  []Extent{lessRotations},
			About: "applies plane rotations to A from one side",
			params: []part{side("side of the product on which the rotations are"),
				value(PivotMode, RotationPivot, "planes of the rotations"), direct(), dim(M, "rows of A"),
				dim(N, "columns of A"), contiguous(VecC, OfReal, lessRotations, In, "cosines"),
				contiguous(VecS, OfReal, lessRotations, In, "sines"), matrix(A, Dense, m, n, InOut, "the matrix")},
		},
		standardForm(&Family{ID: Sygs2, Name: "sygs2",
			About:   "reduces a generalized problem to standard form, unblocked",
			Buffers: []buffer.ID{buffer.Scalars, buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3}}),
		standardForm(&Family{ID: Sygst, Name: "sygst", About: "reduces a generalized problem to standard form",
			Buffers: standardBuffers}),
		hermitianNamed(&Family{
			ID: Syev, Name: "syev", About: "eigenvalues and eigenvectors of a symmetric matrix", Buffers: eigenBuffers,
			params: []part{evect(), uplo("triangle of A"), dim(N, "order of A"), eigenA, eigenvalues(VecD),
				flat(contiguous(VecE, OfReal, n, Out, "work: the other diagonal")), info(), batchCount()},
		}),
		hermitianNamed(&Family{
			ID: Syevd, Name: "syevd", Buffers: dividedBuffers,
			About: "eigenvalues and eigenvectors of a symmetric matrix, by divide and conquer",
			params: []part{evect(), uplo("triangle of A"), dim(N, "order of A"), eigenA, eigenvalues(VecD),
				flat(contiguous(VecE, OfReal, n, Out, "work: the other diagonal")), info(), batchCount()},
		}),
		hermitianNamed(&Family{
			ID: Syevj, Name: "syevj", About: "eigenvalues and eigenvectors of a symmetric matrix, by Jacobi rotations",
			Buffers: jacobiBuffers,
			params: append(append([]part{value(Esort, EigenvalueSort, "order of the eigenvalues"), evect(),
				uplo("triangle of A"), dim(N, "order of A"), eigenA}, sweeps()...), eigenvalues(VecW), info(),
				batchCount()),
		}),
		hermitianNamed(&Family{
			ID: Syevdj, Name: "syevdj", Buffers: dividedJacobiBuffers,
			About: "eigenvalues and eigenvectors of a symmetric matrix, by divide and conquer and Jacobi rotations",
			params: []part{evect(), uplo("triangle of A"), dim(N, "order of A"), eigenA, eigenvalues(VecD), info(),
				batchCount()},
		}),
		hermitianNamed(&Family{
			ID: Sygv, Name: "sygv", About: "eigenvalues and eigenvectors of a generalized symmetric problem",
			Buffers: generalBuffers,
			params: append(generalProblem(), eigenvalues(VecD),
				flat(contiguous(VecE, OfReal, n, Out, "work: the other diagonal")), info(), batchCount()),
		}),
		hermitianNamed(&Family{
			ID: Sygvd, Name: "sygvd", Buffers: generalDividedBuffers,
			About: "eigenvalues and eigenvectors of a generalized symmetric problem, by divide and conquer",
			params: append(generalProblem(), eigenvalues(VecD),
				flat(contiguous(VecE, OfReal, n, Out, "work: the other diagonal")), info(), batchCount()),
		}),
		hermitianNamed(&Family{
			ID: Sygvj, Name: "sygvj", Buffers: generalJacobiBuffers,
			About:  "eigenvalues and eigenvectors of a generalized symmetric problem, by Jacobi rotations",
			params: append(append(generalProblem(), sweeps()...), eigenvalues(VecW), info(), batchCount()),
		}),
		hermitianNamed(&Family{
			ID: Sygvdj, Name: "sygvdj", Buffers: generalDividedJacobiBuffers,
			About: "eigenvalues and eigenvectors of a generalized symmetric problem, by divide and conquer and " +
				"Jacobi rotations",
			params: append(generalProblem(), eigenvalues(VecD), info(), batchCount()),
		}),
	}
}

var (
	eigenA = matrix(A, Dense, n, n, InOut, "the matrix; the eigenvectors")

	factoredB = matrix(B, Upper, n, n, InOut, "the other matrix; its Cholesky factor")

	lessRotations = Extent{"side is left ? m-1 : n-1", func(a *Args) int64 { return orderOfQ(a) - 1 }}
)

func evect() part { return value(Evect, EigenvectorJob, "whether eigenvectors are computed") }

func erange() part     { return value(Erange, EigenvalueRange, "which eigenvalues") }
func lowerBound() part { return value(LowerBound, Real, "lower end") }
func upperBound() part { return value(UpperBound, Real, "upper end") }
func lowerIndex() part { return withDefault(0, dim(LowerIndex, "first index")) }
func upperIndex() part { return withDefault(0, dim(UpperIndex, "last index")) }

func diagonalD() part { return contiguous(VecD, OfReal, n, InOut, "diagonal; the eigenvalues") }
func diagonalE() part {
	return contiguous(VecE, OfReal, minusOne(N), InOut, "other diagonal; destroyed")
}

func eigenvalues(s Slot) part { return flat(contiguous(s, OfReal, n, Out, "eigenvalues")) }

// sweeps declares the arguments of Jacobi's method.
func sweeps() []part {
	return []part{value(Abstol, Real, "tolerance"),
		flat(contiguous(Residual, OfReal, one, Out, "norm of what remains")),
		withDefault(100, dim(MaxSweeps, "sweeps at most")), flat(contiguous(Sweeps, OfInt, one, Out, "sweeps"))}
}

// generalProblem declares what routines for generalized problems have in common.
func generalProblem() []part {
	return []part{value(Itype, ProblemForm, "form of the problem"), evect(), uplo("triangle of A and B"),
		dim(N, "order of A and B"), eigenA, factoredB}
}

// standardForm completes a reduction of a generalized problem.
func standardForm(f *Family) *Family {
	f.params = []part{value(Itype, ProblemForm, "form of the problem"), uplo("triangle of A and B"),
		dim(N, "order of A and B"), matrix(A, Upper, n, n, InOut, "the matrix; the reduced one"),
		matrix(B, Upper, n, n, In, "the Cholesky factor of the other matrix"), batchCount()}
	return hermitianNamed(f)
}

// hermitianNamed completes a family whose complex routines have another name, such as heev for syev.
func hermitianNamed(f *Family) *Family {
	f.Library, f.Level, f.types = RocSOLVER, SolverLevel, sdcz
	f.names = map[Type]string{TypeC: "che" + f.Name[2:], TypeZ: "zhe" + f.Name[2:]}
	return f
}
