package routine

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// Functions of hipSOLVER that return the size of the buffer of a call. They are not in the table of routines, which
// they call in size queries.

// bufferForm is the beginning of names: the functions of hipSOLVER's own interface, those with the signatures of
// cuSOLVER, or both.
type bufferForm uint8

const (
	ownForm bufferForm = 1 << iota
	cudaForm
	bothForms = ownForm | cudaForm
)

// bufferFamily is functions that differ in the type of the matrix.
type bufferFamily struct {
	*Family
	form    bufferForm
	doubled bool // names have the letter of the type twice
}

// bufferFamilies lists the functions with the names of real matrices. Functions that compute have all
// parameters, in C order.
func bufferFamilies() []bufferFamily {
	return []bufferFamily{
		layered("gebrd", rowsAndColumns("A"), sizeOut),
		twoTypes(in(ownForm, layered("gels", leastSquaresArrays, bytesOut))),
		twoTypes(in(cudaForm, layered("gels", leastSquaresArrays, bufferOnly, bytesOut))),
		layered("geqrf", rowsAndColumns("A"), layerA, sizeOut),
		mixed(layered("geqrf", layerParams, rowsAndColumns("A"), typeOfA, mixedA, typeOfTau, mixedTau, computed,
			sizesOut)),
		twoTypes(in(ownForm, layered("gesv", systemArrays, bytesOut))),
		twoTypes(in(cudaForm, layered("gesv", systemArrays, bufferOnly, bytesOut))),
		in(ownForm, layered("gesvd", letterJob(LeftSvect, "jobu"), letterJob(RightSvect, "jobv"),
			rowsAndColumns("A"), sizeOut)),
		in(cudaForm, layered("gesvd", rowsAndColumns("A"), sizeOut)),
		in(cudaForm, layered("gesvdaStridedBatched", partialSingular, sizeOut, layerBatch)),
		layered("gesvdj", layerJob, economical, singularArrays, sizeOut, singularInfo),
		layered("gesvdjBatched", layerJob, singularArrays, sizeOut, singularInfo, layerBatch),
		layered("getrf", rowsAndColumns("A"), layerA, sizeOut),
		mixed(layered("getrf", layerParams, rowsAndColumns("A"), typeOfA, mixedA, computed, sizesOut)),
		in(ownForm, layered("getrs", layerOperation, dim(N, "order of A"), dim(NRHS, "columns of B"), squareA,
			exchanges(In), rightOfA, sizeOut)),
		layered("orgbr", layerSide, rowsAndColumns("A"), dim(K, "the other size of gebrd's matrix"), layerA,
			scalarsOfSide, sizeOut),
		layered("orgqr", rowsAndColumns("A"), dim(K, "number of reflections"), layerA, scalarsIn, sizeOut),
		layered("orgtr", layerFill, dim(N, "order of A"), squareA, scalarsOfOrder(minusOne(N)), sizeOut),
		layered("ormqr", layerSide, layerOperation, rowsAndColumns("C"), dim(K, "number of reflections"), factorA,
			scalarsIn, multiplied, sizeOut),
		layered("ormtr", layerSide, layerFill, layerOperation, rowsAndColumns("C"), reflectionsOfQ,
			scalarsOfOrder(lessThanQ), multiplied, sizeOut),
		layered("potrf", layerFill, dim(N, "order of A"), squareA, sizeOut),
		mixed(layered("potrf", layerParams, layerFill, dim(N, "order of A"), typeOfA, mixedSquareA, computed,
			sizesOut)),
		in(ownForm, layered("potrfBatched", layerFill, dim(N, "order of A"), squareA, sizeOut, layerBatch)),
		layered("potri", layerFill, dim(N, "order of A"), squareA, sizeOut),
		in(ownForm, layered("potrs", layerFill, dim(N, "order of A"), dim(NRHS, "columns of B"), squareA, rightOfA,
			sizeOut)),
		in(ownForm, layered("potrsBatched", layerFill, dim(N, "order of A"), dim(NRHS, "columns of B"), squareA,
			rightOfA, sizeOut, layerBatch)),
		layered("syevd", layerJob, layerFill, dim(N, "order of A"), squareA, layerValues("D", VecD), sizeOut),
		layered("syevdx", layerJob, layerRange, layerFill, dim(N, "order of A"), squareA, rangeBounds(), unusedCount,
			layerValues("W", VecW), sizeOut),
		layered("syevj", layerJob, layerFill, dim(N, "order of A"), squareA, layerValues("W", VecW), sizeOut,
			jacobiInfo),
		layered("syevjBatched", layerJob, layerFill, dim(N, "order of A"), squareA, layerValues("W", VecW), sizeOut,
			jacobiInfo, layerBatch),
		layered("sygvd", layerType, layerJob, layerFill, dim(N, "order of A and B"), squareA, squareB,
			layerValues("W", VecD), sizeOut),
		layered("sygvdx", layerType, layerJob, layerRange, layerFill, dim(N, "order of A and B"), squareA, squareB,
			rangeBounds(), unusedCount, layerValues("W", VecW), sizeOut),
		layered("sygvj", layerType, layerJob, layerFill, dim(N, "order of A and B"), squareA, squareB,
			layerValues("W", VecW), sizeOut, jacobiInfo),
		layered("sytrd", layerFill, dim(N, "order of A"), squareA, tridiagonalOut, sizeOut),
		layered("sytrf", dim(N, "order of A"), squareA, sizeOut),
	}
}

// Arguments of hipSOLVER.
var (
	layerJob       = named("jobz", byValue(Evect, EigMode, "whether vectors are computed"))
	layerRange     = named("range", byValue(Erange, EigRange, "which eigenvalues"))
	layerType      = byValue(Itype, EigType, "form of the problem")
	layerFill      = byValue(Uplo, FillMode, "triangle of A")
	layerSide      = byValue(Side, SideMode, "side of the factor, or of the vectors")
	layerOperation = named("trans", byValue(TransA, MatrixOperation, "operation on A"))
	layerBatch     = withDefault(1, byValue(BatchCount, Int32, "number of problems"))

	layerA         = matrix(A, Dense, m, n, InOut, "the matrix")
	squareA        = matrix(A, Dense, n, n, InOut, "the matrix")
	squareB        = matrix(B, Dense, n, n, InOut, "the other matrix")
	reflectionsOfQ = matrix(A, Dense, orderOfQ, orderOfQ, In, "the reflections")
	factorA        = matrix(A, Dense, orderBySide, k, In, "the reflections")
	multiplied     = matrix(C, Dense, m, n, InOut, "the matrix that is multiplied")
	rightB         = matrix(B, Dense, m, nrhs, InOut, "the right-hand sides")
	rightOfA       = matrix(B, Dense, n, nrhs, InOut, "the right-hand sides")
	solutionX      = matrix(MatX, Dense, n, nrhs, Out, "the solution")
	leftU          = matrix(MatU, Dense, m, m, Out, "left vectors")
	rightV         = matrix(MatV, Dense, n, n, Out, "right vectors")

	// partialSingular are the arrays of gesvdaStridedBatched.
	partialSingular = several(layerJob,
		withDefault(1, named("rank", dim(UpperIndex, "number of singular values"))), rowsAndColumns("A"), layerA,
		layerStride(A, "strideA"), layerSingular, layerStride(VecS, "strideS"), leftU,
		layerStride(MatU, "strideU"), rightV, layerStride(MatV, "strideV"))
)

// Arguments of functions with 64-bit sizes, some of which are datatypes.
var (
	layerParams  = object(LayerInfo, "hipsolverDnParams_t", "the object that hipsolver.DnCreateParams returns")
	typeOfA      = solverType(named("dataTypeA", byValue(AType, HipDatatype, "datatype of A")))
	typeOfTau    = followingType("dataTypeTau", BType)
	typeOfB      = followingType("dataTypeB", BType)
	computed     = followingType("computeType", ComputeType)
	mixedA       = ofArgument(AType, layerA)
	mixedSquareA = ofArgument(AType, squareA)
	mixedB       = ofArgument(BType, rightOfA)
	mixedTau     = ofArgument(BType, scalarsOut)
)

// sizesOut declares the sizes of two buffers.
var sizesOut = several(named("lworkOnDevice", bytesOut), edit(bytesOut, func(p *Param) {
	p.Name, p.Slot, p.About = "lworkOnHost", HostLwork, "size of a buffer in host memory, which is 0"
}))

// sizeOut declares lwork of a function for the size of a buffer, which a script gets as a result.
var sizeOut = single(Param{Name: "lwork", Slot: Lwork, Kind: Output, Access: Out, Elem: OfInt, Layout: Contiguous,
	Rows: length1, About: "size of the buffer"})

// bytesOut declares lwork of type size_t.
var bytesOut = edit(sizeOut, func(p *Param) { p.Object = "size_t" })

var (
	scalarsIn  = named("tau", pivots(OfType, k, In, "the reflections' scalars"))
	jacobiInfo = object(LayerInfo, "hipsolverSyevjInfo_t", "the object that hipsolver.CreateSyevjInfo returns")

	singularInfo = object(LayerInfo, "hipsolverGesvdjInfo_t", "the object that hipsolver.CreateGesvdjInfo returns")
	economical   = withDefault(0, dim(Econ, "whether only min(m, n) vectors are computed"))
	unusedCount  = contiguous(Nev, OfInt, length1, Out, "not used")

	leastSquaresArrays = several(rowsAndColumns("A"), dim(NRHS, "columns of B"), layerA, rightB, solutionX)
	systemArrays       = several(dim(N, "order of A"), dim(NRHS, "columns of B"), squareA,
		named("devIpiv", exchangesOut), rightOfA, solutionX)
	singularArrays = several(rowsAndColumns("A"), layerA, layerSingular, leftU, rightV)
	layerSingular  = named("S", contiguous(VecS, OfReal, smaller(M, N), Out, "singular values"))
)

func exchanges(access Access) part {
	return named("devIpiv", pivots(OfInt, n, access, "row exchanges, 1-based"))
}

func layerValues(name string, s Slot) part {
	return named(name, contiguous(s, OfReal, n, Out, "eigenvalues"))
}

func letterJob(s Slot, name string) part {
	return named(name, byValue(s, VectorLetter, "N, A, S or O: which vectors are computed"))
}

func layerStride(array Slot, name string) part {
	return named(name, single(Param{Slot: slots[array].stride, Kind: Int64, Role: Stride, Of: array,
		About: "distance of two problems' arrays"}))
}

func followingType(name string, s Slot) part {
	return solverType(following(AType, named(name, byValue(s, HipDatatype, "datatype, equal to dataTypeA"))))
}

// solverType restricts a datatype to those that hipSOLVER has.
func solverType(p part) part { return accepting(p, HipR32F, HipR64F, HipC32F, HipC64F) }

func layered(name string, params ...part) bufferFamily {
	return bufferFamily{Family: &Family{Name: name, Library: HipSOLVER, Level: LayerLevel, types: sdcz, params: params,
		About: "the size of the buffer for a call of " + name}, form: bothForms}
}

func in(form bufferForm, f bufferFamily) bufferFamily {
	f.form = form
	return f
}

func twoTypes(f bufferFamily) bufferFamily {
	f.doubled = true
	return f
}

// mixed completes 64-bit functions, whose arguments give the datatypes.
func mixed(f bufferFamily) bufferFamily {
	f.form, f.types = cudaForm, mixedTypes
	return f
}

// bufferSizes has the functions by name.
var bufferSizes = sync.OnceValue(func() map[string]*Routine {
	all := map[string]*Routine{}
	for _, f := range bufferFamilies() {
		for _, r := range f.functions(f.expand(Plain), bufferSuffix) {
			r.Name = r.cName // they have no module
			all[r.cName] = r
		}
	}
	return all
})

const bufferSuffix = "_bufferSize"

// The beginnings of names.
const (
	ownPrefix  = "hipsolver"
	cudaPrefix = "hipsolverDn"
)

// functions makes the functions of a family, in every type and form.
func (f bufferFamily) functions(params []Param, suffix string) (list []*Routine) {
	places := newPlaces(params)
	for _, t := range f.types {
		for _, form := range []struct {
			bufferForm
			prefix string
		}{{ownForm, ownPrefix}, {cudaForm, cudaPrefix}} {
			if f.form&form.bufferForm == 0 {
				continue
			}
			name := form.prefix + f.cudaName(Type(t)) + suffix
			list = append(list, &Routine{Name: strings.TrimPrefix(name, ownPrefix), cName: name, Family: f.Family,
				Library: HipSOLVER, Type: Type(t), Wide: Type(t) == Mixed, Params: params, places: places})
		}
	}
	return list
}

// complexNames has the beginnings of names of functions for real and for complex matrices.
var complexNames = strings.NewReplacer("sye", "hee", "syg", "heg", "sytrd", "hetrd", "org", "ung", "orm", "unm")

// cudaName returns the name for a type without the common prefix: "Dsyevd", "Zheevd", "DDgels", "Xgetrf".
func (f bufferFamily) cudaName(t Type) string {
	letter, name := strings.ToUpper(string(t)), f.Name
	switch {
	case t == Mixed:
		letter = "X"
	case t.IsComplex():
		name = complexNames.Replace(name)
	}
	if f.doubled {
		letter += letter
	}
	return letter + name
}

// BufferSize finds a function of hipSOLVER that returns the size of a buffer, by its name or by the name in cuSOLVER:
// "hipsolverDnDsyevd_bufferSize", "cusolverDnDsyevd_bufferSize". Its parameters are the arguments on which the size
// depends, and arrays.
func BufferSize(name string) (*Routine, bool) {
	if !IsBufferSize(name) {
		return nil, false
	}
	r, ok := bufferSizes()[fromCUDA(name)]
	return r, ok
}

// IsBufferSize reports whether a name has the form of those that BufferSize finds.
func IsBufferSize(name string) bool {
	return strings.HasPrefix(fromCUDA(name), "hipsolver") && strings.HasSuffix(name, bufferSuffix)
}

// BufferSizes returns the names of all functions that BufferSize finds, sorted.
func BufferSizes() []string { return slices.Sorted(maps.Keys(bufferSizes())) }

// fromCUDA replaces the cuSOLVER prefix of a name with the hipSOLVER prefix.
func fromCUDA(name string) string {
	if rest, ok := strings.CutPrefix(name, "cusolver"); ok {
		return "hipsolver" + rest
	}
	return name
}
