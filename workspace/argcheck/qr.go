package argcheck

import "roclua/hip/routine"

func qr() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Geqrf: standard, routine.GeqrfPointers: standard,
		routine.Geqlf: standard,
		routine.Gelqf: standard,
		routine.Gerqf: standard,
		routine.Geqr2: standard,
		routine.Geql2: standard,
		routine.Gelq2: standard,
		routine.Gerq2: standard,
	}
}
