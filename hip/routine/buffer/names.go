// Package buffer names the pieces of workspace that calls use.
//
// A size rule says how many bytes each buffer of a call has, and the kernel of the routine reads the buffer under the
// same name. A family of routines declares the buffers that its calls may use; a name that it does not declare is an
// error in the program, which tests and kernels report.
package buffer

import "slices"

// ID is the name of a buffer.
type ID uint8

// purposes are the purposes of all buffers, by ID.
var purposes []string

// named returns a new buffer. It is not inlined, because the initialization of the package would be a huge function.
//
//go:noinline
func named(purpose string) ID {
	purposes = append(purposes, purpose)
	return ID(len(purposes) - 1)
}

// Buffers of rocBLAS.
var (
	PartialSums            = named("partial sums and result")
	Extrema                = named("values and indices of blocks, and the result")
	ColumnSums             = named("column sums")
	VectorCopy             = named("copy of x")
	VectorCopyPointers     = named("pointers to the copies")
	BlockCounters          = named("counters of finished blocks")
	BlockColumns           = named("results of block columns")
	TriangleCopy           = named("copy of the other triangle")
	Solution               = named("solution")
	SolutionPointers       = named("pointers to the solutions")
	InvertedBlocks         = named("inverted diagonal blocks")
	InvertedBlockPointers  = named("pointers to the inverted blocks")
	InverseProducts        = named("products of inverted blocks")
	InverseProductPointers = named("pointers to the products")
	ConvertedFactors       = named("factors converted to the types that are multiplied")

	// No family declares these: the bytes of a product's kernel that the tuning files name, and those that the user
	// gives for calls whose need is not known.
	SplitSums = named("sums over parts of k")
	Bound     = named("bound on an unknown need")
)

// Buffers of rocSOLVER.
var (
	Scalars                       = named("scalars")
	TriangularSolve               = named("triangular solve")
	TriangularSolvePointers       = named("pointers of the triangular solve")
	PivotValues                   = named("pivot values")
	PivotIndices                  = named("pivot indices")
	Pivots                        = named("pivots")
	RowPermutation                = named("row permutation")
	PanelInfo                     = named("info of panels")
	MatrixCopy                    = named("copy of the matrix")
	MatrixCopyPointers            = named("pointers to the copy")
	RightSideCopy                 = named("copy of B")
	UnblockedWork                 = named("work of the unblocked part")
	Diagonal                      = named("diagonal")
	TriangularFactor              = named("triangular factor")
	BlockReflection               = named("block reflection")
	Pointers                      = named("pointers")
	ReflectionOrPointers          = named("pointers, or work of a reflection")
	AppliedReflectionOrNorms      = named("applied reflection, or norms")
	ReflectionOrPanel             = named("work of a reflection, or panel")
	ReflectionOrSolve             = named("work of a reflection, or triangular solve")
	ReflectionWork                = named("work of a reflection")
	ReflectionNorms               = named("norms")
	AppliedReflection             = named("applied reflection")
	FactorWork                    = named("work of the triangular factor")
	AppliedOrBlockReflection      = named("applied reflection, or block reflection")
	AppliedReflectionOrFactorWork = named("applied reflection, or work of the triangular factor")
	DiagonalOrBlockReflection     = named("diagonal, or block reflection")
	BidiagonalX                   = named("products of the rows")
	BidiagonalY                   = named("products of the columns")
	ScalarReflection              = named("scalars of reflections, or panel")
	ReflectionOrProduct           = named("work of a reflection, or matrix-vector product")
	ReflectionPointers            = named("pointers to the panel")
	PanelWork                     = named("panel")
	LeastSquaresWork              = named("work of the factorization, or triangular solve")
	LeastSquaresSolvePointers     = named("block reflection, or pointers of the triangular solve")
	LeastSquaresInverse           = named("triangular factor, or inverted diagonal blocks")
	LeastSquaresPointers          = named("pointers, or pointers to the inverted blocks")
	EigenStack                    = named("stack")
	EigenWork1                    = named("work")
	EigenWork2                    = named("second work")
	EigenWork3                    = named("third work")
	EigenWork4                    = named("fourth work")
	EigenWork5                    = named("fifth work")
	EigenWork6                    = named("sixth work")
	EigenScalars                  = named("scalars of reflections, or splits")
	JacobiRotations               = named("rotations")
	JacobiNorms                   = named("norms of the matrix")
	JacobiTop                     = named("pairs, upper part")
	JacobiBottom                  = named("pairs, lower part")
	JacobiDone                    = named("finished problems")
	BisectionCounts               = named("integer work")
	BisectionPivots               = named("smallest pivots")
	BisectionSquares              = named("squares of the other diagonal")
	BisectionBounds               = named("bounds")
	BisectionIntervals            = named("intervals")
	BisectionNumbers              = named("numbers of eigenvalues")
	SplitMap                      = named("map of the blocks")
	DividedVectors                = named("eigenvectors of the tridiagonal matrix")
	DividedProducts               = named("products of eigenvectors")
	RankOneUpdate                 = named("rank-one update")
	RotationWork                  = named("rotations of the sweeps")
	BlockCount                    = named("numbers of blocks")
	BlockMap                      = named("block of each value")
	TridiagonalDiagonal           = named("diagonal of the tridiagonal matrix")
	TridiagonalSubdiagonal        = named("other diagonal of the tridiagonal matrix")
	SingularValues                = named("singular values")
	SingularVectors               = named("singular vectors of the bidiagonal matrix")
	BidiagonalForm                = named("bidiagonal matrix")
	BidiagonalScalars             = named("scalars of the reflections")
	SecondCopy                    = named("second copy of the matrix")
	RepeatedWork                  = named("sixth work, again")
	BlockInfo                     = named("info of the blocks")
	RowCounts                     = named("elements of rows and their sums")
	SparseWork                    = named("work of rocSPARSE")

	// Of the functions that only hipSOLVER calls, and of hipSOLVER itself.
	SavedRightSide     = named("copy of B, which is restored")
	EigenvalueCount    = named("number of eigenvalues")
	OtherDiagonal      = named("array E, which hipSOLVER adds")
	SingularValueCount = named("number of singular values, which hipSOLVER adds")
	UnconvergedVectors = named("array ifail, which hipSOLVER adds")
)

// Buffers that only NVIDIA's libraries use.
var (
	Results              = named("results")
	LibraryWorkspace     = named("cuBLAS workspace")
	FactorizationScratch = named("factorization scratch")
	FactorCopy           = named("copy of the factors")
	Info                 = named("info")
	One                  = named("the number one")
	MatrixPointers       = named("pointers to the matrices")
	SquareCopy           = named("square copy")
	PackedTriangle       = named("packed triangle")
	ReorderedMatrix      = named("transposed or copied matrix")
	ReversedMatrix       = named("reversed matrix")
	ReversedProduct      = named("reversed product")
	ReflectionScalars    = named("scalars of reflections")
	UntransposedLeft     = named("transposed left vectors")
	UntransposedRight    = named("transposed right vectors")
)

// Purpose returns the purpose of the buffer in a few words: "copy of B".
func (id ID) Purpose() string { return purposes[id] }

// String returns the purpose.
func (id ID) String() string { return id.Purpose() }

// Join returns the buffers of several lists in one list, each once. Families use it to include the buffers of the
// building blocks that they share.
func Join(lists ...[]ID) []ID {
	var joined []ID
	for _, list := range lists {
		for _, id := range list {
			if !slices.Contains(joined, id) {
				joined = append(joined, id)
			}
		}
	}
	return joined
}
