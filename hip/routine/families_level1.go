package routine

import "roclua/hip/routine/buffer"

// Level 1: vectors.
func level1Families() []*Family {
	return []*Family{
		vectorNorm(&Family{ID: Asum, Name: "asum", About: "sum of the absolute values of x (|re| + |im|)",
			names: map[Type]string{TypeC: "scasum", TypeZ: "dzasum"}}, "the sum"),
		vectorNorm(&Family{ID: Nrm2, Name: "nrm2", About: "Euclidean norm of x",
			names: map[Type]string{TypeC: "scnrm2", TypeZ: "dznrm2"}}, "the norm"),
		dotOf(&Family{ID: Dot, Name: "dot", types: sd + fp16 + bf16, About: "dot product of x and y"}),
		dotOf(&Family{ID: Dotu, Name: "dotu", types: cz, About: "dot product of x and y, unconjugated"}),
		dotOf(&Family{ID: Dotc, Name: "dotc", types: cz, About: "dot product of conjugated x and y", Conjugated: true}),
		extremum("amax", &Family{ID: Iamax, Name: "iamax",
			About: "1-based place of the first element of largest |re| + |im|"}),
		extremum("amin", &Family{ID: Iamin, Name: "iamin",
			About: "1-based place of the first element of smallest |re| + |im|"}),
		{
			ID: Axpy, Name: "axpy", operations: perElement(2), types: fp16 + sdcz, wide: true, About: "y = alpha x + y",
			params: []part{sizeOfVectors, scalar(Alpha, OfType, "factor of x"),
				vector(X, n, In, "the vector that is added"), vector(Y, n, InOut, "the result"), batchCount()},
		},
		{
			ID: Copy, Name: "copy", wide: true, About: "y = x",
			params: []part{sizeOfVectors, vector(X, n, In, "the source"), vector(Y, n, Out, "the copy"), batchCount()},
		},
		scaling(&Family{ID: Scal, Name: "scal", About: "x = alpha x"}, OfType),
		scaling(&Family{ID: RealScal, Name: "rscal", types: cz, About: "x = alpha x, alpha real and x complex",
			names: map[Type]string{TypeC: "csscal", TypeZ: "zdscal"}}, OfReal),
		{
			ID: Swap, Name: "swap", wide: true, About: "exchanges x and y",
			params: []part{sizeOfVectors, changedX, changedY, batchCount()},
		},
	}
}

var (
	partialSums = []buffer.ID{buffer.PartialSums}

	sizeOfVectors = dim(N, "elements of x and y")
	changedX      = vector(X, n, InOut, "first vector")
	changedY      = vector(Y, n, InOut, "second vector")
)

// vectorNorm completes a norm of a vector.
func vectorNorm(f *Family, about string) *Family {
	f.wide, f.Buffers, f.operations = true, partialSums, perElement(2)
	f.params = []part{dim(N, "elements of x"), vector(X, n, In, "the vector"), batchCount(),
		result("result", "results", OfReal, about)}
	return f
}

// dotOf completes a dot product.
func dotOf(f *Family) *Family {
	f.wide, f.Buffers, f.operations = true, partialSums, perElement(2)
	f.params = []part{sizeOfVectors, vector(X, n, In, "first vector"), vector(Y, n, In, "second vector"), batchCount(),
		result("result", "result", OfType, "the product")}
	return f
}

// extremum completes a search for an element: isamax, idamax, ...
func extremum(suffix string, f *Family) *Family {
	f.wide, f.names, f.Buffers = true, map[Type]string{}, []buffer.ID{buffer.Extrema}
	for _, t := range sdcz {
		f.names[Type(t)] = "i" + string(t) + suffix
	}
	f.params = []part{dim(N, "elements of x"), vector(X, n, In, "the vector"), batchCount(),
		result("result", "result", OfInt, "the place; 0 for an empty vector")}
	return f
}

// scaling completes a scaling of a vector.
func scaling(f *Family, alpha Element) *Family {
	f.wide, f.strides, f.operations = true, underscore, perElement(1)
	f.params = []part{dim(N, "elements of x"), scalar(Alpha, alpha, "factor of x"), vector(X, n, InOut, "the vector"),
		batchCount()}
	return f
}

// Level 1 for mixed datatypes: arguments of each call give the datatypes of its arrays. These routines have one name
// for all types and take void pointers.
func level1ExFamilies() []*Family {
	return []*Family{
		dotEx(&Family{ID: DotEx, Name: "dot_ex", About: "dot product of x and y, each of any type"}),
		dotEx(&Family{ID: DotcEx, Name: "dotc_ex", Conjugated: true,
			About: "dot product of conjugated x and y, each of any type"}),
		{
			ID: Nrm2Ex, Name: "nrm2_ex", operations: perElement(2),
			types: mixedTypes, wide: true, strides: underscore, Buffers: partialSums,
			About: "Euclidean norm of x of any type",
			params: []part{dim(N, "elements of x"), typed(XType, vector(X, n, In, "the vector")), batchCount(),
				resultOfType("results", "the norm"), followingReal(XType, resultType),
				followingReal(XType, executionType)},
		},
		{
			ID: AxpyEx, Name: "axpy_ex", operations: perElement(2), types: mixedTypes, wide: true,
			About: "y = alpha x + y, each of any type",
			params: []part{sizeOfVectors, scalarOfType(AlphaType, scalar(Alpha, OfType, "factor of x")),
				typedAs(XType, AlphaType, vector(X, n, In, "the vector that is added")),
				typedAs(YType, AlphaType, vector(Y, n, InOut, "the result")), batchCount(),
				following(AlphaType, executionType)},
		},
		{
			ID: ScalEx, Name: "scal_ex", operations: perElement(1), types: mixedTypes, wide: true,
			About: "x = alpha x, each of any type",
			params: []part{dim(N, "elements of x"), scalarOfType(AlphaType, scalar(Alpha, OfType, "factor of x")),
				typedAs(XType, AlphaType, vector(X, n, InOut, "the vector")), batchCount(),
				following(AlphaType, executionType)},
		},
		{
			ID: RotEx, Name: "rot_ex", operations: perElement(6), types: mixedTypes, wide: true, strides: underscore,
			About: "applies a plane rotation to x and y, each of any type",
			params: []part{sizeOfVectors, typed(XType, changedX), typedAs(YType, XType, changedY),
				ofArgument(RotationType, scalar(Cosine, OfType, "cosine")),
				ofArgument(RotationType, scalar(Sine, OfType, "sine")),
				following(XType, byValue(RotationType, Datatype, "datatype of c and s")), batchCount(),
				following(XType, executionType)},
		},
	}
}

var (
	// resultType is the datatype of a result. The headers call it result_type even when the result is called results.
	resultType    = byValue(ResultType, Datatype, "datatype of the result")
	executionType = byValue(ExecutionType, Datatype, "datatype that is computed in")
)

// dotEx completes a dot product of mixed datatypes.
func dotEx(f *Family) *Family {
	f.types, f.wide, f.strides, f.Buffers = mixedTypes, true, underscore, partialSums
	f.operations = perElement(2)
	f.params = []part{sizeOfVectors, typed(XType, vector(X, n, In, "first vector")),
		typedAs(YType, XType, vector(Y, n, In, "second vector")), batchCount(), resultOfType("result", "the product"),
		following(XType, resultType), following(XType, executionType)}
	return f
}

// resultOfType declares a result with the datatype result_type.
func resultOfType(name, about string) part {
	return ofArgument(ResultType, result(name, name, OfArgument, about))
}

// scalarOfType declares a scalar and the argument that gives its datatype.
func scalarOfType(s Slot, p part) part {
	return func(f *Family, v Variant) []Param {
		list := ofArgument(s, p)(f, v)
		return append(list, Param{Name: list[0].Name + "_type", Slot: s, Kind: Datatype,
			About: "datatype of " + list[0].Name})
	}
}

// Plane rotations.
func rotationsFamilies() []*Family {
	return []*Family{
		rotate(&Family{ID: Rot, Name: "rot", About: "applies a plane rotation to x and y"}, OfType),
		rotate(&Family{ID: RealRot, Name: "rrot", types: cz, About: "applies a real plane rotation to complex x and y",
			names: map[Type]string{TypeC: "csrot", TypeZ: "zdrot"}}, OfReal),
		{
			ID: Rotg, Name: "rotg", HostNumbers: true, wide: true, strides: lowerCase,
			About:  "makes the plane rotation that turns (a, b) into (r, 0)",
			arrays: map[Slot]string{A: "a", B: "b", C: "c", D: "s"},
			params: []part{contiguous(A, OfType, length1, InOut, "first element; r"+inDeviceMode),
				contiguous(B, OfType, length1, InOut, "second element; how to reconstruct the rotation"),
				contiguous(C, OfReal, length1, Out, "cosine of the rotation"),
				contiguous(D, OfType, length1, Out, "sine of the rotation"), batchCount()},
		},
		{
			ID: Rotm, Name: "rotm", HostNumbers: true, types: sd, wide: true, strides: underscore,
			About: "applies a modified plane rotation to x and y",
			params: []part{sizeOfVectors, changedX, changedY,
				contiguous(RotationParam, OfType, rotationElements, In, modifiedRotation+inDeviceMode), batchCount()},
		},
		{
			ID: Rotmg, Name: "rotmg", HostNumbers: true, types: sd, wide: true, strides: underscore,
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
	f.wide, f.strides, f.operations = true, underscore, perElement(6)
	f.params = []part{sizeOfVectors, changedX, changedY, scalar(Cosine, OfReal, "cosine"), scalar(Sine, sine, "sine"),
		batchCount()}
	return f
}
