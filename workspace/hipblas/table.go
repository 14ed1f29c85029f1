package hipblas

import (
	"slices"

	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
)

// solvers are the families of rocSOLVER that functions call, by the names of their families: the first one, or the
// second if ipiv is null. Other functions call the routine of rocBLAS with the same name.
var solvers = map[string][]routine.FamilyID{
	"getrf": {routine.Getrf, routine.GetrfNpvt},
	"getrs": {routine.Getrs},
	"getri": {routine.GetriOutOfPlace, routine.GetriNpvtOutOfPlace},
	"geqrf": {routine.Geqrf},
	"gels":  {routine.Gels},
}

// byPointers are the families that functions for a batch by pointers call instead.
var byPointers = map[routine.FamilyID]routine.FamilyID{routine.Geqrf: routine.GeqrfPointers}

// repeated are the families of rocBLAS whose calls are repeated when they lack memory. All rocSOLVER calls are.
var repeated = []routine.FamilyID{routine.Trsm, routine.Trsv, routine.Trtri}

// Repeats reports whether a function repeats a call that lacked memory.
func Repeats(f *routine.Routine) bool {
	return f.Library == routine.HipBLAS &&
		(f.Family.Library == routine.HipBLAS || slices.Contains(repeated, f.Family.ID))
}

// Routine returns the routine that a function calls. Without ipiv it may be another one.
func Routine(f *routine.Routine, withoutIpiv bool) *routine.Routine {
	family := f.Family
	if list := solvers[family.Name]; family.Library == routine.HipBLAS {
		family = list[0].Family()
		if withoutIpiv {
			family = list[len(list)-1].Family()
		}
	}
	if other, ok := byPointers[family.ID]; ok && f.Library == routine.HipBLAS && f.Family.Library == f.Library &&
		f.Variant == routine.Batched {
		family = other.Family()
	}
	r, ok := family.Routine(f.Type, f.Variant, f.Wide)
	if !ok {
		panic("workspace/hipblas: " + f.Name + " calls a routine that does not exist")
	}
	return r
}

// resultOf are the arguments of the result of gemm_ex, which are the same as of C.
var resultOf = map[routine.Slot]routine.Slot{routine.D: routine.C, routine.LDD: routine.LDC,
	routine.StrideD: routine.StrideC, routine.DType: routine.CType}

// inner returns the rocBLAS or rocSOLVER call. Arguments that a function for rocSOLVER lacks are n.
func inner(o *routine.Args) *routine.Args {
	f := o.Routine
	a := *o
	a.Routine = Routine(f, o.Null(routine.Ipiv)).Under(f)
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		switch from, ok := Source(f, p.Slot); {
		case p.Kind == routine.Datatype:
			a.SetInt(p.Slot, o.DatatypeAt(from))
		case p.Kind == routine.GemmAlgo:
			a.SetInt(p.Slot, routine.GemmAlgoStandard)
		case ok && from != p.Slot:
			a.SetInt(p.Slot, o.Int(from))
		}
	}
	return &a
}

// Source returns the argument of a function that it passes as an argument of its routine. ok is false for an argument
// that the function lacks, and does not pass.
func Source(f *routine.Routine, s routine.Slot) (from routine.Slot, ok bool) {
	if f.Has(s) {
		return s, true
	}
	if of, ok := resultOf[s]; ok {
		return of, true
	}
	return routine.N, f.Family.Library == routine.HipBLAS
}

// unsupported reports whether hipBLAS refuses the datatypes of a product.
func unsupported(o *routine.Args) bool {
	if !o.Routine.IsProduct() || !o.Routine.Family.Mixed() {
		return false
	}
	arguments, combinations := behavior.Datatypes(o.Routine)
	return !slices.ContainsFunc(combinations, func(list []int64) bool {
		for i, slot := range arguments {
			if o.Routine.Has(slot) && o.DatatypeAt(slot) != list[i] {
				return false
			}
		}
		return true
	})
}

// wrongArgument returns the info of a function before it calls rocSOLVER: 0, or the number of the first wrong argument
// as a negative number.
func wrongArgument(o *routine.Args) int64 {
	if !o.Routine.Has(routine.HostInfo) {
		return 0
	}
	for i := range o.Routine.Params {
		if wrong(o, &o.Routine.Params[i]) {
			return -int64(i + 1)
		}
	}
	return 0
}

// wrong reports whether hipBLAS takes an argument for wrong.
func wrong(o *routine.Args, p *routine.Param) bool {
	gels := o.Routine.Family.Name == "gels"
	switch {
	case p.Kind.IsEnum():
		other := int64(routine.OperationConjugateTranspose)
		if o.Routine.Type.IsComplex() {
			other = routine.OperationTranspose
		}
		return gels && o.Int(p.Slot) == other
	case p.Role == routine.LeadingDimension:
		array, _ := o.Routine.ParamAt(p.Of)
		return o.Int(p.Slot) < array.Rows.Of(o) || !gels && o.Int(p.Slot) < 1
	case p.Role == routine.Stride, p.Slot == routine.HostInfo:
		return false
	case p.Kind.IsInteger():
		return o.Int(p.Slot) < 0
	case p.Slot == routine.Info:
		return o.Null(p.Slot) && o.Batch() != 0
	}
	return o.Null(p.Slot) && p.Rows.Of(o) != 0 && (p.Cols.IsZero() || p.Cols.Of(o) != 0)
}

// Routines returns the C names of the routines that a function calls.
func Routines(f *routine.Routine) []string {
	list := []string{Routine(f, false).CName()}
	if name := Routine(f, true).CName(); name != list[0] {
		list = append(list, name)
	}
	return list
}

// Repetition describes a call that lacks memory.
func Repetition(on *release.Release) string {
	if on.LayerSizesMemory {
		return "if memory is lacking, on " + on.Name + ", it sets the size of the handle's memory and calls again"
	}
	return "if memory is lacking, on " + on.Name + ", it calls again and fails again"
}
