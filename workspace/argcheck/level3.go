package argcheck

import (
	"fmt"
	"math"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// Level 3. In device pointer mode most of these routines copy their scalars to the host and decide by the values, as in
// host pointer mode: gemm, like the rank-2k updates, before the first check. A leading dimension of 0 is legal for a
// matrix without rows.
func level3() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Gemm:  matrixProduct,
		routine.Gemmt: triangleOfProduct,
		routine.Symm:  symmetricProduct,
		routine.Hemm:  symmetricProduct,
		routine.Trmm:  triangularProduct,
		routine.Trsm:  triangularSolve,
		routine.Trtri: triangularInverse,
	}
}

func matrixProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		fetched(nonzero(k), always),
		value(badTransA, badTransB),
		size(negative(m), negative(n), negative(k), negative(batchCount),
			o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC)),
		quickReturn(zero(m), zero(n), zero(batchCount)),
		pointers(null(alpha).unless(zero(k)), null(beta)),
		quickReturn(both(betaOne, noProduct)),
		pointers(null(matC), null(matA).unless(noProduct), null(matB).unless(noProduct)),
		numbersChecked,
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
		numbersChecked,
		o.in64(quickReturn(zero(k))), // without scaling C
		allocated,
		size(beyond32(n)),
	}
}

// In device pointer mode the arrays are not checked, because the scalars arrive only after the check.
func symmetricProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		value(badSide, badUplo),
		size(negative(m), negative(n), negative(batchCount),
			o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC)),
		quickReturn(zero(m), zero(n), zero(batchCount)),
		pointers(null(alpha), null(beta)),
		numbersChecked.only(executedDevice),
		o.beyondKernels(devicePointers),
		fetched(always, always),
		quickReturn(both(alphaZero, betaOne)),
		pointers(null(matC), null(matA).unless(alphaZero), null(matB).unless(alphaZero)).only(hostPointers),
		numbersChecked.only(executedHost),
		o.beyondKernels(hostPointers),
		o.missingBlock(),
	}
}

// beyondKernels refuses a matrix A of too many rows, except in batches of pointers: in device pointer mode before the
// scalars are copied, otherwise after the other checks.
func (o operands) beyondKernels(s situations) rule {
	r := o.in64(size(o.orderBeyond(matA, math.MaxInt32)).only(s))
	r.laterReleases = true
	if o.r.Variant == routine.Batched {
		r.in = 0
	}
	return r
}

// missingBlock is an internal error for a null array: B, and A if it is an array of pointers. It comes from the
// general products that make up a symmetric product when A is more than one block. Kernels for leading dimensions
// beyond 32 bits do not check.
func (o operands) missingBlock() rule {
	missing := null(matB)
	if o.r.Variant == routine.Batched {
		missing = either(null(matA), null(matB))
	}
	wide := either(beyond32(routine.LDA), either(beyond32(routine.LDB), beyond32(routine.LDC)))
	missing = both(missing, o.orderBeyond(matA, symmetricBlock)).unless(alphaZero).unless(wide)
	return rule{in: executedDevice, status: status.InternalError, effect: Ends, any: []condition{missing}}
}

// symmetricBlock is the order of the diagonal blocks of a symmetric product.
const symmetricBlock = 32

func triangularProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		fetched(func(a *routine.Args) bool { return a.Int(m) != 0 && a.Int(n) != 0 }, never),
		value(badSide, badUplo, badTransA, badDiag),
		size(negative(m), negative(n), negative(batchCount),
			o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC)),
		quickReturn(zero(m), zero(n), zero(batchCount)),
		pointers(null(alpha), null(matC), null(matA).unless(alphaZero), null(matB).unless(alphaZero)),
		value(inPlaceMismatch),
		numbersChecked,
		o.in64(quickReturn(both(alphaZero, either(zeroIn32(m), zeroIn32(n))))), // without clearing C
		allocated,
		o.in64(size(o.orderBeyond(matA, largestProduct).unless(alphaZero))),
	}
}

// largestProduct is the largest order of a triangular matrix that the 64-bit trmm multiplies by.
const largestProduct = 1 << 28

// inPlaceMismatch holds when trmm overwrites B with another leading dimension.
var inPlaceMismatch = condition{
	slot: routine.LDC,
	test: func(a *routine.Args) bool {
		return a.Ptr(matB) == a.Ptr(matC) && a.Int(routine.LDB) != a.Int(routine.LDC)
	},
	message: func(a *routine.Args) string {
		return fmt.Sprintf("C is B, so ldc, %d, must be ldb = %d", a.Int(routine.LDC), a.Int(routine.LDB))
	},
}

// In host pointer mode a query reads alpha too. A null alpha crashes, and an alpha of 0 clears B at once, even if B or
// A is null.
func triangularSolve(o operands) []rule {
	empty := []condition{zero(m), zero(n), zero(batchCount)}
	return []rule{
		value(badSide, badUplo, badTransA, badDiag),
		size(negative(m), negative(n), negative(batchCount), o.ldBelowRows(matA), o.ldBelowRows(matB)),
		unchanged(empty...),
		quickReturn(empty...),
		pointers(null(alpha)).only(queriedHost).with(Crash),
		quickReturn(alphaZero).only(queriedHost).with(WithoutWorkspace),
		rule{mark: numbersMark, in: queried},
		queryReturns,
		pointers(null(alpha), null(matB)),
		quickReturn(alphaZero).only(executedHost).with(WithoutWorkspace),
		pointers(null(matA)).only(executedHost),
		numbersChecked,
		allocated,
		size(o.orderBeyond(matA, math.MaxInt32)),
	}
}

func triangularInverse(o operands) []rule {
	empty := []condition{zero(n), zero(batchCount)}
	return []rule{
		unchanged(empty...),
		queryReturns,
		value(badUplo, badDiag),
		size(negative(n), negative(batchCount), o.ldBelowRows(matA), o.ldBelowRows(matInvA)),
		quickReturn(empty...),
		pointers(null(matA), null(matInvA)),
	}
}
