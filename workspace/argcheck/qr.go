package argcheck

import "roclua/hip/routine"

var qr = map[routine.FamilyID]builder{
	routine.Geqrf: func(o operands) []rule {
		checks := solverChecks{dims: rectangle, null: []condition{rectangular(matA), rectangular(pivots)}}
		if o.r.Wide && o.r.Variant == routine.Batched {
			checks.sizes = []condition{beyond32(m), beyond32(n)}
		}
		return checks.rules(o)
	},
}
