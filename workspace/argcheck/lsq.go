package argcheck

import "roclua/hip/routine"

func lsq() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Gels:           multiplication(solverChecks{}),
		routine.GelsOutOfPlace: multiplication(solverChecks{}),
	}
}
