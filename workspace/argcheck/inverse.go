package argcheck

import "roclua/hip/routine"

// Inverses of triangular matrices, and the product of a triangular matrix and its transpose.
func inverse() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.SolverTrtri: standard,
		routine.Lauum:       standard,
	}
}
