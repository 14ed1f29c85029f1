package hipsolver

import (
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

// TestEveryParameterIsSet makes the calls to every function with arguments that are not 0, and requires that no
// argument of a routine is 0, as one that nothing sets is. Messages have the name of the routine if a header declares
// it, and otherwise the name of the function.
func TestEveryParameterIsSet(t *testing.T) {
	declared := map[string]bool{}
	for _, r := range routine.All() {
		declared[r.CName()] = true
	}
	arrays := []driver.Ptr{1 << 20, 2 << 20}
	for _, f := range routine.HipSOLVER.Routines() {
		o := f.New()
		for i := range f.Params {
			switch p := &f.Params[i]; {
			case p.Kind.IsEnum():
				legal := p.Legal()
				o.SetInt(p.Slot, legal[len(legal)-1])
			case p.Kind == routine.Real:
				o.SetReal(p.Slot, 3)
			default:
				o.SetInt(p.Slot, int64(i+2))
			}
		}
		c := run{o: o, Objects: Objects{Jacobi: &Jacobi{method: Syevj, MaxSweeps: 100, Tolerance: 1, memory: 1 << 30}}}
		a := c.inner(arrays)
		if name := a.Routine.CName(); !declared[name] && name != f.CName() {
			t.Errorf("%s calls %s, which no header declares", f.CName(), name)
		}
		for i := range a.Routine.Params {
			p := &a.Routine.Params[i]
			unused := o.Routine.IsSize() && p.Kind.IsPointer() ||
				a.Int(routine.Srange) == routine.SrangeIndex && p.Kind == routine.Real
			if a.Int(p.Slot) == 0 && !unused {
				t.Errorf("%s calls %s with %s of 0", f.CName(), a.Routine.CName(), p.Name)
			}
		}
	}
}
