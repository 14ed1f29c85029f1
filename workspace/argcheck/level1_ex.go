package argcheck

import "roclua/hip/routine"

// Level 1 with mixed datatypes. Reductions check the combination of datatypes after they allocated memory, the others
// before they check the vectors and, except rot_ex, before they look at the value of alpha.
func level1Ex() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.DotEx:  productEx,
		routine.DotcEx: productEx,
		routine.Nrm2Ex: normEx,
		routine.AxpyEx: scaledAdditionEx,
		routine.ScalEx: scalingEx,
		routine.RotEx:  rotationEx,
	}
}

func productEx(o operands) []rule {
	return append(product(o), allocated, notImplemented(productTypes.missing()))
}

func normEx(o operands) []rule {
	return append(reduction(o), allocated, notImplemented(normTypes.missing()))
}

// The _ex forms check the combination of datatypes before the vectors and, except rot_ex, before the value of alpha.
func scaledAdditionEx(operands) []rule {
	return append([]rule{noWorkspace, noVectors, pointers(null(alpha)), notImplemented(additionTypes.missing())},
		addition()...)
}

func scalingEx(operands) []rule {
	return []rule{
		noWorkspace,
		quickReturn(none(n), none(incX), none(batchCount)),
		notImplemented(scalingTypes.missing()),
		pointers(null(alpha)),
		quickReturn(alphaOne).only(hostPointers),
		pointers(nullX),
	}
}

func rotationEx(o operands) []rule {
	return append(rotation(o), notImplemented(rotationTypes.missing()))
}

// The combinations of datatypes that have kernels, in the order of the arguments.
var (
	productTypes = types{
		slots: []routine.Slot{routine.XType, routine.YType, routine.ResultType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f16, f16}, {f16, f16, f16, f32}, {bf16, bf16, bf16, f32}, {f32, f32, f32, f32},
			{f32, f32, f64, f64}, {f64, f64, f64, f64}, {f32c, f32c, f32c, f32c}, {f64c, f64c, f64c, f64c},
		},
	}
	normTypes = types{
		slots: []routine.Slot{routine.XType, routine.ResultType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f32}, {bf16, bf16, f32}, {f32, f32, f32}, {f64, f64, f64}, {f32c, f32, f32}, {f64c, f64, f64},
		},
	}
	additionTypes = types{
		slots: []routine.Slot{routine.AlphaType, routine.XType, routine.YType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f16, f16}, {f16, f16, f16, f32}, {f32, f16, f16, f32}, {bf16, bf16, bf16, f32},
			{f32, bf16, bf16, f32}, {f32, f32, f32, f32}, {f64, f64, f64, f64}, {f32c, f32c, f32c, f32c},
			{f64c, f64c, f64c, f64c},
		},
	}
	scalingTypes = types{
		slots: []routine.Slot{routine.AlphaType, routine.XType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f16}, {f16, f16, f32}, {f32, f16, f32}, {bf16, bf16, f32}, {f32, bf16, f32}, {f32, f32, f32},
			{f64, f64, f64}, {f32c, f32c, f32c}, {f64c, f64c, f64c}, {f32, f32c, f32c}, {f64, f64c, f64c},
		},
	}
	rotationTypes = types{
		slots: []routine.Slot{routine.XType, routine.YType, routine.RotationType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f16, f32}, {bf16, bf16, bf16, f32}, {f32, f32, f32, f32}, {f64, f64, f64, f64},
			{f32c, f32c, f32c, f32c}, {f32c, f32c, f32, f32c}, {f64c, f64c, f64c, f64c}, {f64c, f64c, f64, f64c},
		},
	}
)
