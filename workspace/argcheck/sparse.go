package argcheck

import (
	"fmt"

	"roclua/hip/routine"
)

// Refactorization of sparse matrices. Functions that take the result of an analysis always get a null one, because
// none can be made without rocSPARSE.
func sparse() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.CsrrfAnalysis: analysed(negative(nrhs), negative(routine.NnzA), negative(routine.NnzT)),
		routine.CsrrfSumlu: solverChecks{dims: []routine.Slot{n},
			sizes: []condition{fewerThanRows, negative(routine.NnzU)}}.rules,
		routine.CsrrfSplitlu: solverChecks{dims: []routine.Slot{n, routine.NnzT},
			needed: map[routine.Slot]condition{
				routine.IndA: lowerFactor(routine.IndA), routine.ValA: lowerFactor(routine.ValA),
				routine.IndU: upperFactor(routine.IndU), routine.ValU: upperFactor(routine.ValU),
			}}.rules,
		routine.CsrrfRefactlu:   analysed(negative(routine.NnzA), negative(routine.NnzT)),
		routine.CsrrfRefactchol: analysed(negative(routine.NnzA), negative(routine.NnzT)),
		routine.CsrrfSolve: solverChecks{dims: []routine.Slot{n, nrhs}, sizes: []condition{negative(routine.NnzT)},
			null: []condition{null(routine.Rfinfo)}}.rules,
	}
}

// analysed checks a function that takes the result of an analysis.
func analysed(sizes ...condition) builder {
	return solverChecks{dims: []routine.Slot{n}, sizes: sizes, null: []condition{null(routine.Rfinfo)}}.rules
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
