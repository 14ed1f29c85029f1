package argcheck

import "roclua/hip/routine"

func qr() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Geqrf: func(o operands) []rule {
			return solverChecks{dims: rectangle, null: []condition{rectangular(matA), rectangular(pivots)}}.rules(o)
		},
	}
}
