package argcheck

import (
	"fmt"
	"math"

	"roclua/hip/routine"
)

// Level 3. In device pointer mode these routines bring their scalars to the host and decide by the values, as in host
// pointer mode; gemm and the rank-2k family do so before the first check, syrk and herk once enumerations and sizes are
// good. A leading dimension of 0 passes for a matrix without rows.
var level3 = map[string]list{
	"gemm":  product3,
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
	holds: func(*routine.Args) bool { return true },
	says:  func(a *routine.Args) string { return a.Routine.CName() + " needs no workspace" },
})

func product3(o operands) []rule {
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
	}
}

func rankK(o operands) []rule {
	list := []rule{
		unchanged(zero(n)),
		queryAnswered,
		value(badUplo, o.badUpdateOperation()),
		size(negative(n), negative(k), negative(batchCount), o.thinOrEmpty(matA), o.thinOrEmpty(matC)),
		nothing(zero(n), zero(batchCount)),
		pointers(null(alpha).unless(zero(k)), null(beta)),
		fetched(nonzero(k), always),
		nothing(both(betaOne, noProduct)),
		pointers(null(matC), null(matA).unless(noProduct)),
	}
	if o.r.Wide {
		// A null C passes in device pointer mode, where k is looked at before the scalars are fetched.
		list = append(list[:6:6], append([]rule{nothing(zero(k)).only(devicePointers)}, list[6:]...)...)
	}
	return append(list, o.emptyUpdate(), borrowed, size(beyond32(n)))
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
	list := []rule{
		noWorkspace,
		fetched(func(a *routine.Args) bool { return a.Int(m) != 0 && a.Int(n) != 0 }, never),
		value(badSide, badUplo, badTransA, badDiag),
		size(negative(m), negative(n), negative(batchCount),
			o.thinOrEmpty(matA), o.thinOrEmpty(matB), o.thinOrEmpty(matC)),
		nothing(zero(m), zero(n), zero(batchCount)),
		pointers(null(alpha), null(matC), null(matA).unless(alphaZero), null(matB).unless(alphaZero)),
		value(inPlaceAskew),
	}
	if o.r.Wide {
		list = append(list, borrowed, size(o.orderBeyond(matA, largestProduct).unless(alphaZero)))
	}
	return list
}

// largestProduct is the order of a triangular matrix up to which the 64-bit trmm multiplies by it.
const largestProduct = 1 << 28

// inPlaceAskew holds when trmm is to overwrite B, but finds another leading dimension for it there.
var inPlaceAskew = condition{
	holds: func(a *routine.Args) bool {
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
