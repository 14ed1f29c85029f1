package argcheck

import "roclua/hip/routine"

// Inverses of triangular matrices, and the products of which inverses of positive definite ones consist.
func inverse() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.SolverTrtri: solverChecks{enums: []condition{badUplo, badDiag}, dims: square}.rules,
		routine.Lauum:       solverChecks{enums: uplo, dims: []routine.Slot{n}}.rules,
	}
}
