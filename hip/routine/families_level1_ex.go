package routine

// Level 1 for mixed datatypes: arguments of each call give the datatypes of its arrays. These routines have one name
// for all types and take void pointers.
func level1ExFamilies() []*Family {
	return []*Family{
		dotEx(&Family{ID: DotEx, Name: "dot_ex", About: "dot product of x and y, each of any type"}),
		dotEx(&Family{ID: DotcEx, Name: "dotc_ex", Conjugated: true,
			About: "dot product of conjugated x and y, each of any type"}),
		{
			ID: Nrm2Ex, Name: "nrm2_ex", Level: 1, types: mixed, wide: true, strides: underscore,
			About:   "Euclidean norm of x of any type",
			Buffers: partialSums,
			params: []part{dim(N, "elements of x"), typed(XType, vector(X, n, In, "the vector")), batchCount(),
				resultOfType("results", "the norm"), followingReal(XType, resultType()),
				followingReal(XType, executionType())},
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

func dotEx(f *Family) *Family {
	f.Level, f.types, f.wide, f.strides, f.Buffers = 1, mixed, true, underscore, partialSums
	f.params = []part{dim(N, "elements of x and y"), typed(XType, vector(X, n, In, "first vector")),
		typedAs(YType, XType, vector(Y, n, In, "second vector")), batchCount(), resultOfType("result", "the product"),
		following(XType, resultType()), following(XType, executionType())}
	return f
}

func resultOfType(name, about string) part {
	return ofArgument(ResultType, result(name, name, OfArgument, about))
}

// resultType declares the datatype of a result, which the headers call result_type whatever the result is called.
func resultType() part { return value(ResultType, Datatype, "datatype of the result") }

func executionType() part { return value(ExecutionType, Datatype, "datatype that is computed in") }

// scalarOfType declares a scalar and the argument that gives its datatype.
func scalarOfType(s Slot, p part) part {
	return func(f *Family, v Variant) []Param {
		list := ofArgument(s, p)(f, v)
		return append(list, Param{Name: list[0].Name + "_type", Slot: s, Kind: Datatype,
			About: "datatype of " + list[0].Name})
	}
}
