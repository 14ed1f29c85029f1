package routine

import "roclua/hip/routine/buffer"

// Level 1: vectors.
func level1Families() []*Family {
	return []*Family{
		{
			ID: Asum, Name: "asum", Level: 1, types: sdcz, wide: true,
			About:   "sum of the absolute values of x (|re| + |im|)",
			Buffers: partialSums,
			names:   map[Type]string{TypeC: "scasum", TypeZ: "dzasum"},
			params: []part{dim(N, "elements of x"), vector(X, n, In, "the vector"), batchCount(),
				result("result", "results", OfReal, "the sum")},
		},
		{
			ID: Nrm2, Name: "nrm2", Level: 1, types: sdcz, wide: true,
			About:   "Euclidean norm of x",
			Buffers: partialSums,
			names:   map[Type]string{TypeC: "scnrm2", TypeZ: "dznrm2"},
			params: []part{dim(N, "elements of x"), vector(X, n, In, "the vector"), batchCount(),
				result("result", "results", OfReal, "the norm")},
		},
		dot(&Family{ID: Dot, Name: "dot", types: sd + half + bf, About: "dot product of x and y"}),
		dot(&Family{ID: Dotu, Name: "dotu", types: cz, About: "dot product of x and y, unconjugated"}),
		dot(&Family{ID: Dotc, Name: "dotc", types: cz, About: "dot product of conjugated x and y", Conjugated: true}),
		extremum("amax", &Family{ID: Iamax, Name: "iamax",
			About: "1-based place of the first element of largest |re| + |im|"}),
		extremum("amin", &Family{ID: Iamin, Name: "iamin",
			About: "1-based place of the first element of smallest |re| + |im|"}),
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
	}
}

var partialSums = []buffer.ID{buffer.PartialSums}

func dot(f *Family) *Family {
	f.Level, f.wide, f.Buffers = 1, true, partialSums
	f.params = []part{dim(N, "elements of x and y"), vector(X, n, In, "first vector"),
		vector(Y, n, In, "second vector"),
		batchCount(), result("result", "result", OfType, "the product")}
	return f
}

// extremum completes a search for an element: isamax, idamax, ...
func extremum(suffix string, f *Family) *Family {
	f.Level, f.wide, f.types, f.names = 1, true, sdcz, map[Type]string{}
	f.Buffers = []buffer.ID{buffer.Extrema}
	for _, t := range sdcz {
		f.names[Type(t)] = "i" + string(t) + suffix
	}
	f.params = []part{dim(N, "elements of x"), vector(X, n, In, "the vector"), batchCount(),
		result("result", "result", OfInt, "the place; 0 for an empty vector")}
	return f
}

var sizeOfVectors = dim(N, "elements of x and y")

var rotatedX = vector(X, n, InOut, "first vector")

var rotatedY = vector(Y, n, InOut, "second vector")

// scal completes a scaling of a vector.
func scal(f *Family, alpha Element) *Family {
	f.Level, f.wide, f.strides = 1, true, underscore
	f.params = []part{dim(N, "elements of x"), scalar(Alpha, alpha, "factor of x"), vector(X, n, InOut, "the vector"),
		batchCount()}
	return f
}
