package argcheck

import (
	"fmt"
	"math"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// Level 3. In device pointer mode these routines bring their scalars to the host and decide by the values, as in host
// pointer mode; gemm and the rank-2k family do so before the first check, syrk and herk once enumerations and sizes are
// good. A leading dimension of 0 passes for a matrix without rows.
var level3 = map[string]list{
	"gemm":  matrixProduct,
	"symm":  symmetricProduct,
	"hemm":  symmetricProduct,
	"syrk":  rankK,
	"herk":  rankK,
	"syr2k": rank2K,
	"syrkx": rank2K,
	"her2k": rank2K,
	"herkx": rank2K,
	"trmm":  triangularProduct,
	"trsm":  triangularSolve,
	"trtri": triangularInverse,
}

// noWorkspace ends every query of a routine that never asks for memory, whatever its arguments.
var noWorkspace = unchanged(condition{
	test: always,
	says: func(a *routine.Args) string { return a.Routine.CName() + " needs no workspace" },
})

func matrixProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		fetched(nonzero(k), always),
		value(badTransA, badTransB),
		size(negative(m), negative(n), negative(k), negative(batchCount),
			o.thinOrEmpty(matA), o.thinOrEmpty(matB), o.thinOrEmpty(matC)),
		nothing(zero(m), zero(n), zero(batchCount)),
		pointers(null(alpha).unless(zero(k)), null(beta)),
		nothing(both(betaOne, noProduct)),
		pointers(null(matC), null(matA).unless(noProduct), null(matB).unless(noProduct)),
	}
}

// In device pointer mode the arrays are not checked: the check comes before the scalars do.
func symmetricProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		value(badSide, badUplo),
		size(negative(m), negative(n), negative(batchCount),
			o.thinOrEmpty(matA), o.thinOrEmpty(matB), o.thinOrEmpty(matC)),
		nothing(zero(m), zero(n), zero(batchCount)),
		pointers(null(alpha), null(beta)),
		fetched(always, always),
		nothing(both(alphaZero, betaOne)),
		pointers(null(matC), null(matA).unless(alphaZero), null(matB).unless(alphaZero)).only(hostPointers),
		o.missingBlock(),
	}
}

// missingBlock is the null array that is noticed by the general products into which a symmetric one falls apart when A is
// more than one block, and then as an internal error: B, and A where it is an array of pointers. Leading dimensions beyond
// 32 bits are for kernels of their own, which notice nothing.
func (o operands) missingBlock() rule {
	missing := null(matB)
	if o.r.Variant == routine.Batched {
		missing = either(null(matA), null(matB))
	}
	wide := either(beyond32(routine.LDA), either(beyond32(routine.LDB), beyond32(routine.LDC)))
	missing = both(missing, o.orderBeyond(matA, symmetricBlock)).unless(alphaZero).unless(wide)
	return rule{in: executedDevice, status: status.InternalError, any: []condition{missing}}
}

// symmetricBlock is the order of the diagonal blocks that a symmetric product multiplies by as a whole.
const symmetricBlock = 32

func rankK(o operands) []rule {
	return []rule{
		unchanged(zero(n)),
		queryAnswered,
		value(badUplo, o.badUpdateOperation()),
		size(negative(n), negative(k), negative(batchCount), o.thinOrEmpty(matA), o.thinOrEmpty(matC)),
		nothing(zero(n), zero(batchCount)),
		pointers(null(alpha).unless(zero(k)), null(beta)),
		// The 64-bit forms end some calls before they fetch the scalars, and C is checked only after that.
		o.in64(nothing(zero(k)).only(devicePointers)),
		o.in64(size(beyond32(n)).only(devicePointers)),
		fetched(nonzero(k), always),
		nothing(both(betaOne, noProduct)),
		pointers(null(matC), null(matA).unless(noProduct)),
		o.emptyUpdate(),
		borrowed,
		size(beyond32(n)),
	}
}

func rank2K(o operands) []rule {
	return []rule{
		noWorkspace,
		fetched(nonzero(k), always),
		value(badUplo, o.badUpdateOperation()),
		size(negative(n), negative(k), negative(batchCount),
			o.thinOrEmpty(matA), o.thinOrEmpty(matB), o.thinOrEmpty(matC)),
		nothing(zero(n), zero(batchCount)),
		pointers(null(alpha).unless(zero(k)), null(beta)),
		nothing(both(betaOne, noProduct)),
		pointers(null(matC), null(matA).unless(noProduct), null(matB).unless(noProduct)),
		o.emptyUpdate(),
		borrowed,
		size(beyond32(n)),
	}
}

// emptyUpdate is where rank-k updates with k = 0 part: the 64-bit forms return without scaling C, the others read
// alpha even when it is null, which their check has let pass.
func (o operands) emptyUpdate() rule {
	if o.r.Wide {
		return nothing(zero(k))
	}
	return pointers(null(alpha)).with(Crash)
}

func triangularProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		fetched(func(a *routine.Args) bool { return a.Int(m) != 0 && a.Int(n) != 0 }, never),
		value(badSide, badUplo, badTransA, badDiag),
		size(negative(m), negative(n), negative(batchCount),
			o.thinOrEmpty(matA), o.thinOrEmpty(matB), o.thinOrEmpty(matC)),
		nothing(zero(m), zero(n), zero(batchCount)),
		pointers(null(alpha), null(matC), null(matA).unless(alphaZero), null(matB).unless(alphaZero)),
		value(inPlaceAskew),
		borrowed,
		o.in64(size(o.orderBeyond(matA, largestProduct).unless(alphaZero))),
	}
}

// largestProduct is the order of a triangular matrix up to which the 64-bit trmm multiplies by it.
const largestProduct = 1 << 28

// inPlaceAskew holds when trmm is to overwrite B, but finds another leading dimension for it there.
var inPlaceAskew = condition{
	slot: routine.LDC,
	test: func(a *routine.Args) bool {
		return a.Ptr(matB) == a.Ptr(matC) && a.Int(routine.LDB) != a.Int(routine.LDC)
	},
	says: func(a *routine.Args) string {
		return fmt.Sprintf("C is B, so ldc, %d, must be ldb = %d", a.Int(routine.LDC), a.Int(routine.LDB))
	},
}

// In host pointer mode alpha is read in a query too. A null one is fatal there, and alpha 0 clears B at once, whether B
// and A are null or not.
func triangularSolve(o operands) []rule {
	empty := []condition{zero(m), zero(n), zero(batchCount)}
	return []rule{
		value(badSide, badUplo, badTransA, badDiag),
		size(negative(m), negative(n), negative(batchCount), o.thinOrEmpty(matA), o.thinOrEmpty(matB)),
		unchanged(empty...),
		nothing(empty...),
		pointers(null(alpha)).only(queriedHost).with(Crash),
		nothing(alphaZero).only(queriedHost).with(Unborrowed),
		queryAnswered,
		pointers(null(alpha), null(matB)),
		nothing(alphaZero).only(executedHost).with(Unborrowed),
		pointers(null(matA)).only(executedHost),
		borrowed,
		size(o.orderBeyond(matA, math.MaxInt32)),
	}
}

func triangularInverse(o operands) []rule {
	empty := []condition{zero(n), zero(batchCount)}
	return []rule{
		unchanged(empty...),
		queryAnswered,
		value(badUplo, badDiag),
		size(negative(n), negative(batchCount), o.thinOrEmpty(matA), o.thinOrEmpty(matInvA)),
		nothing(empty...),
		pointers(null(matA), null(matInvA)),
	}
}
