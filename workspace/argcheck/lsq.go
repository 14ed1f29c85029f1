package argcheck

import "roclua/hip/routine"

func lsq() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Gels: func(o operands) []rule {
			return solverChecks{enums: []condition{o.badRealOperation()},
				dims: []routine.Slot{m, n, nrhs, batchCount}}.rules(o)
		},
	}
}
