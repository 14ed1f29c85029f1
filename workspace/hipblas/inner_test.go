package hipblas

import (
	"slices"
	"testing"

	"roclua/hip/routine"
)

// zeros are the options of products that are 0 in hipBLAS.
var zeros = []routine.Slot{routine.Algo, routine.SolutionIndex, routine.Flags}

// TestEveryParameterIsSet makes the calls to every function with arguments that are not 0, and requires that no
// argument of a routine is 0, as one that nothing sets is. Messages have the name of the routine if a header declares
// it, and otherwise the name of the function.
func TestEveryParameterIsSet(t *testing.T) {
	declared := map[string]bool{}
	for _, r := range routine.All() {
		declared[r.CName()] = true
	}
	for _, f := range routine.HipBLAS.Routines() {
		o := f.New()
		for i := range f.Params {
			switch p := &f.Params[i]; {
			case p.Kind == routine.HipDatatype:
				o.SetInt(p.Slot, routine.HipR64F)
			case p.Kind.IsEnum():
				legal := p.Legal()
				o.SetInt(p.Slot, legal[len(legal)-1])
			case p.Kind == routine.Scalar:
				o.SetScalar(p.Slot, 1)
			default:
				o.SetInt(p.Slot, int64(i+2))
			}
		}
		a := inner(o)
		if name := a.Routine.CName(); !declared[name] && name != f.CName() {
			t.Errorf("%s calls %s, which no header declares", f.CName(), name)
		}
		for i := range a.Routine.Params {
			p := &a.Routine.Params[i]
			if a.Int(p.Slot) == 0 && !slices.Contains(zeros, p.Slot) {
				t.Errorf("%s calls %s with %s of 0", f.CName(), a.Routine.CName(), p.Name)
			}
		}
	}
}
