package argcheck

import "roclua/hip/routine"

func cholesky() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Potrf: standard, routine.PotrfInfo32: standard,
		routine.Potf2: standard,
		routine.Potrs: standard,
		routine.Posv:  standard,
		routine.Potri: standard,
	}
}

func indefinite() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Sytrf: standard,
		routine.Sytf2: standard,
		routine.Lasyf: solverChecks{sizes: []condition{negative(routine.NB), exceeds(routine.NB, n)}}.rules,
	}
}
