package routine

// Level 1: vectors that are written, and plane rotations.
const (
	Axpy FamilyID = endOfLevel1Ex + iota
	Copy
	Scal
	RealScal
	Swap
	Rot
	RealRot
	Rotg
	Rotm
	Rotmg
	AxpyEx
	ScalEx
	RotEx

	endOfRotations
)

func rotations() []*Family {
	return []*Family{
		{
			ID: Axpy, Name: "axpy", Level: 1, types: half + sdcz, wide: true,
			About: "y = alpha x + y",
			params: []part{sizeOfVectors, scalar(Alpha, OfType, "factor of x"),
				vector(X, n, In, "the vector that is added"), vector(Y, n, InOut, "the result"), batchCount()},
		},
		{
			ID: Copy, Name: "copy", Level: 1, types: sdcz, wide: true,
			About:  "y = x",
			params: []part{sizeOfVectors, vector(X, n, In, "the source"), vector(Y, n, Out, "the copy"), batchCount()},
		},
		scal(&Family{ID: Scal, Name: "scal", types: sdcz, About: "x = alpha x"}, OfType),
		scal(&Family{ID: RealScal, Name: "rscal", types: cz, About: "x = alpha x, alpha real and x complex",
			names: map[Type]string{TypeC: "csscal", TypeZ: "zdscal"}}, OfReal),
		{
			ID: Swap, Name: "swap", Level: 1, types: sdcz, wide: true,
			About:  "exchanges x and y",
			params: []part{sizeOfVectors, rotatedX, rotatedY, batchCount()},
		},
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
			ID: AxpyEx, Name: "axpy_ex", Level: 1, types: mixed, wide: true,
			About: "y = alpha x + y, each of any type",
			params: []part{sizeOfVectors, scalarOfType(AlphaType, scalar(Alpha, OfType, "factor of x")),
				typedAs(XType, AlphaType, vector(X, n, In, "the vector that is added")),
				typedAs(YType, AlphaType, vector(Y, n, InOut, "the result")), batchCount(),
				following(AlphaType, executionType())},
		},
		{
			ID: ScalEx, Name: "scal_ex", Level: 1, types: mixed, wide: true,
			About: "x = alpha x, each of any type",
			params: []part{dim(N, "elements of x"), scalarOfType(AlphaType, scalar(Alpha, OfType, "factor of x")),
				typedAs(XType, AlphaType, vector(X, n, InOut, "the vector")), batchCount(),
				following(AlphaType, executionType())},
		},
		{
			ID: RotEx, Name: "rot_ex", Level: 1, types: mixed, wide: true, strides: underscore,
			About: "applies a plane rotation to x and y, each of any type",
			params: []part{sizeOfVectors, typed(XType, rotatedX), typedAs(YType, XType, rotatedY),
				ofArgument(RotationType, scalar(Cosine, OfType, "cosine")),
				ofArgument(RotationType, scalar(Sine, OfType, "sine")),
				following(XType, value(RotationType, Datatype, "datatype of c and s")), batchCount(),
				following(XType, executionType())},
		},
	}
}

var (
	sizeOfVectors = dim(N, "elements of x and y")
	rotatedX      = vector(X, n, InOut, "first vector")
	rotatedY      = vector(Y, n, InOut, "second vector")
)

// scal completes a scaling of a vector.
func scal(f *Family, alpha Element) *Family {
	f.Level, f.wide, f.strides = 1, true, underscore
	f.params = []part{dim(N, "elements of x"), scalar(Alpha, alpha, "factor of x"), vector(X, n, InOut, "the vector"),
		batchCount()}
	return f
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

// scalarOfType declares a scalar and the argument that gives its datatype.
func scalarOfType(s Slot, p part) part {
	return func(f *Family, v Variant) []Param {
		list := ofArgument(s, p)(f, v)
		return append(list, Param{Name: list[0].Name + "_type", Slot: s, Kind: Datatype,
			About: "datatype of " + list[0].Name})
	}
}
