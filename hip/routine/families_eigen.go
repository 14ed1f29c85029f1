package routine

import "roclua/hip/routine/buffer"

// Eigenvalues and eigenvectors of symmetric matrices.
func eigenFamilies() []*Family {
	return []*Family{
		standardForm(&Family{ID: Sygst, Name: "sygst", About: "reduces a generalized problem to standard form",
			Buffers: standardBuffers}),
		standardForm(&Family{ID: Sygs2, Name: "sygs2",
			About:   "reduces a generalized problem to standard form, unblocked",
			Buffers: []buffer.ID{buffer.Scalars, buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3}}),
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
			ID: Syevx, Name: "syevx", Buffers: partialBuffers,
			About: "some eigenvalues and eigenvectors of a symmetric matrix, by bisection",
			params: append(append(standardRange(), value(Abstol, Real, "tolerance")),
				append(found(), failed(), info(), batchCount())...),
		}),
		hermitianNamed(&Family{
			ID: Syevdx, Name: "syevdx", Buffers: partialBuffers,
			About:  "some eigenvalues and eigenvectors of a symmetric matrix, by divide and conquer",
			params: append(standardRange(), append(found(), info(), batchCount())...),
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
		hermitianNamed(&Family{
			ID: Sygvx, Name: "sygvx", Buffers: generalPartialBuffers,
			About: "some eigenvalues and eigenvectors of a generalized symmetric problem, by bisection",
			params: append(append(generalRange(), value(Abstol, Real, "tolerance")),
				append(found(), failed(), info(), batchCount())...),
		}),
		hermitianNamed(&Family{
			ID: Sygvdx, Name: "sygvdx", Buffers: generalPartialBuffers,
			About:  "some eigenvalues and eigenvectors of a generalized symmetric problem, by divide and conquer",
			params: append(generalRange(), append(found(), info(), batchCount())...),
		}),
	}
}

var eigenBuffers = []buffer.ID{
	buffer.Scalars, buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3, buffer.EigenScalars, buffer.Pointers,
}

var jacobiBuffers = []buffer.ID{
	buffer.MatrixCopy, buffer.JacobiRotations, buffer.JacobiNorms, buffer.JacobiTop, buffer.JacobiBottom,
	buffer.JacobiDone,
}

var standardBuffers = []buffer.ID{
	buffer.Scalars, buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3, buffer.EigenWork4,
}

var dividedBuffers = buffer.Join(standardBuffers, []buffer.ID{buffer.RankOneUpdate, buffer.SplitMap,
	buffer.EigenScalars, buffer.Pointers})

var generalDividedBuffers = buffer.Join(generalBuffers, []buffer.ID{buffer.RankOneUpdate, buffer.SplitMap,
	buffer.EigenScalars})

var dividedJacobiBuffers = buffer.Join(standardBuffers, []buffer.ID{buffer.TridiagonalSubdiagonal, buffer.EigenScalars,
	buffer.MatrixCopy, buffer.SplitMap, buffer.Pointers})

var generalDividedJacobiBuffers = buffer.Join(dividedJacobiBuffers, []buffer.ID{buffer.PanelInfo})

var generalBuffers = buffer.Join(standardBuffers, []buffer.ID{buffer.EigenWork5, buffer.PanelInfo})

var generalJacobiBuffers = buffer.Join(generalBuffers, []buffer.ID{buffer.EigenWork6})

var eigenA = matrix(A, Dense, n, n, InOut, "the matrix; the eigenvectors")

var factoredB = matrix(B, Upper, n, n, InOut, "the other matrix; its Cholesky factor")

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

var partialBuffers = buffer.Join(standardBuffers, []buffer.ID{buffer.EigenWork5, buffer.EigenWork6,
	buffer.TridiagonalDiagonal, buffer.TridiagonalSubdiagonal, buffer.BlockMap, buffer.SplitMap,
	buffer.EigenScalars, buffer.Pointers})

var generalPartialBuffers = buffer.Join(partialBuffers, []buffer.ID{buffer.PanelInfo})

// standardRange declares the problem and the range of routines that compute some eigenvalues.
func standardRange() []part {
	return []part{evect(), erange(), uplo("triangle of A"), dim(N, "order of A"), destroyedA, lowerBound(),
		upperBound(), lowerIndex(), upperIndex()}
}

// generalRange is standardRange for generalized problems.
func generalRange() []part {
	return []part{value(Itype, ProblemForm, "form of the problem"), evect(), erange(), uplo("triangle of A and B"),
		dim(N, "order of A and B"), destroyedA, factoredB, lowerBound(), upperBound(), lowerIndex(), upperIndex()}
}

// found declares the results of routines that compute some eigenvalues.
func found() []part {
	return []part{flat(contiguous(Nev, OfInt, one, Out, "number of eigenvalues")), eigenvalues(VecW),
		matrix(MatZ, Dense, n, wantedColumns, Out, "eigenvectors")}
}

func failed() part { return flat(contiguous(Ifail, OfInt, n, Out, "vectors that did not converge")) }

var destroyedA = matrix(A, Dense, n, n, InOut, "the matrix; destroyed")

// wantedColumns is the number of eigenvectors. With bounds it is not known before the call, and Z has n columns.
var wantedColumns = Extent{"0 if evect is none, iu-il+1 if erange is index, else n", func(a *Args) int64 {
	switch {
	case a.Int(Evect) == EvectNone:
		return 0
	case a.Int(Erange) == ErangeIndex:
		return a.Int(UpperIndex) - a.Int(LowerIndex) + 1
	}
	return a.Int(N)
}}
