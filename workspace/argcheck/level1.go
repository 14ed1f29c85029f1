package argcheck

import "roclua/hip/routine"

// Level 1: vectors. Only reductions need memory. A query of a reduction only checks whether there is something to
// reduce. An executed one checks the pointer to its result first; a reduction without elements is zero.
func level1() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Asum:     reduction,
		routine.Nrm2:     reduction,
		routine.Iamax:    reduction,
		routine.Iamin:    reduction,
		routine.Dot:      product,
		routine.Dotu:     product,
		routine.Dotc:     product,
		routine.Axpy:     scaledAddition,
		routine.Copy:     twoVectors,
		routine.Swap:     twoVectors,
		routine.Scal:     scaling,
		routine.RealScal: scaling,
	}
}

// A vector with a negative increment is empty.
func reduction(operands) []rule {
	empty := []condition{none(n), none(incX), none(batchCount)}
	return []rule{
		unchanged(empty...),
		queryReturns,
		pointers(null(result)),
		quickReturn(empty...).with(ZeroResult),
		pointers(null(vecX)),
	}
}

// Any increment is legal, including zero and negative ones; an empty batch needs no results.
func product(operands) []rule {
	empty := []condition{none(n), none(batchCount)}
	return []rule{
		unchanged(empty...),
		queryReturns,
		pointers(null(result).unless(none(batchCount))),
		quickReturn(empty...).with(ZeroResult),
		pointers(null(vecX), null(vecY)),
	}
}

var (
	noVectors = quickReturn(none(n), none(batchCount))
	nullX     = null(vecX)
	nullY     = null(vecY)
)

func twoVectors(operands) []rule {
	return []rule{noWorkspace, noVectors, pointers(nullX, nullY)}
}

// In device pointer mode the vectors are not checked.
func scaledAddition(operands) []rule {
	return append([]rule{noWorkspace, noVectors}, addition()...)
}

func addition() []rule {
	return []rule{
		pointers(null(alpha)),
		quickReturn(alphaZero).only(hostPointers),
		pointers(nullX, nullY).only(hostPointers),
	}
}

// A vector with a negative increment is empty.
func scaling(operands) []rule {
	return []rule{
		noWorkspace,
		quickReturn(none(n), none(incX), none(batchCount)),
		pointers(nullX, null(alpha)),
		quickReturn(alphaOne).only(hostPointers),
	}
}

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

// Plane rotations. None needs memory, and no increment is illegal.
func rotations() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Rot:     rotation,
		routine.RealRot: rotation,
		routine.Rotm:    modifiedRotation,
		routine.Rotg:    generation,
		routine.Rotmg:   generation,
		routine.Lasr:    standard,
	}
}

func rotation(operands) []rule {
	return []rule{noWorkspace, noVectors, pointers(nullX, nullY, null(routine.Cosine), null(routine.Sine))}
}

// The library looks at the form of the rotation in host memory before it checks the vectors. This model does not know
// host memory and takes every form for one that changes the vectors.
func modifiedRotation(o operands) []rule {
	list := []rule{noWorkspace, noVectors, pointers(null(routine.RotationParam)), pointers(nullX, nullY)}
	if o.r.Variant != routine.Plain {
		list = append(list, numbersChecked, notImplemented(noHostRotation).only(executedHost))
	}
	return list
}

// noHostRotation holds for the batches that the library rotates only by numbers in device memory.
var noHostRotation = condition{
	test:    always,
	message: func(a *routine.Args) string { return a.Routine.CName() + " is implemented in device pointer mode only" },
}

// generation makes a rotation: every array is needed.
func generation(o operands) []rule {
	var missing []condition
	for i := range o.r.Params {
		if p := &o.r.Params[i]; p.Kind.IsPointer() {
			missing = append(missing, null(p.Slot))
		}
	}
	return []rule{noWorkspace, quickReturn(none(batchCount)), pointers(missing...)}
}
