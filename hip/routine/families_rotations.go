package routine

// Plane rotations.
func rotationsFamilies() []*Family {
	return []*Family{
		rot(&Family{ID: Rot, Name: "rot", types: sdcz, About: "applies a plane rotation to x and y"}, OfType),
		rot(&Family{ID: RealRot, Name: "rrot", types: cz, About: "applies a real plane rotation to complex x and y",
			names: map[Type]string{TypeC: "csrot", TypeZ: "zdrot"}}, OfReal),
		{
			ID: Rotg, Name: "rotg", Level: 1, types: sdcz, wide: true, strides: lower,
			About:  "makes the plane rotation that turns (a, b) into (r, 0)",
			arrays: map[Slot]string{A: "a", B: "b", C: "c", D: "s"},
			params: []part{contiguous(A, OfType, one, InOut, "first element; r"+inDeviceMode),
				contiguous(B, OfType, one, InOut, "second element; how to reconstruct the rotation"),
				contiguous(C, OfReal, one, Out, "cosine of the rotation"),
				contiguous(D, OfType, one, Out, "sine of the rotation"), batchCount()},
		},
		{
			ID: Rotm, Name: "rotm", Level: 1, types: sd, wide: true, strides: underscore,
			About:  "applies a modified plane rotation to x and y",
			params: []part{sizeOfVectors, rotatedX, rotatedY, rotationParam(In), batchCount()},
		},
		{
			ID: Rotmg, Name: "rotmg", Level: 1, types: sd, wide: true, strides: underscore,
			About:  "makes the modified plane rotation for the rotm of two elements",
			arrays: map[Slot]string{A: "d1", B: "d2", X: "x1", Y: "y1"},
			params: []part{contiguous(A, OfType, one, InOut, "scale of the first element"+inDeviceMode),
				contiguous(B, OfType, one, InOut, "scale of the second element"),
				element(X, InOut, "first element"), element(Y, In, "second element"), rotationParam(Out), batchCount()},
		},
		{
			ID: Lasr, Name: "lasr", Library: RocSOLVER, Level: SolverLevel, types: sdcz, forms: plainOnly,
			idle:  []Extent{lessRotations},
			About: "applies plane rotations to A from one side",
			params: []part{side("side of the product on which the rotations are"),
				value(PivotMode, RotationPivot, "planes of the rotations"), direct(), dim(M, "rows of A"),
				dim(N, "columns of A"), contiguous(VecC, OfReal, lessRotations, In, "cosines"),
				contiguous(VecS, OfReal, lessRotations, In, "sines"), matrix(A, Dense, m, n, InOut, "the matrix")},
		},
	}
}

// rot completes the application of a plane rotation, whose sine has the given type.
func rot(f *Family, sine Element) *Family {
	f.Level, f.wide, f.strides = 1, true, underscore
	f.params = []part{sizeOfVectors, rotatedX, rotatedY, scalar(Cosine, OfReal, "cosine"), scalar(Sine, sine, "sine"),
		batchCount()}
	return f
}

// element declares an array of one element in the slot of a vector, which has a stride but no increment.
func element(s Slot, access Access, about string) part {
	return contiguous(s, OfType, one, access, about)
}

// inDeviceMode follows what is said about numbers that the library expects in host memory in host pointer mode, where a
// script has no addresses.
const inDeviceMode = " (use device pointer mode: in host pointer mode the library takes an address of host memory)"

// rotationParam declares the five numbers of a modified rotation.
func rotationParam(access Access) part {
	five := Extent{"5", func(*Args) int64 { return 5 }}
	about := "the form of the rotation and its four elements"
	if access == In {
		about += inDeviceMode
	}
	return contiguous(RotationParam, OfType, five, access, about)
}

var lessRotations = Extent{"side is left ? m-1 : n-1", func(a *Args) int64 { return orderOfQ(a) - 1 }}
