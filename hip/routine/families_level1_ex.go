package routine

// Level 1 for mixed datatypes: arguments of each call give the datatypes of its arrays. These routines have one name
// for all types and take void pointers.
func level1ExFamilies() []*Family {
	return []*Family{
		dotEx(&Family{ID: DotEx, Name: "dot_ex", About: "dot product of x and y, each of any type"}),
		dotEx(&Family{ID: DotcEx, Name: "dotc_ex", Conjugated: true,
			About: "dot product of conjugated x and y, each of any type"}),
		{
			ID: Nrm2Ex, Name: "nrm2_ex", types: mixedTypes, wide: true, strides: underscore, Buffers: partialSums,
			About: "Euclidean norm of x of any type",
			params: []part{dim(N, "elements of x"), typed(XType, vector(X, n, In, "the vector")), batchCount(),
				resultOfType("results", "the norm"), followingReal(XType, resultType),
				followingReal(XType, executionType)},
		},
		{
			ID: AxpyEx, Name: "axpy_ex", types: mixedTypes, wide: true,
			About: "y = alpha x + y, each of any type",
			params: []part{sizeOfVectors, scalarOfType(AlphaType, scalar(Alpha, OfType, "factor of x")),
				typedAs(XType, AlphaType, vector(X, n, In, "the vector that is added")),
				typedAs(YType, AlphaType, vector(Y, n, InOut, "the result")), batchCount(),
				following(AlphaType, executionType)},
		},
		{
			ID: ScalEx, Name: "scal_ex", types: mixedTypes, wide: true,
			About: "x = alpha x, each of any type",
			params: []part{dim(N, "elements of x"), scalarOfType(AlphaType, scalar(Alpha, OfType, "factor of x")),
				typedAs(XType, AlphaType, vector(X, n, InOut, "the vector")), batchCount(),
				following(AlphaType, executionType)},
		},
		{
			ID: RotEx, Name: "rot_ex", types: mixedTypes, wide: true, strides: underscore,
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
