package argcheck

import "roclua/hip/routine"

// Level 1: vectors. Only reductions need memory. A query of a reduction only checks whether there is something to
// reduce. An executed one checks the pointer to its result first; a reduction without elements is zero.
func level1() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Asum:     reduction,
		routine.Nrm2:     reduction,
		routine.Iamax:    reduction,
		routine.Iamin:    reduction,
		routine.Dot:      product,
		routine.Dotu:     product,
		routine.Dotc:     product,
		routine.Axpy:     scaledAddition,
		routine.Copy:     twoVectors,
		routine.Swap:     twoVectors,
		routine.Scal:     scaling,
		routine.RealScal: scaling,
	}
}

// A vector with a negative increment is empty.
func reduction(operands) []rule {
	empty := []condition{none(n), none(incX), none(batchCount)}
	return []rule{
		unchanged(empty...),
		queryReturns,
		pointers(null(result)),
		quickReturn(empty...).with(ZeroResult),
		pointers(null(vecX)),
	}
}

// Any increment is legal, including zero and negative ones; an empty batch needs no results.
func product(operands) []rule {
	empty := []condition{none(n), none(batchCount)}
	return []rule{
		unchanged(empty...),
		queryReturns,
		pointers(null(result).unless(none(batchCount))),
		quickReturn(empty...).with(ZeroResult),
		pointers(null(vecX), null(vecY)),
	}
}

var (
	noVectors = quickReturn(none(n), none(batchCount))
	nullX     = null(vecX)
	nullY     = null(vecY)
)

func twoVectors(operands) []rule {
	return []rule{noWorkspace, noVectors, pointers(nullX, nullY)}
}

// In device pointer mode the vectors are not checked.
func scaledAddition(operands) []rule {
	return append([]rule{noWorkspace, noVectors}, addition()...)
}

func addition() []rule {
	return []rule{
		pointers(null(alpha)),
		quickReturn(alphaZero).only(hostPointers),
		pointers(nullX, nullY).only(hostPointers),
	}
}

// A vector with a negative increment is empty.
func scaling(operands) []rule {
	return []rule{
		noWorkspace,
		quickReturn(none(n), none(incX), none(batchCount)),
		pointers(nullX, null(alpha)),
		quickReturn(alphaOne).only(hostPointers),
	}
}
