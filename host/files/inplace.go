package files

import "roclua/hip/routine"

// products are the arguments of the result of a product of matrices, and of the array that it replaces.
var products = map[routine.Slot]routine.Slot{routine.D: routine.C, routine.LDD: routine.LDC,
	routine.StrideD: routine.StrideC, routine.DType: routine.CType}

// replaced are the arguments of results that replace another array.
var replaced = map[routine.FamilyID]map[routine.Slot]routine.Slot{routine.GemmEx: products, routine.GemmEx3: products,
	routine.Trmm: {routine.C: routine.B, routine.LDC: routine.LDB, routine.StrideC: routine.StrideB}}

// inPlace makes the result of a call replace an array, as the benchmark programs do without --outofplace: they ignore
// the layout of the result, but check it. It returns the parameters whose values it changes.
func inPlace(a *routine.Args) (changed []*routine.Param) {
	slots := replaced[a.Routine.Family.ID]
	for _, ld := range []routine.Slot{routine.LDC, routine.LDD} {
		if _, ok := slots[ld]; ok && a.Int(ld) < a.Int(routine.M) {
			return nil // the program makes the call as it is, which fails
		}
	}
	for to, from := range slots {
		p, ok := a.Routine.ParamAt(to)
		switch {
		case !ok:
		case p.Kind.IsPointer():
			a.SetPtr(to, a.Ptr(from))
		case a.Int(to) != a.Int(from):
			a.SetInt(to, a.Int(from))
			changed = append(changed, p)
		}
	}
	return changed
}
