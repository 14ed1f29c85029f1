package argcheck

import "roclua/hip/routine"

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
