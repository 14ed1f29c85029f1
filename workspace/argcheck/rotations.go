package argcheck

import "roclua/hip/routine"

// Level 1: vectors that are written, and plane rotations. None needs memory, and no increment is illegal.
func rotations() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Axpy:     scaledAddition,
		routine.AxpyEx:   scaledAdditionEx,
		routine.Copy:     twoVectors,
		routine.Swap:     twoVectors,
		routine.Scal:     scaling,
		routine.RealScal: scaling,
		routine.ScalEx:   scalingEx,
		routine.Rot:      rotation,
		routine.RealRot:  rotation,
		routine.RotEx:    rotationEx,
		routine.Rotm:     modifiedRotation,
		routine.Rotg:     generation,
		routine.Rotmg:    generation,
	}
}

var (
	noVectors = quickReturn(none(n), none(batchCount))
	nullX     = null(vecX)
	nullY     = null(vecY)
)

// alphaOne holds for a host alpha that changes nothing.
var alphaOne = scalarIs(alpha, 1)

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

func rotation(operands) []rule {
	return []rule{noWorkspace, noVectors, pointers(nullX, nullY, null(routine.Cosine), null(routine.Sine))}
}

// The library looks at the form of the rotation in host memory before it checks the vectors. This model does not know
// host memory and takes every form for one that changes the vectors.
func modifiedRotation(o operands) []rule {
	list := []rule{noWorkspace, noVectors, pointers(null(routine.RotationParam)), pointers(nullX, nullY)}
	if o.r.Variant != routine.Plain {
		list = append(list, notImplemented(noHostRotation).only(executedHost))
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

var (
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
