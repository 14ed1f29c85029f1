package argcheck

import "roclua/hip/routine"

// Householder reflectors.
func reflectors() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Larfg: solverChecks{sizes: []condition{none(incX)},
			special: []condition{null(vecX).unless(atMost(n, 1)), quadratic(matC), quadratic(routine.Tau)}}.rules,
		routine.Larf: solverChecks{sizes: []condition{zeroIncrement(incX)},
			special: []condition{rectangular(matA), vectorOfSide(vecX), vectorOfSide(matC)}}.rules,
		routine.Larft: solverChecks{sizes: []condition{none(k)},
			special: []condition{quadratic(routine.MatV), null(routine.Tau), null(routine.MatT)}}.rules,
		routine.Larfb: solverChecks{sizes: []condition{none(k)},
			special: []condition{vectorOfSide(routine.MatV), rectangular(matA), null(routine.MatT)}}.rules,
		routine.Lacgv: solverChecks{sizes: []condition{zeroIncrement(incX)}}.rules,
	}
}
