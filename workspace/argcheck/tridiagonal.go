package argcheck

import "roclua/hip/routine"

// The reduction to tridiagonal form, and eigenvalues of tridiagonal matrices.
func tridiagonal() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Latrd: solverChecks{enums: uplo, dims: []routine.Slot{n},
			sizes: []condition{negative(k), exceeds(k, n)},
			needed: map[routine.Slot]condition{routine.VecE: quadratic(routine.VecE),
				routine.Tau: quadratic(routine.Tau)}}.rules,
		routine.Sytd2: solverChecks{enums: uplo, dims: square}.rules,
		routine.Sytrd: solverChecks{enums: uplo, dims: square}.rules,
		routine.Sterf: solverChecks{dims: []routine.Slot{n}}.rules,
		routine.Steqr: solverChecks{enums: []condition{badEvect}, dims: []routine.Slot{n}, freeLD: true,
			sizes:  []condition{ldWhenVectors(routine.LDC)},
			needed: map[routine.Slot]condition{matC: wantedVectors(matC)}}.rules,
		routine.Stedc: solverChecks{enums: []condition{badEvect}, dims: []routine.Slot{n}, freeLD: true,
			sizes:  []condition{ldWhenVectors(routine.LDC)},
			needed: map[routine.Slot]condition{matC: wantedVectors(matC)}}.rules,
		routine.Stebz: solverChecks{enums: []condition{badErange, badEorder}, dims: []routine.Slot{n},
			sizes: []condition{emptyInterval, badEigenIndices}}.rules,
		routine.Stein: solverChecks{dims: []routine.Slot{n},
			needed: map[routine.Slot]condition{routine.VecE: quadratic(routine.VecE)}}.rules,
	}
}
