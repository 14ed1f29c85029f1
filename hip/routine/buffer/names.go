// Package buffer names the pieces of workspace that calls use.
//
// A size rule says how many bytes each buffer of a call has, and the kernel of the routine reads the buffer under the
// same name. A family of routines declares the buffers that its calls may use; a name that it does not declare is an
// error in the program, which tests and kernels report.
package buffer

import (
	"fmt"
	"slices"
)

// ID is the name of a buffer.
type ID uint8

// Buffers of rocBLAS.
const (
	PartialSums ID = iota
	Extrema
	ColumnSums
	VectorCopy
	VectorCopyPointers
	BlockCounters
	BlockColumns
	TriangleCopy
	Solution
	SolutionPointers
	InvertedBlocks
	InvertedBlockPointers
	InverseProducts
	InverseProductPointers
	ConvertedFactors
	SplitSums // of a product, by the kernel that the tuning files name; no family declares them
	Bound     // that the user gives for calls whose need is not known

	endOfBLAS
)

// Buffers of rocSOLVER.
const (
	Scalars ID = endOfBLAS + iota
	TriangularSolve
	TriangularSolvePointers
	PivotValues
	PivotIndices
	Pivots
	RowPermutation
	PanelInfo
	MatrixCopy
	MatrixCopyPointers
	RightSideCopy
	UnblockedWork
	Diagonal
	TriangularFactor
	BlockReflection
	Pointers
	ReflectionOrPointers
	AppliedReflectionOrNorms
	ReflectionOrPanel
	ReflectionOrSolve
	ReflectionWork
	ReflectionNorms
	AppliedReflection
	FactorWork
	AppliedOrBlockReflection
	AppliedReflectionOrFactorWork
	DiagonalOrBlockReflection
	BidiagonalX
	BidiagonalY
	ScalarReflection
	ReflectionOrProduct
	ReflectionPointers
	PanelWork
	LeastSquaresWork
	LeastSquaresSolvePointers
	LeastSquaresInverse
	LeastSquaresPointers
	EigenStack
	EigenWork1
	EigenWork2
	EigenWork3
	EigenWork4
	EigenWork5
	EigenWork6
	EigenScalars
	JacobiRotations
	JacobiNorms
	JacobiTop
	JacobiBottom
	JacobiDone
	BisectionCounts
	BisectionPivots
	BisectionSquares
	BisectionBounds
	BisectionIntervals
	BisectionNumbers
	SplitMap
	DividedVectors
	DividedProducts
	RankOneUpdate
	RotationWork
	BlockCount
	BlockMap
	TridiagonalDiagonal
	TridiagonalSubdiagonal
	SingularValues
	SingularVectors
	BidiagonalForm
	BidiagonalScalars
	SecondCopy
	RepeatedWork
	BlockInfo
	RowCounts
	SparseWork

	// Of the functions that only hipSOLVER calls, and of hipSOLVER itself.
	SavedRightSide
	EigenvalueCount
	OtherDiagonal
	SingularValueCount
	UnconvergedVectors

	endOfSolver
)

// Buffers that only NVIDIA's libraries use.
const (
	Results ID = endOfSolver + iota
	LibraryWorkspace
	FactorizationScratch
	InversionScratch
	FactorCopy
	Info
	One
	MatrixPointers
	SquareCopy
	PackedTriangle
	ReorderedMatrix
	ReversedMatrix
	ReversedProduct
	ReflectionScalars
	UntransposedLeft
	UntransposedRight

	// Count is the number of buffers.
	Count
)

var purposes = [Count]string{
	PartialSums:            "partial sums and result",
	Extrema:                "values and indices of blocks, and the result",
	ColumnSums:             "column sums",
	VectorCopy:             "copy of x",
	VectorCopyPointers:     "pointers to the copies",
	BlockCounters:          "counters of finished blocks",
	BlockColumns:           "results of block columns",
	TriangleCopy:           "copy of the other triangle",
	Solution:               "solution",
	SolutionPointers:       "pointers to the solutions",
	InvertedBlocks:         "inverted diagonal blocks",
	InvertedBlockPointers:  "pointers to the inverted blocks",
	InverseProducts:        "products of inverted blocks",
	InverseProductPointers: "pointers to the products",
	ConvertedFactors:       "factors converted to the types that are multiplied",
	SplitSums:              "sums over parts of k",
	Bound:                  "bound on an unknown need",

	Scalars:                  "scalars",
	TriangularSolve:          "triangular solve",
	TriangularSolvePointers:  "pointers of the triangular solve",
	PivotValues:              "pivot values",
	PivotIndices:             "pivot indices",
	Pivots:                   "pivots",
	RowPermutation:           "row permutation",
	PanelInfo:                "info of panels",
	MatrixCopy:               "copy of the matrix",
	MatrixCopyPointers:       "pointers to the copy",
	RightSideCopy:            "copy of B",
	UnblockedWork:            "work of the unblocked part",
	Diagonal:                 "diagonal",
	TriangularFactor:         "triangular factor",
	BlockReflection:          "block reflection",
	Pointers:                 "pointers",
	ReflectionOrPointers:     "pointers, or work of a reflection",
	AppliedReflectionOrNorms: "applied reflection, or norms",
	ReflectionOrPanel:        "work of a reflection, or panel",
	ReflectionOrSolve:        "work of a reflection, or triangular solve",
	ReflectionWork:           "work of a reflection",
	ReflectionNorms:          "norms",
	AppliedReflection:        "applied reflection",
	FactorWork:               "work of the triangular factor",
	AppliedOrBlockReflection: "applied reflection, or block reflection",

	AppliedReflectionOrFactorWork: "applied reflection, or work of the triangular factor",
	DiagonalOrBlockReflection:     "diagonal, or block reflection",

	BidiagonalX:         "products of the rows",
	BidiagonalY:         "products of the columns",
	ScalarReflection:    "scalars of reflections, or panel",
	ReflectionOrProduct: "work of a reflection, or matrix-vector product",
	ReflectionPointers:  "pointers to the panel",
	PanelWork:           "panel",
	LeastSquaresWork:    "work of the factorization, or triangular solve",

	LeastSquaresSolvePointers: "block reflection, or pointers of the triangular solve",
	LeastSquaresInverse:       "triangular factor, or inverted diagonal blocks",
	LeastSquaresPointers:      "pointers, or pointers to the inverted blocks",

	EigenStack:         "stack",
	EigenWork1:         "work",
	EigenWork2:         "second work",
	EigenWork3:         "third work",
	EigenWork4:         "fourth work",
	EigenWork5:         "fifth work",
	EigenWork6:         "sixth work",
	EigenScalars:       "scalars of reflections, or splits",
	JacobiRotations:    "rotations",
	JacobiNorms:        "norms of the matrix",
	JacobiTop:          "pairs, upper part",
	JacobiBottom:       "pairs, lower part",
	JacobiDone:         "finished problems",
	BisectionCounts:    "integer work",
	BisectionPivots:    "smallest pivots",
	BisectionSquares:   "squares of the other diagonal",
	BisectionBounds:    "bounds",
	BisectionIntervals: "intervals",
	BisectionNumbers:   "numbers of eigenvalues",
	SplitMap:           "map of the blocks",
	RotationWork:       "rotations of the sweeps",
	DividedVectors:     "eigenvectors of the tridiagonal matrix",
	DividedProducts:    "products of eigenvectors",
	RankOneUpdate:      "rank-one update",
	BlockCount:         "numbers of blocks",
	BlockMap:           "block of each value",
	SingularValues:     "singular values",
	SingularVectors:    "singular vectors of the bidiagonal matrix",
	BidiagonalForm:     "bidiagonal matrix",
	SecondCopy:         "second copy of the matrix",
	RepeatedWork:       "sixth work, again",
	BidiagonalScalars:  "scalars of the reflections",
	BlockInfo:          "info of the blocks",
	RowCounts:          "elements of rows and their sums",
	SparseWork:         "work of rocSPARSE",
	SavedRightSide:     "copy of B, which is restored",
	EigenvalueCount:    "number of eigenvalues",
	OtherDiagonal:      "array E, which hipSOLVER adds",
	SingularValueCount: "number of singular values, which hipSOLVER adds",
	UnconvergedVectors: "array ifail, which hipSOLVER adds",

	TridiagonalDiagonal:    "diagonal of the tridiagonal matrix",
	TridiagonalSubdiagonal: "other diagonal of the tridiagonal matrix",

	Results:              "results",
	LibraryWorkspace:     "cuBLAS workspace",
	FactorizationScratch: "factorization scratch",
	InversionScratch:     "inversion scratch",
	FactorCopy:           "copy of the factors",
	Info:                 "info",
	One:                  "the number one",
	MatrixPointers:       "pointers to the matrices",
	SquareCopy:           "square copy",
	PackedTriangle:       "packed triangle",
	ReorderedMatrix:      "transposed or copied matrix",
	ReversedMatrix:       "reversed matrix",
	ReversedProduct:      "reversed product",
	ReflectionScalars:    "scalars of reflections",
	UntransposedLeft:     "transposed left vectors",
	UntransposedRight:    "transposed right vectors",
}

// Purpose returns the purpose of the buffer in a few words: "copy of B".
func (id ID) Purpose() string { return purposes[id] }

// String returns the purpose.
func (id ID) String() string { return id.Purpose() }

// Set is a set of buffers. The zero value is empty.
type Set struct{ bits [(Count + 63) / 64]uint64 }

// SetOf returns the set of the given buffers.
func SetOf(list ...ID) (s Set) {
	for _, id := range list {
		s.bits[id/64] |= 1 << (id % 64)
	}
	return s
}

// Has reports whether the set contains a buffer.
func (s *Set) Has(id ID) bool { return s.bits[id/64]>>(id%64)&1 != 0 }

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

func init() {
	for id := range Count {
		if purposes[id] == "" {
			panic(fmt.Sprintf("hip/routine/buffer: buffer %d has no purpose", id))
		}
	}
}
