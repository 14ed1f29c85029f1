package routine

// Plane rotations.
func rotationsFamilies() []*Family {
	return []*Family{
		rotate(&Family{ID: Rot, Name: "rot", About: "applies a plane rotation to x and y"}, OfType),
		rotate(&Family{ID: RealRot, Name: "rrot", types: cz, About: "applies a real plane rotation to complex x and y",
			names: map[Type]string{TypeC: "csrot", TypeZ: "zdrot"}}, OfReal),
		{
			ID: Rotg, Name: "rotg", wide: true, strides: lowerCase,
			About:  "makes the plane rotation that turns (a, b) into (r, 0)",
			arrays: map[Slot]string{A: "a", B: "b", C: "c", D: "s"},
			params: []part{contiguous(A, OfType, length1, InOut, "first element; r"+inDeviceMode),
				contiguous(B, OfType, length1, InOut, "second element; how to reconstruct the rotation"),
				contiguous(C, OfReal, length1, Out, "cosine of the rotation"),
				contiguous(D, OfType, length1, Out, "sine of the rotation"), batchCount()},
		},
		{
			ID: Rotm, Name: "rotm", types: sd, wide: true, strides: underscore,
			About: "applies a modified plane rotation to x and y",
			params: []part{sizeOfVectors, changedX, changedY,
				contiguous(RotationParam, OfType, rotationElements, In, modifiedRotation+inDeviceMode), batchCount()},
		},
		{
			ID: Rotmg, Name: "rotmg", types: sd, wide: true, strides: underscore,
			About:  "makes the modified plane rotation for the rotm of two elements",
			arrays: map[Slot]string{A: "d1", B: "d2", X: "x1", Y: "y1"},
			params: []part{contiguous(A, OfType, length1, InOut, "scale of the first element"+inDeviceMode),
				contiguous(B, OfType, length1, InOut, "scale of the second element"),
				contiguous(X, OfType, length1, InOut, "first element"), contiguous(Y, OfType, length1, In,
					"second element"),
				contiguous(RotationParam, OfType, rotationElements, Out, modifiedRotation), batchCount()},
		},
		{
			ID: Lasr, Name: "lasr", Library: RocSOLVER, Level: SolverLevel, forms: plainOnly,
			idle:  []Extent{lessBySide},
			About: "applies plane rotations to A from one side",
			params: []part{side("side of the product on which the rotations are"),
				byValue(PivotMode, RotationPivot, "planes of the rotations"), direct(), rowsAndColumns("A"),
				contiguous(VecC, OfReal, lessBySide, In, "cosines"),
				contiguous(VecS, OfReal, lessBySide, In, "sines"), matrix(A, Dense, m, n, InOut, "the matrix")},
		},
	}
}

var (
	rotationElements = Extent{"5", func(*Args) int64 { return 5 }}
	lessBySide       = Extent{"side is left ? m-1 : n-1", func(a *Args) int64 { return orderBySide.Of(a) - 1 }}
)

const (
	modifiedRotation = "the form of the rotation and its four elements"

	// inDeviceMode is said of numbers that the library expects in host memory in host pointer mode, where a script has
	// no addresses.
	inDeviceMode = " (use device pointer mode: in host pointer mode the library takes an address of host memory)"
)

// rotate completes the application of a plane rotation, whose sine has the given type.
func rotate(f *Family, sine Element) *Family {
	f.wide, f.strides = true, underscore
	f.params = []part{sizeOfVectors, changedX, changedY, scalar(Cosine, OfReal, "cosine"), scalar(Sine, sine, "sine"),
		batchCount()}
	return f
}
