package argcheck

import "roclua/hip/routine"

var lu = map[routine.FamilyID]builder{
	routine.Getrf: solverChecks{dims: rectangle,
		null: []condition{rectangular(matA), rectangular(pivots), nullInfo}}.rules,
	routine.Getf2: solverChecks{dims: rectangle,
		null: []condition{rectangular(matA), rectangular(pivots), nullInfo}}.rules,
	routine.GetrfNpvt: solverChecks{dims: rectangle, null: []condition{rectangular(matA), nullInfo}}.rules,
	routine.Getri: solverChecks{dims: square, null: []condition{quadratic(matA), quadratic(pivots),
		nullInfo}}.rules,
	routine.Getrs: solverChecks{enums: trans, dims: system,
		null: []condition{quadratic(matA), quadratic(pivots), nullB}}.rules,
	routine.Gesv: solverChecks{dims: system,
		null: []condition{quadratic(matA), quadratic(pivots), nullB, nullInfo}}.rules,
}
