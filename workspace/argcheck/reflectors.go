package argcheck

import "roclua/hip/routine"

// Householder reflectors.
func reflectors() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Larfg: solverChecks{dims: []routine.Slot{n}, sizes: []condition{none(incX)},
			null: []condition{null(vecX).unless(atMost(n, 1)), quadratic(matC), quadratic(routine.Tau)}}.rules,
		routine.Larf: solverChecks{enums: []condition{badSide}, dims: plainRectangle,
			sizes: []condition{zeroIncrement(incX)},
			null:  []condition{rectangular(matA), vectorOfSide(vecX), vectorOfSide(matC)}}.rules,
		routine.Larft: solverChecks{enums: []condition{badDirect, badStorev}, dims: []routine.Slot{n},
			sizes: []condition{none(k)}, null: []condition{quadratic(routine.MatV), null(routine.Tau),
				null(routine.MatT)}}.rules,
		routine.Larfb: solverChecks{enums: []condition{badSide, badTransA, badDirect, badStorev}, dims: plainRectangle,
			sizes: []condition{none(k)},
			null:  []condition{vectorOfSide(routine.MatV), rectangular(matA), null(routine.MatT)}}.rules,
		routine.Lacgv: solverChecks{dims: []routine.Slot{n}, sizes: []condition{zeroIncrement(incX)}}.rules,
	}
}
