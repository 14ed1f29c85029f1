package routine

import "slices"

// Functions of hipSOLVER that compute, and functions for the sizes of their buffers. A buffer that the caller passes is
// the memory of the call.

// layerFamily is functions that differ in the type of the matrix and in the beginnings of their names: hipSOLVER's own
// interface, and functions with the signatures of cuSOLVER.
type layerFamily struct {
	*Family
	layerForms
}

// layerForms are the forms of functions, and the functions for the sizes of their buffers.
type layerForms struct {
	onlyCUDA  bool   // none are in the own interface, as of functions with 64-bit sizes
	doubled   bool   // names have the letter of the type twice
	cudaLacks []Slot // parameters that the functions with the signatures of cuSOLVER lack

	unsized, ownSize         bool   // there is no function for the size, or only in the own interface
	sizeLacks, cudaSizeLacks []Slot // parameters that it lacks, in all forms or with the signatures of cuSOLVER
}

// ownBuffer is for functions that have a buffer only in the own interface.
var ownBuffer = layerForms{cudaLacks: []Slot{Work, Lwork}, ownSize: true}

// layerFamilies lists the functions with the names of real matrices, with all parameters in C order.
func layerFamilies() []*layerFamily {
	return []*layerFamily{
		mixedCall("geqrf", "QR factorization", rowsAndColumns("A"), typeOfA, mixedA, typeOfTau, mixedTau, computed,
			twoBuffers, narrowInfo),
		mixedCall("getrf", "LU factorization; without row exchanges if devIpiv is null", rowsAndColumns("A"), typeOfA,
			mixedA, named("devIpiv", exchangesOut), computed, twoBuffers, narrowInfo).
			with(layerForms{sizeLacks: []Slot{Ipiv}}),
		mixedCall("getrs", "solves op(A) X = B from the factors of getrf", layerOperation, dim(N, "order of A"),
			dim(NRHS, "columns of B"), typeOfA, mixedSquareA, exchanges(In), typeOfB, mixedB, narrowInfo).
			with(layerForms{unsized: true}),
		mixedCall("potrf", "Cholesky factorization", layerFill, dim(N, "order of A"), typeOfA, mixedSquareA, computed,
			twoBuffers, narrowInfo),
		mixedCall("potrs", "solves A X = B from the factor of potrf", layerFill, dim(N, "order of A"),
			dim(NRHS, "columns of B"), typeOfA, mixedSquareA, typeOfB, mixedB, narrowInfo).
			with(layerForms{unsized: true}),
		computing("gesvdaStridedBatched", "the largest singular values and vectors of matrices",
			partialSingular, buffered, residualNorms, layerBatch).with(layerForms{onlyCUDA: true}),
		computing("gebrd", "reduces A to bidiagonal form", rowsAndColumns("A"), layerA,
			bidiagonalForm(smaller(M, N), lessThanSmaller), buffered).
			with(layerForms{sizeLacks: []Slot{A, VecD, VecE, TauQ, TauP}}),
		computing("geqrf", "QR factorization", rowsAndColumns("A"), layerA, scalarsOut, buffered).
			with(layerForms{sizeLacks: []Slot{Ipiv}}),
		computing("gels", "least squares solution, or solution of least norm", leastSquaresArrays,
			bufferOnly, bufferBytes, iterations, layerInfo).with(layerForms{doubled: true}),
		computing("gesv", "solves A X = B by LU factorization", systemArrays, bufferOnly, bufferBytes,
			iterations, layerInfo).with(layerForms{doubled: true}),
		computing("getrf", "LU factorization; without row exchanges if devIpiv is null",
			rowsAndColumns("A"), layerA, bufferAndSize, named("devIpiv", exchangesOut), layerInfo).
			with(layerForms{cudaLacks: []Slot{Lwork}, sizeLacks: []Slot{Ipiv}}),
		computing("getrs", "solves op(A) X = B from the factors of getrf", layerOperation,
			dim(N, "order of A"), dim(NRHS, "columns of B"), squareA, exchanges(In), rightOfA, buffered).
			with(ownBuffer),
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
		computing("potrfBatched", "Cholesky factorizations", layerFill, dim(N, "order of A"), squareA,
			buffered, layerBatch).with(ownBuffer),
		computing("potri", "inverse of a matrix from the factor of potrf", layerFill, dim(N, "order of A"), squareA,
			buffered),
		computing("potrs", "solves A X = B from the factor of potrf", layerFill, dim(N, "order of A"),
			dim(NRHS, "columns of B"), squareA, rightOfA, buffered).with(ownBuffer),
		computing("potrsBatched", "solves systems from the factors of potrf", layerFill,
			dim(N, "order of A"), dim(NRHS, "columns of B"), squareA, rightOfA, buffered, layerBatch).with(ownBuffer),
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
			layerSingular, leftU, rightV, bufferAndSize, otherDiagonal, layerInfo).
			with(layerForms{sizeLacks: []Slot{A, VecS, MatU, MatV}, cudaSizeLacks: []Slot{LeftSvect, RightSvect}}),
		computing("gesvdj", "singular values and vectors of a matrix, by Jacobi rotations", layerJob, economical,
			singularArrays, buffered, singularInfo),
		computing("gesvdjBatched", "singular values and vectors of matrices, by Jacobi rotations", layerJob,
			singularArrays, buffered, singularInfo, layerBatch),
		computing("sytrd", "reduces a symmetric matrix to tridiagonal form", layerFill, dim(N, "order of A"), squareA,
			tridiagonalOut, buffered),
		computing("sytrf", "Bunch-Kaufman factorization", layerFill, dim(N, "order of A"), squareA,
			named("ipiv", pivots(OfInt, n, Out, "row exchanges, 1-based")), buffered).
			with(layerForms{sizeLacks: []Slot{Uplo, Ipiv}}),
	}
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
func mixedCall(name, about string, params ...part) *layerFamily {
	f := computing(name, about, append([]part{layerParams}, params...)...)
	f.types = mixedTypes
	return f
}

// iterating are the functions whose routines iterate.
var iterating = []string{"gesvd", "gesvdj", "gesvdjBatched", "syevj", "syevjBatched", "sygvj"}

func computing(name, about string, params ...part) *layerFamily {
	return &layerFamily{Family: &Family{Name: name, Library: HipSOLVER, Level: LayerLevel, types: sdcz, params: params,
		About: about, Iterates: slices.Contains(iterating, name)}}
}

func (f *layerFamily) with(forms layerForms) *layerFamily {
	f.layerForms = forms
	return f
}

func (f *layerFamily) lacksOwn() bool { return f.onlyCUDA || f.Mixed() }

// all makes the functions that compute: type by type or, if the forms have other parameters, form by form.
func (f *layerFamily) all(v Variant) (list []*Routine) {
	params := f.expand(v)
	own := f.functions(f.Family, ownPrefix, params, "")
	cuda := f.functions(f.Family, cudaPrefix, without(slices.Clone(params), f.cudaLacks), "")
	switch {
	case f.lacksOwn():
		return cuda
	case f.cudaLacks != nil:
		return append(own, cuda...)
	}
	for i := range own {
		list = append(list, own[i], cuda[i])
	}
	return list
}

// allSizes makes the functions for the sizes of buffers.
func (f *layerFamily) allSizes() (list []*Routine) {
	family := &Family{Name: f.Name, Library: f.Library, Level: f.Level, types: f.types,
		About: "the size of the buffer for a call of " + f.Name}
	if !f.unsized && !f.lacksOwn() {
		list = f.functions(family, ownPrefix, f.sizeParams(false), bufferSuffix)
	}
	if !f.unsized && !f.ownSize {
		list = append(list, f.functions(family, cudaPrefix, f.sizeParams(true), bufferSuffix)...)
	}
	return list
}

// sizeParams returns the parameters of the function for the size of the buffer: the computing function's parameters
// that decide about the size, and most of its arrays. The size is a result.
func (f *layerFamily) sizeParams(cuda bool) []Param {
	lacks := append([]Slot{Info, HostWork, Niters, RealWork, Residual}, f.sizeLacks...)
	if !cuda || !f.doubled {
		lacks = append(lacks, Work)
	}
	if cuda {
		lacks = append(lacks, f.cudaSizeLacks...)
	}
	list := without(f.expand(Plain), lacks)
	for i := range list {
		switch p := &list[i]; p.Slot {
		case Lwork:
			*p = p.sizeOut("size of the buffer")
		case HostLwork:
			*p = p.sizeOut("size of a buffer in host memory, which is 0")
		case Nev:
			p.Kind, p.About = Array, "not used"
		}
	}
	return list
}

// sizeOut returns the size of a buffer as a result.
func (p *Param) sizeOut(about string) Param {
	size := Param{Name: p.Name, Slot: p.Slot, Kind: Output, Access: Out, Elem: OfInt, Layout: Contiguous, Rows: length1,
		About: about}
	if p.Kind == Size {
		size.Object = "size_t"
	}
	return size
}

// without drops the parameters of some slots from a list, and the leading dimensions, increments and strides of such
// arrays.
func without(list []Param, slots []Slot) []Param {
	return slices.DeleteFunc(list, func(p Param) bool {
		return slices.Contains(slots, p.Slot) || p.Role != NoRole && slices.Contains(slots, p.Of)
	})
}
