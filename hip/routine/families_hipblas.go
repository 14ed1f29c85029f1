package routine

import (
	"slices"
	"strings"
)

// Functions of hipBLAS. Those that call rocBLAS have the arguments of its routines. Those that call rocSOLVER lack
// some, and most also return the number of a wrong argument.

// notInHipBLAS are the families of rocBLAS that hipBLAS does not have, of those with a type.
var notInHipBLAS = []FamilyID{HalfGemv, HalfSingleGemv, Gemmt, GemmKernelName}

// hipblasRoutines returns the functions of hipBLAS, without those whose arguments give datatypes.
func hipblasRoutines() (list []*Routine) {
	catalogOf()
	for _, f := range families() {
		if f.Library != RocBLAS || f.Mixed() || slices.Contains(notInHipBLAS, f.ID) {
			continue
		}
		params := f.hipblasParams()
		for _, r := range f.routines {
			list = append(list, r.inHipBLAS(params[r.Variant]))
		}
	}
	for _, f := range hipblasSolvers() {
		f.makeRoutines()
		params := f.hipblasParams()
		for _, r := range f.routines {
			list = append(list, r.inHipBLAS(params[r.Variant]))
		}
	}
	return list
}

// hipblasSolvers are the functions that call rocSOLVER.
func hipblasSolvers() []*Family {
	solver := func(name, about string, params ...part) *Family {
		return &Family{Name: name, Library: HipBLAS, Level: LayerLevel, types: sdcz, About: about, params: params}
	}
	only := func(f *Family, forms ...Variant) *Family {
		f.forms = forms
		return f
	}
	return []*Family{
		solver("getrf", "LU factorization; without row exchanges if ipiv is null", dim(N, "order of A"), squareA,
			likePlain(exchangesOut), info(), batchCount()),
		solver("getrs", "solves op(A) X = B from the factors of getrf", operation("trans", TransA, "operation on A"),
			dim(N, "order of A"), dim(NRHS, "columns of B"), squareA, likePlain(exchangesIn), rightOfA, wrongArgument,
			batchCount()),
		only(solver("getri", "inverses from the factors of getrf; without row exchanges if ipiv is null",
			dim(N, "order of A"), squareA, likePlain(exchangesIn), inverseInC, info(), batchCount()), Batched),
		only(solver("geqrf", "QR factorization", rowsAndColumns("A"), layerA, scalarsOut, wrongArgument, batchCount()),
			Plain, StridedBatched),
		solver("gels", "least squares solution, or solution of least norm",
			operation("trans", TransA, "operation on A"), rowsAndColumns("A"), dim(NRHS, "columns of B"), layerA,
			matrix(B, Dense, larger(M, N), nrhs, InOut, "right-hand sides and solution"), wrongArgument,
			named("deviceInfo", info()), batchCount()),
	}
}

// wrongArgument declares the number of a wrong argument, which a call returns.
var wrongArgument = single(Param{Name: "info", Slot: HostInfo, Kind: Output, Access: Out, Elem: OfInt,
	Layout: Contiguous, Rows: length1, About: "0, or less than 0 if this argument is wrong"})

// likePlain declares an array that has no stride in a batch of pointers.
func likePlain(p part) part {
	return func(f *Family, v Variant) []Param {
		if v == Batched {
			v = Plain
		}
		return p(f, v)
	}
}

// hipblasParams returns the parameters of each variant with the names that they have in hipBLAS.
func (f *Family) hipblasParams() map[Variant][]Param {
	params := map[Variant][]Param{}
	for _, v := range f.variants() {
		list := f.expand(v)
		for i := range list {
			switch p := &list[i]; {
			case p.Slot == BatchCount:
				p.Name = "batchCount"
			case p.Role == Stride:
				if slots[p.Of].strideName == "" {
					of := slices.IndexFunc(list, func(q Param) bool { return q.Slot == p.Of })
					p.Name = "stride" + strings.TrimSuffix(list[of].Name, "P")
				}
			}
		}
		params[v] = list
	}
	return params
}

// inHipBLAS returns the function of hipBLAS with the name of a routine, which is in lower case.
func (r Routine) inHipBLAS(params []Param) *Routine {
	name := strings.NewReplacer("_strided_batched", "StridedBatched", "_batched", "Batched").Replace(r.Name)
	name = strings.ToUpper(name[:1]) + name[1:]
	r.Name, r.cName, r.Library = name, HipBLAS.String()+name, HipBLAS
	r.Params, r.places = params, newPlaces(params)
	return &r
}
