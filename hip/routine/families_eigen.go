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

		eigenSolver(&Family{ID: Syev, Name: "syev", Buffers: eigenBuffers,
			About: "eigenvalues and eigenvectors of a symmetric matrix"}, symmetricProblem, valuesAndWork),
		eigenSolver(&Family{ID: Syevd, Name: "syevd", Buffers: dividedBuffers,
			About: "eigenvalues and eigenvectors of a symmetric matrix, by divide and conquer"},
			symmetricProblem, valuesAndWork),
		eigenSolver(&Family{ID: Syevj, Name: "syevj", Iterates: true, Buffers: jacobiBuffers,
			About: "eigenvalues and eigenvectors of a symmetric matrix, by Jacobi rotations"},
			byValue(Esort, EigenvalueSort, "order of the eigenvalues"), symmetricProblem, jacobiSweeps(),
			eigenvaluesIn(VecW)),
		eigenSolver(&Family{ID: Syevdj, Name: "syevdj", Iterates: true, Buffers: dividedJacobiBuffers,
			About: "eigenvalues and eigenvectors of a symmetric matrix, by divide and conquer and Jacobi rotations"},
			symmetricProblem, eigenvaluesIn(VecD)),
		eigenSolver(&Family{ID: Syevx, Name: "syevx", Buffers: partialBuffers,
			About: "some eigenvalues and eigenvectors of a symmetric matrix, by bisection"},
			symmetricSubset, abstol(), foundPairs, unconverged(n)),
		eigenSolver(&Family{ID: Syevdx, Name: "syevdx", Buffers: partialBuffers,
			About: "some eigenvalues and eigenvectors of a symmetric matrix, by divide and conquer"},
			symmetricSubset, foundPairs),

		eigenSolver(&Family{ID: Sygv, Name: "sygv", Buffers: generalBuffers,
			About: "eigenvalues and eigenvectors of a generalized symmetric problem"}, generalizedProblem,
			valuesAndWork),
		eigenSolver(&Family{ID: Sygvd, Name: "sygvd", Buffers: generalDividedBuffers,
			About: "eigenvalues and eigenvectors of a generalized symmetric problem, by divide and conquer"},
			generalizedProblem, valuesAndWork),
		eigenSolver(&Family{ID: Sygvj, Name: "sygvj", Iterates: true, Buffers: generalJacobiBuffers,
			About: "eigenvalues and eigenvectors of a generalized symmetric problem, by Jacobi rotations"},
			generalizedProblem, jacobiSweeps(), eigenvaluesIn(VecW)),
		eigenSolver(&Family{ID: Sygvdj, Name: "sygvdj", Iterates: true, Buffers: generalDividedJacobiBuffers,
			About: "eigenvalues and eigenvectors of a generalized symmetric problem, by divide and conquer and " +
				"Jacobi rotations"}, generalizedProblem, eigenvaluesIn(VecD)),
		eigenSolver(&Family{ID: Sygvx, Name: "sygvx", Buffers: generalPartialBuffers,
			About: "some eigenvalues and eigenvectors of a generalized symmetric problem, by bisection"},
			generalizedSubset, abstol(), foundPairs, unconverged(n)),
		eigenSolver(&Family{ID: Sygvdx, Name: "sygvdx", Buffers: generalPartialBuffers,
			About: "some eigenvalues and eigenvectors of a generalized symmetric problem, by divide and conquer"},
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
	f.params = []part{problemForm, triangleOfB, matrix(A, Upper, n, n, InOut, "the matrix; the reduced one"),
		matrix(B, Upper, n, n, In, "the Cholesky factor of the other matrix"), batchCount()}
	return hermitianNamed(f)
}
