package argcheck

import (
	"fmt"

	"roclua/hip/routine"
)

// Refactorization of sparse matrices. Functions that take the result of an analysis always get a null one, because
// none can be made without rocSPARSE.
func sparse() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.CsrrfAnalysis: refactorization(nrhs, routine.NnzA, routine.NnzT),
		routine.CsrrfSumlu: solverChecks{dims: []routine.Slot{n},
			sizes: []condition{fewerThanRows, negative(routine.NnzU)}}.rules,
		routine.CsrrfSplitlu: solverChecks{dims: []routine.Slot{n, routine.NnzT},
			special: []condition{lowerFactor(routine.IndA), lowerFactor(routine.ValA), upperFactor(routine.IndU),
				upperFactor(routine.ValU)}}.rules,
		routine.CsrrfRefactlu:   refactorization(routine.NnzA, routine.NnzT),
		routine.CsrrfRefactchol: refactorization(routine.NnzA, routine.NnzT),
		routine.CsrrfSolve:      analysed(solverChecks{sizes: []condition{negative(routine.NnzT)}}),
	}
}

// refactorization checks a function whose counts must not be negative.
func refactorization(counts ...routine.Slot) builder {
	c := solverChecks{dims: []routine.Slot{n}}
	for _, count := range counts {
		c.sizes = append(c.sizes, negative(count))
	}
	return analysed(c)
}

// analysed checks a function that takes the result of an analysis, and no other pointer of it. A query reads the result
// unchecked, unless there is nothing to compute.
func analysed(c solverChecks) builder {
	return func(o operands) []rule {
		list, missing := c.rules(o), pointers(null(routine.Rfinfo))
		return append(list[:len(list)-2], missing.only(queried).with(Crash), queryReturns, missing)
	}
}

// fewerThanRows holds for a factor with a unit diagonal that has fewer elements than rows.
var fewerThanRows = condition{
	slot: routine.NnzA,
	test: func(a *routine.Args) bool { return a.Int(routine.NnzA) < a.Int(n) },
	message: func(a *routine.Args) string {
		return fmt.Sprintf("%s is %d, must be at least n = %d", name(a, routine.NnzA), a.Int(routine.NnzA), a.Int(n))
	},
}

// lowerFactor holds for a null array of the lower factor, which has the diagonal and elements of T, and upperFactor for
// one of the upper factor.
func lowerFactor(s routine.Slot) condition { return null(s).unless(both(zero(n), zero(routine.NnzT))) }

func upperFactor(s routine.Slot) condition { return null(s).unless(zero(routine.NnzT)) }
