package routine

import "slices"

// Functions of hipSOLVER that compute. A buffer that the caller passes is the memory of the call.

// layerFamilies lists the functions with the names of real matrices, with all parameters in C order.
func layerFamilies() []bufferFamily {
	return slices.Concat(
		mixedCall("geqrf", "QR factorization", rowsAndColumns("A"), typeOfA, mixedA, typeOfTau, mixedTau, computed,
			twoBuffers, narrowInfo),
		mixedCall("getrf", "LU factorization; without row exchanges if devIpiv is null", rowsAndColumns("A"), typeOfA,
			mixedA, named("devIpiv", exchangesOut), computed, twoBuffers, narrowInfo),
		mixedCall("getrs", "solves op(A) X = B from the factors of getrf", layerOperation, dim(N, "order of A"),
			dim(NRHS, "columns of B"), typeOfA, mixedSquareA, exchanges(In), typeOfB, mixedB, narrowInfo),
		mixedCall("potrf", "Cholesky factorization", layerFill, dim(N, "order of A"), typeOfA, mixedSquareA, computed,
			twoBuffers, narrowInfo),
		mixedCall("potrs", "solves A X = B from the factor of potrf", layerFill, dim(N, "order of A"),
			dim(NRHS, "columns of B"), typeOfA, mixedSquareA, typeOfB, mixedB, narrowInfo),
		onlyCUDA(computing("gesvdaStridedBatched", "the largest singular values and vectors of matrices",
			partialSingular, buffered, residualNorms, layerBatch)),
		computing("gebrd", "reduces A to bidiagonal form", rowsAndColumns("A"), layerA,
			bidiagonalForm(smaller(M, N), lessThanSmaller), buffered),
		computing("geqrf", "QR factorization", rowsAndColumns("A"), layerA, scalarsOut, buffered),
		inTwoTypes(computing("gels", "least squares solution, or solution of least norm", leastSquaresArrays,
			bufferOnly, bufferBytes, iterations, layerInfo)),
		inTwoTypes(computing("gesv", "solves A X = B by LU factorization", systemArrays, bufferOnly, bufferBytes,
			iterations, layerInfo)),
		withoutSize(computing("getrf", "LU factorization; without row exchanges if devIpiv is null",
			rowsAndColumns("A"), layerA, bufferAndSize, named("devIpiv", exchangesOut), layerInfo)),
		withoutBuffer(computing("getrs", "solves op(A) X = B from the factors of getrf", layerOperation,
			dim(N, "order of A"), dim(NRHS, "columns of B"), squareA, exchanges(In), rightOfA, buffered)),
		computing("orgbr", "the matrix Q or P of gebrd", layerSide, rowsAndColumns("A"),
			dim(K, "the other size of gebrd's matrix"), layerA, scalarsOfSide, buffered),
		computing("orgqr", "the Q of geqrf", rowsAndColumns("A"), dim(K, "number of reflections"), layerA, scalarsIn,
			buffered),
		computing("orgtr", "the matrix Q of sytrd", layerFill, dim(N, "order of A"), squareA,
			scalarsOfOrder(minusOne(N)), buffered),
		computing("ormqr", "multiplies by the Q of geqrf", layerSide, layerOperation, rowsAndColumns("C"),
			dim(K, "number of reflections"), factorA, scalarsIn, multiplied, buffered),
		computing("ormtr", "multiplies by the Q of sytrd", layerSide, layerFill, layerOperation, rowsAndColumns("C"),
			reflectionsOfQ, scalarsOfOrder(lessThanQ), multiplied, buffered),
		computing("potrf", "Cholesky factorization", layerFill, dim(N, "order of A"), squareA, buffered),
		withoutBuffer(computing("potrfBatched", "Cholesky factorizations", layerFill, dim(N, "order of A"), squareA,
			buffered, layerBatch)),
		computing("potri", "inverse of a matrix from the factor of potrf", layerFill, dim(N, "order of A"), squareA,
			buffered),
		withoutBuffer(computing("potrs", "solves A X = B from the factor of potrf", layerFill, dim(N, "order of A"),
			dim(NRHS, "columns of B"), squareA, rightOfA, buffered)),
		withoutBuffer(computing("potrsBatched", "solves systems from the factors of potrf", layerFill,
			dim(N, "order of A"), dim(NRHS, "columns of B"), squareA, rightOfA, buffered, layerBatch)),
		computing("syevd", "eigenvalues and eigenvectors of a symmetric matrix, by divide and conquer", layerJob,
			layerFill, dim(N, "order of A"), squareA, layerValues("D", VecD), buffered),
		computing("syevdx", "some eigenvalues and eigenvectors of a symmetric matrix", layerJob, layerRange, layerFill,
			dim(N, "order of A"), squareA, rangeBounds(), countOnHost, layerValues("W", VecW), buffered),
		computing("sygvdx", "some eigenvalues and eigenvectors of a generalized symmetric problem", layerType, layerJob,
			layerRange, layerFill, dim(N, "order of A and B"), squareA, squareB, rangeBounds(), countOnHost,
			layerValues("W", VecW), buffered),
		computing("sygvd", "eigenvalues and eigenvectors of a generalized symmetric problem, by divide and conquer",
			layerType, layerJob, layerFill, dim(N, "order of A and B"), squareA, squareB, layerValues("W", VecD),
			buffered),
		computing("syevj", "eigenvalues and eigenvectors of a symmetric matrix, by Jacobi rotations", layerJob,
			layerFill, dim(N, "order of A"), squareA, layerValues("W", VecW), buffered, jacobiInfo),
		computing("syevjBatched", "eigenvalues and eigenvectors of symmetric matrices, by Jacobi rotations", layerJob,
			layerFill, dim(N, "order of A"), squareA, layerValues("W", VecW), buffered, jacobiInfo, layerBatch),
		computing("sygvj", "eigenvalues and eigenvectors of a generalized symmetric problem, by Jacobi rotations",
			layerType, layerJob, layerFill, dim(N, "order of A and B"), squareA, squareB, layerValues("W", VecW),
			buffered, jacobiInfo),
		computing("gesvd", "singular values and vectors of a matrix", letterJob(LeftSvect, "jobu"),
			letterJob(RightSvect, "jobv"), rowsAndColumns("A"), layerA,
			layerSingular, leftU, rightV, bufferAndSize, otherDiagonal, layerInfo),
		computing("gesvdj", "singular values and vectors of a matrix, by Jacobi rotations", layerJob, economical,
			singularArrays, buffered, singularInfo),
		computing("gesvdjBatched", "singular values and vectors of matrices, by Jacobi rotations", layerJob,
			singularArrays, buffered, singularInfo, layerBatch),
		computing("sytrd", "reduces a symmetric matrix to tridiagonal form", layerFill, dim(N, "order of A"), squareA,
			tridiagonalOut, buffered),
		computing("sytrf", "Bunch-Kaufman factorization", layerFill, dim(N, "order of A"), squareA,
			named("ipiv", pivots(OfInt, n, Out, "row exchanges, 1-based")), buffered),
	)
}

var (
	// buffered are the buffer, its size and the info of a call.
	buffered  = several(bufferAndSize, layerInfo)
	layerInfo = named("devInfo", flat(contiguous(Info, OfInt, length1, Out,
		"info of the call, or of each problem")))
	bufferAndSize = several(bufferOnly, withDefault(0, dim(Lwork, "the size that the function for it returned")))
	bufferBytes   = withDefault(0, byValue(Lwork, Size, "the size that the function for it returned"))
	iterations    = contiguous(Niters, OfInt, length1, Out, "not used")
	otherDiagonal = named("rwork", contiguous(RealWork, OfReal, lessThanSmaller, Out,
		"work: the other diagonal; it is in the buffer if this is null"))
)

// twoBuffers are a buffer in device memory and one in host memory, with their sizes.
var (
	twoBuffers = several(edit(bufferOnly, func(p *Param) { p.Name, p.Object = "workOnDevice", "void" }),
		named("lworkOnDevice", bufferBytes), object(HostWork, "void*", "host array; not used"),
		withDefault(0, byValue(HostLwork, Size, "not used")))
	narrowInfo    = edit(layerInfo, func(p *Param) { p.Elem = OfInt32 })
	residualNorms = named("hRnrmF", object(Residual, "double*", "host array; not used"))
)

// mixedCall declares a function with 64-bit sizes and arguments that are datatypes.
func mixedCall(name, about string, params ...part) []bufferFamily {
	list := computing(name, about, append([]part{layerParams}, params...)...)
	list[0] = mixed(list[0])
	return list
}

func onlyCUDA(list []bufferFamily) []bufferFamily {
	list[0] = in(cudaForm, list[0])
	return list
}

// iterating are the functions whose routines iterate.
var iterating = []string{"gesvd", "gesvdj", "gesvdjBatched", "syevj", "syevjBatched", "sygvj"}

// computing declares a function in both forms.
func computing(name, about string, params ...part) []bufferFamily {
	f := layered(name, params...)
	f.About, f.Iterates = about, slices.Contains(iterating, name)
	return []bufferFamily{f}
}

// without declares the form with the signature of cuSOLVER apart, because it lacks parameters of the other.
func without(list []bufferFamily, slots ...Slot) []bufferFamily {
	own, cuda := list[0], in(cudaForm, list[0])
	cuda.Family = &Family{Name: own.Name, Library: own.Library, Level: own.Level, types: own.types,
		About: own.About, Iterates: own.Iterates,
		params: []part{func(f *Family, v Variant) []Param {
			return slices.DeleteFunc(several(own.params...)(f, v),
				func(p Param) bool { return slices.Contains(slots, p.Slot) })
		}}}
	return []bufferFamily{in(ownForm, own), cuda}
}

func inTwoTypes(list []bufferFamily) []bufferFamily {
	list[0] = twoTypes(list[0])
	return list
}

func withoutSize(list []bufferFamily) []bufferFamily { return without(list, Lwork) }

func withoutBuffer(list []bufferFamily) []bufferFamily { return without(list, Work, Lwork) }
