package routine

import "roclua/hip/routine/buffer"

// Functions that rocSOLVER exports for hipSOLVER and that its headers do not declare: forms of listed routines that
// keep their right-hand sides, store V instead of its adjoint, store eigenvectors in A and their number on the host, or
// have 64-bit sizes and an info of 32 bits.
func unlistedFamilies() []*Family {
	return []*Family{
		{
			ID: GesvOutOfPlace, Name: "gesv_outofplace", operations: together(cubic(2.0/3), solve),
			info: zeroPivot, forms: plainOnly, Buffers: luFactorization,
			About: "solves A X = B by LU factorization, and keeps B",
			params: []part{dim(N, "order of A"), dim(NRHS, "right-hand sides"),
				matrix(A, Dense, n, n, InOut, "the matrix; its factors"),
				pivots(OfInt, n, Out, "row exchanges, 1-based"),
				matrix(B, Dense, n, nrhs, In, "right-hand sides"), solutionX, info()},
		},
		{
			ID: GelsOutOfPlace, Name: "gels_outofplace", operations: leastSquares,
			info: lacksRank, zeroes: []Slot{MatX}, forms: plainOnly,
			About: "solves A X = B in the sense of least squares or least norm, and keeps B",
			Buffers: []buffer.ID{buffer.Scalars, buffer.LeastSquaresWork, buffer.LeastSquaresSolvePointers,
				buffer.LeastSquaresInverse, buffer.LeastSquaresPointers, buffer.RightSideCopy, buffer.EigenScalars,
				buffer.SavedRightSide},
			params: []part{operation("trans", TransA, "op on A"), rowsAndColumns("A"), dim(NRHS, "right-hand sides"),
				matrix(A, Dense, m, n, InOut, "the matrix; its factors"),
				matrix(B, Dense, m, nrhs, InOut, "right-hand sides, which the call changes and restores"), solutionX,
				info()},
		},
		solveSVD(&Family{ID: GesvdjNotTransposed, Name: "gesvdj_notransv", info: failedMethod, Iterates: true,
			forms: []Variant{Plain, StridedBatched}, Buffers: singularJacobiBuffers,
			About: "singular values and vectors of a matrix, by Jacobi rotations; V is not transposed"},
			storedVectors, rowsAndColumns("A"), overwrittenA, jacobiSweeps(), allValues,
			leftVectors, flat(matrix(MatV, Dense, rightColumns, rightRows, Out, "right vectors"))),
		eigenSolver(&Family{ID: SyevdxInPlace, Name: "syevdx_inplace", info: unconvergedVectors,
			forms: plainOnly, leaves: []Slot{Nev},
			Buffers: buffer.Join(partialBuffers, []buffer.ID{buffer.EigenvalueCount}),
			About:   "some eigenvalues and eigenvectors of a symmetric matrix, which replace it"},
			evect(), erange(), triangleOfA, eigenA, rangeBounds(), abstol(), countOnHost, eigenvaluesIn(VecW)),
		eigenSolver(&Family{ID: SygvdxInPlace, Name: "sygvdx_inplace", info: unconvergedVectors + orNotPositive,
			forms: plainOnly, leaves: []Slot{Nev},
			Buffers: buffer.Join(generalPartialBuffers, []buffer.ID{buffer.EigenvalueCount}),
			About:   "some eigenvalues and eigenvectors of a generalized symmetric problem, which replace A"},
			problemForm, evect(), erange(), triangleOfB, eigenA, factoredB, rangeBounds(), abstol(), countOnHost,
			eigenvaluesIn(VecW)),
		solveSVD(&Family{ID: GesvdxNotTransposed, Name: "gesvdx_notransv", info: listedVectors,
			forms:   []Variant{StridedBatched},
			Buffers: rangeBuffers,
			About:   "some singular values and vectors of a matrix, by bisection; V is not transposed"},
			vectorJobs(SvectSingular, SvectNone), singularRange(), rowsAndColumns("A"),
			matrix(A, Dense, m, n, InOut, "the matrix; destroyed"), rangeBounds(), foundValues(smaller(M, N)),
			flat(matrix(MatU, Dense, leftRows, foundColumns, Out, "left vectors")),
			flat(matrix(MatV, Dense, rightColumns, foundRows, Out, "right vectors")), unconverged(smaller(M, N))),
		withNarrowInfo(factorLU(&Family{ID: GetrfInfo32, Name: "getrf_info32", Buffers: luFactorization,
			About: "LU factorization with partial pivoting, with a 32-bit info"}, exchangesOut)),
		withNarrowInfo(factorLU(&Family{ID: GetrfNpvtInfo32, Name: "getrf_npvt_info32", Buffers: luFactorization,
			About: "LU factorization without pivoting, with a 32-bit info"})),
		withNarrowInfo(factorized(&Family{ID: PotrfInfo32, Name: "potrf_info32", info: notPositive,
			Buffers: choleskyFactorization,
			About:   "Cholesky factorization, with a 32-bit info"}, cubic(1.0/3),
			matrix(A, Upper, n, n, InOut, "the matrix; its factor"), info())),
		{
			ID: GeqrfPointers, Name: "geqrf_ptr", operations: qr, forms: []Variant{Batched},
			Buffers: buffer.Join(qrFactorization, []buffer.ID{buffer.EigenScalars}),
			About:   "QR factorizations by Householder reflections, with arrays of the reflections' scalars",
			params: []part{rowsAndColumns("A"), matrix(A, Dense, m, n, InOut, "the matrix; R and the reflections"),
				scalarsOfEach, batchCount()},
		},
	}
}

// scalarsOfEach are the scalars of reflections, which are an array for each problem of a batch by pointers.
var scalarsOfEach = contiguous(Ipiv, OfType, smaller(M, N), Out, "the reflections' scalars")

// withNarrowInfo completes a family with 64-bit sizes whose info is an int.
func withNarrowInfo(f *Family) *Family {
	params := f.params
	f.onlyWide, f.wide, f.forms = true, false, plainOnly
	f.params = []part{func(f *Family, v Variant) []Param {
		list := several(params...)(f, v)
		for i := range list {
			if list[i].Slot == Info {
				list[i].Elem = OfInt32
			}
		}
		return list
	}}
	return f
}

// countOnHost declares the number of eigenvalues, which a call returns in host memory.
var countOnHost = single(Param{Name: "nev", Slot: Nev, Kind: Output, Access: Out, Elem: OfInt, Layout: Contiguous,
	Rows: length1, About: "number of eigenvalues"})
