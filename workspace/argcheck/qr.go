package argcheck

import "roclua/hip/routine"

var qr = map[routine.FamilyID]builder{
	routine.Geqrf: func(o operands) []rule {
		return solverChecks{dims: rectangle, null: []condition{rectangular(matA), rectangular(pivots)}}.rules(o)
	},
}
