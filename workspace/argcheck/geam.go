package argcheck

import (
	"fmt"

	"roclua/hip/routine"
)

// Sums of matrices and products with a diagonal matrix. None needs memory.
func geam() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Dgmm: diagonalProduct,
		routine.Geam: matrixSum,
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
