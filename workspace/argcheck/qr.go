package argcheck

import "roclua/hip/routine"

func qr() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Geqrf: func(o operands) []rule {
			return solverChecks{dims: rectangle, null: []condition{rectangular(matA), rectangular(pivots)}}.rules(o)
		},
		routine.Geqlf: factorQR,
		routine.Gelqf: factorQR,
		routine.Gerqf: factorQR,
		routine.Geqr2: factorQR,
		routine.Geql2: factorQR,
		routine.Gelq2: factorQR,
		routine.Gerq2: factorQR,
	}
}

var factorQR = solverChecks{dims: rectangle}.rules
