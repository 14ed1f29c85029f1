package argcheck

import "roclua/hip/routine"

func lu() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Getrf:               standard,
		routine.GetrfNpvt:           standard,
		routine.GetrfInfo32:         standard,
		routine.GetrfNpvtInfo32:     standard,
		routine.Getf2:               standard,
		routine.Getf2Npvt:           standard,
		routine.Getrs:               standard,
		routine.Getri:               standard,
		routine.GetriNpvt:           standard,
		routine.GetriOutOfPlace:     standard,
		routine.GetriNpvtOutOfPlace: standard,
		routine.Gesv:                standard,
		routine.GesvOutOfPlace:      standard,
		routine.Laswp: solverChecks{freeLD: true, special: []condition{quadratic(matA), null(pivots)},
			sizes: []condition{none(routine.LDA), none(routine.K1), none(routine.K2), exceeds(routine.K1, routine.K2),
				zeroIncrement(incX)}}.rules,
	}
}
