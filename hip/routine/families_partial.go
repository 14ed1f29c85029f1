package routine

import "roclua/hip/routine/buffer"

// Eigenvalues in a range, and their eigenvectors.
const (
	Syevx FamilyID = endOfEigen + iota
	Syevdx
	Sygvx
	Sygvdx

	endOfPartial
)

var (
	partialBuffers = buffer.Join(standardBuffers, []buffer.ID{buffer.EigenWork5, buffer.EigenWork6,
		buffer.TridiagonalDiagonal, buffer.TridiagonalSubdiagonal, buffer.BlockMap, buffer.SplitMap,
		buffer.EigenScalars, buffer.Pointers})
	generalPartialBuffers = buffer.Join(partialBuffers, []buffer.ID{buffer.PanelInfo})
)

func partial() []*Family {
	return []*Family{
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

var (
	destroyedA = matrix(A, Dense, n, n, InOut, "the matrix; destroyed")

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
