package argcheck

import "roclua/hip/routine"

// Bidiagonal and tridiagonal forms, symmetric indefinite factorizations, inverses and least squares.
func tridiagonal() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Labrd: solverChecks{dims: plainRectangle,
			sizes: []condition{negative(k), exceeds(k, m), exceeds(k, n)}}.rules,
		routine.Gebd2: solverChecks{dims: rectangle}.rules,
		routine.Gebrd: solverChecks{dims: rectangle}.rules,
		routine.Latrd: solverChecks{enums: uplo, dims: []routine.Slot{n},
			sizes: []condition{negative(k), exceeds(k, n)},
			needed: map[routine.Slot]condition{routine.VecE: quadratic(routine.VecE),
				routine.Tau: quadratic(routine.Tau)}}.rules,
		routine.Sytd2: solverChecks{enums: uplo, dims: square}.rules,
		routine.Sytrd: solverChecks{enums: uplo, dims: square}.rules,
		routine.Sytf2: solverChecks{enums: uplo, dims: square}.rules,
		routine.Sytrf: solverChecks{enums: uplo, dims: square}.rules,
		routine.Lasyf: solverChecks{enums: uplo, dims: []routine.Slot{n},
			sizes: []condition{negative(routine.NB), exceeds(routine.NB, n)}}.rules,

		routine.Potf2:               solverChecks{enums: uplo, dims: square}.rules,
		routine.Potri:               solverChecks{enums: uplo, dims: square}.rules,
		routine.SolverTrtri:         solverChecks{enums: []condition{badUplo, badDiag}, dims: square}.rules,
		routine.Lauum:               solverChecks{enums: uplo, dims: []routine.Slot{n}}.rules,
		routine.Getf2Npvt:           solverChecks{dims: rectangle}.rules,
		routine.GetriNpvt:           solverChecks{dims: square}.rules,
		routine.GetriOutOfPlace:     solverChecks{dims: square}.rules,
		routine.GetriNpvtOutOfPlace: solverChecks{dims: square}.rules,
		routine.Gels: func(o operands) []rule {
			return solverChecks{enums: []condition{o.badRealOperation()},
				dims: []routine.Slot{m, n, nrhs, batchCount}}.rules(o)
		},
	}
}
