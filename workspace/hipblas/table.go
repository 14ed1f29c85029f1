package hipblas

import (
	"slices"

	"roclua/hip/release"
	"roclua/hip/routine"
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

// repeated are the families of rocBLAS whose calls are repeated when they lack memory. All calls of rocSOLVER are.
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
	r, ok := family.Routine(f.Type, f.Variant, f.Wide)
	if !ok {
		panic("workspace/hipblas: " + f.Name + " calls a routine that does not exist")
	}
	return r
}

// inner returns the call of rocBLAS or rocSOLVER. Arguments that hipBLAS's function lacks are n.
func inner(o *routine.Args) *routine.Args {
	f := o.Routine
	a := *o
	a.Routine = Routine(f, o.Null(routine.Ipiv))
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		if _, ok := f.ParamAt(p.Slot); !ok {
			a.SetInt(p.Slot, o.Int(routine.N))
		}
	}
	return &a
}

// wrongArgument returns what a function stores in info before it calls rocSOLVER: 0, or the number of the first wrong
// argument as a negative number.
func wrongArgument(o *routine.Args) int64 {
	if _, ok := o.Routine.ParamAt(routine.HostInfo); !ok {
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

// Repetition says what a call that lacks memory does.
func Repetition(on *release.Release) string {
	if on.LayerSizesMemory {
		return "if memory is lacking, on " + on.Name + ", it sets the size of the handle's memory and calls again"
	}
	return "if memory is lacking, on " + on.Name + ", it calls again and fails again"
}
