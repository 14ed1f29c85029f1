package argcheck

import "roclua/hip/routine"

func lu() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Getrf: solverChecks{dims: rectangle,
			null: []condition{rectangular(matA), rectangular(pivots), nullInfo}}.rules,
		routine.GetrfNpvt: solverChecks{dims: rectangle, null: []condition{rectangular(matA), nullInfo}}.rules,
		routine.Getf2: solverChecks{dims: rectangle,
			null: []condition{rectangular(matA), rectangular(pivots), nullInfo}}.rules,
		routine.Getf2Npvt: solverChecks{dims: rectangle}.rules,
		routine.Getrs: solverChecks{enums: trans, dims: system,
			null: []condition{quadratic(matA), quadratic(pivots), nullB}}.rules,
		routine.Getri: solverChecks{dims: square, null: []condition{quadratic(matA), quadratic(pivots),
			nullInfo}}.rules,
		routine.GetriNpvt:           solverChecks{dims: square}.rules,
		routine.GetriOutOfPlace:     solverChecks{dims: square}.rules,
		routine.GetriNpvtOutOfPlace: solverChecks{dims: square}.rules,
		routine.Gesv: solverChecks{dims: system,
			null: []condition{quadratic(matA), quadratic(pivots), nullB, nullInfo}}.rules,
		routine.Laswp: solverChecks{dims: []routine.Slot{n}, freeLD: true,
			sizes: []condition{none(routine.LDA), none(routine.K1), none(routine.K2), exceeds(routine.K1, routine.K2),
				zeroIncrement(incX)},
			null: []condition{quadratic(matA), null(pivots)}}.rules,
	}
}
