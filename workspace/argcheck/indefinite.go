package argcheck

import "roclua/hip/routine"

func indefinite() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Sytrf: solverChecks{enums: uplo, dims: square}.rules,
		routine.Sytf2: solverChecks{enums: uplo, dims: square}.rules,
		routine.Lasyf: solverChecks{enums: uplo, dims: []routine.Slot{n},
			sizes: []condition{negative(routine.NB), exceeds(routine.NB, n)}}.rules,
	}
}
