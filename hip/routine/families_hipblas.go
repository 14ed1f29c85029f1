package routine

import (
	"slices"
	"strings"
)

// Functions of hipBLAS. Those that call rocBLAS have the arguments of its routines. Those that call rocSOLVER lack
// some, and most also return the number of a wrong argument.

// notInHipBLAS are the families of rocBLAS that hipBLAS does not have.
var notInHipBLAS = []FamilyID{HalfGemv, HalfSingleGemv, Gemmt, GemmKernelName, GemmEx3, GeamEx, SyrkEx}

// hipblasRoutines returns the functions of hipBLAS.
func hipblasRoutines() (list []*Routine) {
	catalogOf()
	for _, f := range families() {
		if f.Library != RocBLAS || slices.Contains(notInHipBLAS, f.ID) {
			continue
		}
		params := f.hipblasParams()
		for _, r := range f.routines {
			switch p := params[r.Variant]; {
			case f.product && f.Mixed():
				list = append(list, r.inHipBLAS(productParams(p, false)),
					r.inHipBLAS(productParams(p, true)).withFlags())
			case f.Mixed():
				list = append(list, r.inHipBLAS(inHip(p)))
			default:
				list = append(list, r.inHipBLAS(p))
			}
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
		solver("geqrf", "QR factorization", rowsAndColumns("A"), layerA, named("tau", scalarsOfEach), wrongArgument,
			batchCount()),
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
	name := strings.NewReplacer("_strided_batched", "StridedBatched", "_batched", "Batched", "_ex", "Ex").
		Replace(r.Name)
	name = strings.ToUpper(name[:1]) + name[1:]
	r.Name, r.cName, r.Library = name, HipBLAS.String()+name, HipBLAS
	r.Params, r.places = params, newPlaces(params)
	return &r
}

// withFlags returns the form of a product that has flags.
func (r *Routine) withFlags() *Routine {
	flagged := func(name string) string { return strings.Replace(name, "Ex", "ExWithFlags", 1) }
	r.Name, r.cName = flagged(r.Name), flagged(r.cName)
	return r
}

// inHip returns the parameters of a function with the datatypes and the names of hipBLAS.
func inHip(params []Param) []Param {
	list := slices.Clone(params)
	for i := range list {
		p := &list[i]
		if first, rest, ok := strings.Cut(p.Name, "_"); ok {
			p.Name = first + strings.ToUpper(rest[:1]) + rest[1:]
		}
		if p.Kind == Datatype {
			p.Kind = HipDatatype
		}
		if p.Slot == Result {
			p.Name = "result"
		}
	}
	return list
}

// productParams returns the parameters of a product: the result is C, and the precision has its own enumeration.
func productParams(params []Param, flags bool) []Param {
	list := slices.DeleteFunc(inHip(params), func(p Param) bool {
		return slices.Contains([]Slot{D, LDD, DType, StrideD, SolutionIndex}, p.Slot) || p.Slot == Flags && !flags
	})
	for i := range list {
		switch p := &list[i]; p.Slot {
		case A, B:
			p.Name = strings.ToUpper(p.Name)
		case C:
			p.Name, p.Access, p.About = "C", InOut, "the summand, and the result"
		case ComputeType:
			p.Kind, p.fallback = BlasCompute, fallback{}
			p.About = "precision that is computed in, and of the scalars"
		case Algo:
			p.Kind, p.fallback.value, p.About = BlasAlgo, GemmDefault, "how a kernel is chosen"
		case Flags:
			p.Kind = BlasFlags
		}
	}
	return list
}
