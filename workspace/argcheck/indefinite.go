package argcheck

import "roclua/hip/routine"

func indefinite() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Sytrf: standard,
		routine.Sytf2: standard,
		routine.Lasyf: solverChecks{sizes: []condition{negative(routine.NB), exceeds(routine.NB, n)}}.rules,
	}
}
