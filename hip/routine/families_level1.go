package routine

import "roclua/hip/routine/buffer"

// Level 1: reductions of vectors.
const (
	Asum FamilyID = iota
	Nrm2
	Dot
	Dotu
	Dotc
	Iamax
	Iamin

	endOfLevel1
)

var partialSums = []buffer.ID{buffer.PartialSums}

func level1() []*Family {
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
	}
}

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
