package sizing

import (
	"roclua/hip/routine"
)

var level1ExRules = map[routine.FamilyID]rule{
	routine.DotEx:  reductionEx,
	routine.DotcEx: reductionEx,
	routine.Nrm2Ex: reductionEx,
}

// reductionEx is dot_ex, dotc_ex and nrm2_ex: a partial sum for every 512 elements and the result, in the execution
// type (rocblas_reduction.hpp). The types of the vectors do not matter.
func reductionEx(_ *Target, a *routine.Args) (d Demand) {
	switch execution := a.Int(routine.ExecutionType); execution {
	case routine.DatatypeF16, routine.DatatypeBF16, routine.DatatypeF32, routine.DatatypeF64, routine.DatatypeF32C,
		routine.DatatypeF64C:
		element, _ := routine.SizeofDatatype(execution)
		d.partialSums(a, element, 512)
	}
	return d
}
