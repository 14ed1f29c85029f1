package routine

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// Arguments of functions of hipSOLVER, and their names.
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

var (
	scalarsIn  = named("tau", pivots(OfType, k, In, "the reflections' scalars"))
	jacobiInfo = object(LayerInfo, "hipsolverSyevjInfo_t", "the object that hipsolver.CreateSyevjInfo returns")

	singularInfo = object(LayerInfo, "hipsolverGesvdjInfo_t", "the object that hipsolver.CreateGesvdjInfo returns")
	economical   = withDefault(0, dim(Econ, "whether only min(m, n) vectors are computed"))

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

// bufferSizes has the functions by name.
var bufferSizes = sync.OnceValue(func() map[string]*Routine {
	all := map[string]*Routine{}
	for _, f := range layerFamilies() {
		for _, r := range f.allSizes() {
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

// functions makes the functions whose names begin with a prefix, of every type.
func (f *layerFamily) functions(family *Family, prefix string, params []Param, suffix string) (list []*Routine) {
	places := newPlaces(params)
	for _, t := range f.types {
		name := prefix + f.cudaName(Type(t)) + suffix
		list = append(list, &Routine{Name: strings.TrimPrefix(name, ownPrefix), cName: name, Family: family,
			Library: HipSOLVER, Type: Type(t), Wide: Type(t) == Mixed, Params: params, places: places})
	}
	return list
}

// complexNames has the beginnings of names of functions for real and for complex matrices.
var complexNames = strings.NewReplacer("sye", "hee", "syg", "heg", "sytrd", "hetrd", "org", "ung", "orm", "unm")

// cudaName returns the name for a type without the common prefix: "Dsyevd", "Zheevd", "DDgels", "Xgetrf".
func (f *layerFamily) cudaName(t Type) string {
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
