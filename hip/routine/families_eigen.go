package routine

import (
	"slices"

	"roclua/hip/routine/buffer"
)

// Eigenvalues and eigenvectors of symmetric matrices.
func eigenFamilies() []*Family {
	return []*Family{
		standardForm(&Family{ID: Sygst, Name: "sygst", Buffers: standardBuffers,
			About: "reduces a generalized problem to standard form"}),
		standardForm(&Family{ID: Sygs2, Name: "sygs2",
			Buffers: []buffer.ID{buffer.Scalars, buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3},
			About:   "reduces a generalized problem to standard form, unblocked"}),

		eigenSolver(&Family{ID: Syev, Name: "syev", info: unconvergedElements, Buffers: eigenBuffers,
			About: "eigenvalues and eigenvectors of a symmetric matrix"}, symmetricProblem, valuesAndWork),
		eigenSolver(&Family{ID: Syevd, Name: "syevd", info: unconvergedValue, Buffers: dividedBuffers,
			About: "eigenvalues and eigenvectors of a symmetric matrix, by divide and conquer"},
			symmetricProblem, valuesAndWork),
		eigenSolver(&Family{ID: Syevj, Name: "syevj", info: failedMethod, Iterates: true, Buffers: jacobiBuffers,
			About: "eigenvalues and eigenvectors of a symmetric matrix, by Jacobi rotations"},
			byValue(Esort, EigenvalueSort, "order of the eigenvalues"), symmetricProblem, jacobiSweeps(),
			eigenvaluesIn(VecW)),
		eigenSolver(&Family{ID: Syevdj, Name: "syevdj", info: failedMethod,
			Iterates: true, Buffers: dividedJacobiBuffers,
			About: "eigenvalues and eigenvectors of a symmetric matrix, by divide and conquer and Jacobi rotations"},
			symmetricProblem, eigenvaluesIn(VecD)),
		eigenSolver(&Family{ID: Syevx, Name: "syevx", info: listedVectors, Buffers: partialBuffers,
			About: "some eigenvalues and eigenvectors of a symmetric matrix, by bisection"},
			symmetricSubset, abstol(), foundPairs, unconverged(n)),
		eigenSolver(&Family{ID: Syevdx, Name: "syevdx", info: unconvergedVectors, Buffers: partialBuffers,
			About: "some eigenvalues and eigenvectors of a symmetric matrix, by divide and conquer"},
			symmetricSubset, foundPairs),

		eigenSolver(&Family{ID: Sygv, Name: "sygv", info: unconvergedElements + orNotPositive, Buffers: generalBuffers,
			About: "eigenvalues and eigenvectors of a generalized symmetric problem"}, generalizedProblem,
			valuesAndWork),
		eigenSolver(&Family{ID: Sygvd, Name: "sygvd", info: unconvergedValue + orNotPositive,
			Buffers: generalDividedBuffers,
			About:   "eigenvalues and eigenvectors of a generalized symmetric problem, by divide and conquer"},
			generalizedProblem, valuesAndWork),
		// roclapack_sygvj_hegvj_strided_batched.cpp
		eigenSolver(&Family{ID: Sygvj, Name: "sygvj", info: failedMethod + orNotPositive,
			Iterates: true, StridedAsPlain: true,
			Buffers: generalJacobiBuffers,
			About:   "eigenvalues and eigenvectors of a generalized symmetric problem, by Jacobi rotations"},
			generalizedProblem, jacobiSweeps(), eigenvaluesIn(VecW)),
		eigenSolver(&Family{ID: Sygvdj, Name: "sygvdj", info: failedMethod + orNotPositive,
			Iterates: true, Buffers: generalDividedJacobiBuffers,
			About: "eigenvalues and eigenvectors of a generalized symmetric problem, by divide and conquer and " +
				"Jacobi rotations"}, generalizedProblem, eigenvaluesIn(VecD)),
		eigenSolver(&Family{ID: Sygvx, Name: "sygvx", info: listedVectors + orNotPositive,
			Buffers: generalPartialBuffers,
			About:   "some eigenvalues and eigenvectors of a generalized symmetric problem, by bisection"},
			generalizedSubset, abstol(), foundPairs, unconverged(n)),
		eigenSolver(&Family{ID: Sygvdx, Name: "sygvdx", info: unconvergedVectors + orNotPositive,
			Buffers: generalPartialBuffers,
			About:   "some eigenvalues and eigenvectors of a generalized symmetric problem, by divide and conquer"},
			generalizedSubset, foundPairs),
	}
}

// The workspace of the solvers.
var (
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
	dividedBuffers = buffer.Join(standardBuffers, []buffer.ID{
		buffer.RankOneUpdate, buffer.SplitMap, buffer.EigenScalars, buffer.Pointers,
	})
	dividedJacobiBuffers = buffer.Join(standardBuffers, []buffer.ID{
		buffer.TridiagonalSubdiagonal, buffer.EigenScalars, buffer.MatrixCopy, buffer.SplitMap, buffer.Pointers,
	})
	partialBuffers = buffer.Join(standardBuffers, []buffer.ID{
		buffer.EigenWork5, buffer.EigenWork6, buffer.TridiagonalDiagonal, buffer.TridiagonalSubdiagonal,
		buffer.BlockMap, buffer.SplitMap, buffer.EigenScalars, buffer.Pointers,
	})

	generalBuffers        = buffer.Join(standardBuffers, []buffer.ID{buffer.EigenWork5, buffer.PanelInfo})
	generalDividedBuffers = buffer.Join(generalBuffers, []buffer.ID{
		buffer.RankOneUpdate, buffer.SplitMap, buffer.EigenScalars,
	})
	generalJacobiBuffers        = buffer.Join(generalBuffers, []buffer.ID{buffer.EigenWork6})
	generalDividedJacobiBuffers = buffer.Join(dividedJacobiBuffers, []buffer.ID{buffer.PanelInfo})
	generalPartialBuffers       = buffer.Join(partialBuffers, []buffer.ID{buffer.PanelInfo})
)

// The problems: symmetric or generalized, and all eigenvalues or some.
var (
	problemForm = byValue(Itype, ProblemForm, "form of the problem")
	triangleOfA = several(uplo("triangle of A"), dim(N, "order of A"))
	triangleOfB = several(uplo("triangle of A and B"), dim(N, "order of A and B"))
	eigenA      = matrix(A, Dense, n, n, InOut, "the matrix; the eigenvectors")
	destroyedA  = matrix(A, Dense, n, n, InOut, "the matrix; destroyed")
	factoredB   = matrix(B, Upper, n, n, InOut, "the other matrix; its Cholesky factor")

	symmetricProblem   = several(evect(), triangleOfA, eigenA)
	symmetricSubset    = several(evect(), erange(), triangleOfA, destroyedA, rangeBounds())
	generalizedProblem = several(problemForm, evect(), triangleOfB, eigenA, factoredB)
	generalizedSubset  = several(problemForm, evect(), erange(), triangleOfB, destroyedA, factoredB, rangeBounds())
)

// The results.
var (
	valuesAndWork = several(eigenvaluesIn(VecD), flat(contiguous(VecE, OfReal, n, Out, "work: the other diagonal")))

	foundPairs = several(flat(contiguous(Nev, OfInt, length1, Out, "number of eigenvalues")), eigenvaluesIn(VecW),
		matrix(MatZ, Dense, n, wantedColumns, Out, "eigenvectors"))

	// wantedColumns is the number of eigenvectors. With bounds it is not known before the call, and Z has n columns.
	wantedColumns = Extent{"0 if evect is none, iu-il+1 if erange is index, else n", func(a *Args) int64 {
		switch {
		case a.Int(Evect) == EvectNone:
			return 0
		case a.Int(Erange) == ErangeIndex:
			return a.Int(UpperIndex) - a.Int(LowerIndex) + 1
		}
		return a.Int(N)
	}}
)

func eigenvaluesIn(s Slot) part { return flat(contiguous(s, OfReal, n, Out, "eigenvalues")) }

// eigenSolver completes a solver, whose complex routines are called heev instead of syev.
func eigenSolver(f *Family, arguments ...part) *Family {
	f.params = slices.Concat(arguments, []part{info(), batchCount()})
	return hermitianNamed(f)
}

// standardForm completes a reduction of a generalized problem.
func standardForm(f *Family) *Family {
	f.operations = cubic(1)
	f.params = []part{problemForm, triangleOfB, matrix(A, Upper, n, n, InOut, "the matrix; the reduced one"),
		matrix(B, Upper, n, n, In, "the Cholesky factor of the other matrix"), batchCount()}
	return hermitianNamed(f)
}

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
			ID: Sterf, Name: "sterf", info: unconvergedElements,
			types: sd, forms: plainOnly, Buffers: []buffer.ID{buffer.EigenStack},
			About:  "eigenvalues of a symmetric tridiagonal matrix",
			params: []part{dim(N, "order of the matrix"), diagonalD, destroyedE, info()},
		},
		tridiagonalVectors(&Family{ID: Steqr, Name: "steqr", info: unconvergedElements,
			Buffers: []buffer.ID{buffer.EigenStack},
			About:   "eigenvalues and eigenvectors of a symmetric tridiagonal matrix"}),
		tridiagonalVectors(&Family{ID: Stedc, Name: "stedc", info: unconvergedValue,
			Buffers: []buffer.ID{buffer.EigenStack, buffer.DividedVectors, buffer.DividedProducts, buffer.RankOneUpdate,
				buffer.SplitMap, buffer.Pointers},
			About: "eigenvalues and eigenvectors of a symmetric tridiagonal matrix, by divide and conquer"}),
		{
			ID: Stebz, Name: "stebz", info: "1 if some eigenvalues did not converge", types: sd, forms: plainOnly,
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
			ID: Stein, Name: "stein", info: listedVectors, forms: plainOnly,
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
	f.Buffers, f.operations = tridiagonalBuffers, cubic(4.0/3)
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
	f.params = []part{byValue(Evect, EigenvectorJob, "whether eigenvectors are computed"),
		dim(N, "order of the matrix"), diagonalD, destroyedE,
		matrix(C, Dense, n, n, InOut, "the matrix that is multiplied by the eigenvectors, or the eigenvectors"), info()}
	return f
}
