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
			ID: Axpy, Name: "axpy", types: fp16 + sdcz, wide: true, About: "y = alpha x + y",
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
	f.wide, f.Buffers = true, partialSums
	f.params = []part{dim(N, "elements of x"), vector(X, n, In, "the vector"), batchCount(),
		result("result", "results", OfReal, about)}
	return f
}

// dotOf completes a dot product.
func dotOf(f *Family) *Family {
	f.wide, f.Buffers = true, partialSums
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
	f.wide, f.strides = true, underscore
	f.params = []part{dim(N, "elements of x"), scalar(Alpha, alpha, "factor of x"), vector(X, n, InOut, "the vector"),
		batchCount()}
	return f
}
