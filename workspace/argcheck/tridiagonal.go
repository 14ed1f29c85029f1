package argcheck

import "roclua/hip/routine"

// The reduction to tridiagonal form, and eigenvalues of tridiagonal matrices.
func tridiagonal() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Latrd: solverChecks{sizes: []condition{negative(k), exceeds(k, n)},
			special: []condition{quadratic(routine.VecE), quadratic(routine.Tau)}}.rules,
		routine.Sytd2: standard,
		routine.Sytrd: standard,
		routine.Sterf: standard,
		routine.Steqr: tridiagonalVectors,
		routine.Stedc: tridiagonalVectors,
		routine.Stebz: solverChecks{sizes: []condition{emptyInterval, badEigenIndices}}.rules,
		routine.Stein: solverChecks{special: []condition{quadratic(routine.VecE)}}.rules,
	}
}

// tridiagonalVectors checks a routine that multiplies C by the eigenvectors of a tridiagonal matrix.
var tridiagonalVectors = solverChecks{freeLD: true, sizes: []condition{ldWhenVectors(routine.LDC)},
	special: []condition{wantedVectors(matC)}}.rules
