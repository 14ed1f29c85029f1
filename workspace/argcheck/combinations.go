package argcheck

import (
	"fmt"

	"roclua/hip/routine"
)

// Level 3: combinations and products of matrices with special results. None needs memory.
func combinations() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Dgmm:   diagonalProduct,
		routine.Geam:   matrixSum,
		routine.Gemmt:  triangleOfProduct,
		routine.GeamEx: matrixSumEx,
	}
}

func diagonalProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		value(badSide),
		size(negative(m), negative(n), negative(batchCount), o.ldBelowRows(matA), o.ldBelowRows(matC)),
		quickReturn(zero(m), zero(n), zero(batchCount)),
		pointers(null(matA), nullX, null(matC)),
	}
}

// A matrix is only checked if its factor is not zero, which the host does not know in device pointer mode.
func matrixSum(o operands) []rule {
	return []rule{
		noWorkspace,
		value(badTransA, badTransB),
		size(negative(m), negative(n), negative(batchCount),
			o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC)),
		size(overwritten(matA, routine.TransA, routine.LDA), overwritten(matB, routine.TransB, routine.LDB)),
		quickReturn(zero(m), zero(n), zero(batchCount)),
		pointers(null(matC), null(alpha), null(beta)),
		pointers(null(matA).unless(alphaZero), null(matB).unless(betaZero)).only(hostPointers),
	}
}

// overwritten holds when C is a matrix that is transposed or has another leading dimension.
func overwritten(matrix, operation, ld routine.Slot) condition {
	return condition{
		slot: matrix,
		test: func(a *routine.Args) bool {
			return a.Ptr(matC) == a.Ptr(matrix) &&
				(a.Int(ld) != a.Int(routine.LDC) || a.Int(operation) != routine.OperationNone)
		},
		message: func(a *routine.Args) string {
			return fmt.Sprintf("C is %s, which must then have no operation and the leading dimension ldc = %d",
				name(a, matrix), a.Int(routine.LDC))
		},
	}
}

// In device pointer mode the matrices are not checked.
func triangleOfProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		value(badTransA, badTransB, badUplo),
		size(negative(n), negative(k), negative(batchCount),
			o.ldBelowRowsIn32(matA), o.ldBelowRowsIn32(matB), o.ldBelowRowsIn32(matC)),
		quickReturn(zero(n), zero(batchCount)),
		pointers(null(alpha).unless(zero(k)), null(beta)),
		quickReturn(both(betaOne, noProduct)).only(hostPointers),
		pointers(null(matC), null(matA).unless(noProduct), null(matB).unless(noProduct)).only(hostPointers),
		o.in64(quickReturn(zero(k))), // without scaling C
		allocated,
		size(beyond32(n)),
	}
}

func matrixSumEx(o operands) []rule {
	plainOrTransposed := func(s routine.Slot) condition {
		return notOneOf(s, routine.Operation, routine.OperationNone, routine.OperationTranspose)
	}
	return []rule{
		noWorkspace,
		notImplemented(sumComputeTypes.missing()),
		value(plainOrTransposed(routine.TransA), plainOrTransposed(routine.TransB)),
		size(negative(m), negative(n), negative(k), o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC),
			o.ldBelowRows(matD), inPlaceAs(routine.LDC, routine.LDD)),
		quickReturn(zero(m), zero(n)),
		pointers(null(beta), null(matD), null(alpha).unless(zero(k))),
		pointers(null(matA).unless(noProduct), null(matB).unless(noProduct),
			null(matC).unless(betaZero)).only(hostPointers),
		notImplemented(sumTypes.missing()),
	}
}

var (
	// sumComputeTypes are the datatypes in which geam_ex computes.
	sumComputeTypes = types{slots: []routine.Slot{routine.ComputeType}, combinations: [][]int64{{f16}, {f32}, {f64}}}

	sumTypes = types{
		slots: []routine.Slot{routine.AType, routine.BType, routine.CType, routine.DType, routine.ComputeType},
		combinations: [][]int64{
			{f16, f16, f16, f16, f16}, {f32, f32, f32, f32, f32}, {f64, f64, f64, f64, f64},
		},
	}
)
