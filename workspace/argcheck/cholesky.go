package argcheck

import "roclua/hip/routine"

func cholesky() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Potrf: solverChecks{enums: uplo, dims: square, null: []condition{quadratic(matA), nullInfo}}.rules,
		routine.Potf2: solverChecks{enums: uplo, dims: square}.rules,
		routine.Potrs: solverChecks{enums: uplo, dims: system, null: []condition{quadratic(matA), nullB}}.rules,
		routine.Posv: solverChecks{enums: uplo, dims: system,
			null: []condition{quadratic(matA), nullB, nullInfo}}.rules,
		routine.Potri: solverChecks{enums: uplo, dims: square}.rules,
	}
}
