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
