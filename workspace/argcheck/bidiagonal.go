package argcheck

import "roclua/hip/routine"

func bidiagonal() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Labrd: solverChecks{sizes: []condition{negative(k), exceeds(k, m), exceeds(k, n)}}.rules,
		routine.Gebd2: standard,
		routine.Gebrd: standard,
	}
}
