package argcheck

import "roclua/hip/routine"

// Level 1: reductions. A query only checks whether there is something to reduce. An executed call checks the pointer to
// its result first; a reduction without elements is zero.
func level1() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Asum:  reduction,
		routine.Nrm2:  reduction,
		routine.Iamax: reduction,
		routine.Iamin: reduction,
		routine.Dot:   product,
		routine.Dotu:  product,
		routine.Dotc:  product,
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
