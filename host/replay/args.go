package replay

import (
	"roclua/hip/function"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/host/recording"
)

// arguments converts the arguments of a recorded call, whose first one is the handle. It returns nil if they do
// not fit the routine.
func (r *replay) arguments(rt *routine.Routine, call *recording.Call, h *handle) *routine.Args {
	onDevice := h.model != nil && h.model.OnDevice()
	if len(call.Args) != len(rt.Params)+1 {
		return nil
	}
	a := numbers(rt, call)
	for i := range rt.Params { // the types of scalars can depend on other arguments
		p, v := &rt.Params[i], &call.Args[i+1]
		switch {
		case !p.Kind.IsPointer() || v.Null:
		case p.Kind == routine.Scalar && !onDevice:
			a.SetScalar(p.Slot, scalar(v.Scalar, a.Datatype(p)))
		case p.Kind == routine.Output && !onDevice:
			a.SetPtr(p.Slot, routine.Host)
		default:
			a.SetPtr(p.Slot, r.arrayAddress(p.Slot, v))
		}
	}
	return a
}

// numbers returns the arguments of a call that are no pointers.
func numbers(rt *routine.Routine, call *recording.Call) *routine.Args {
	a := rt.New()
	for i := range rt.Params {
		switch p, v := &rt.Params[i], &call.Args[i+1]; {
		case p.Kind == routine.Real:
			a.SetReal(p.Slot, v.Real)
		case !p.Kind.IsPointer():
			a.SetInt(p.Slot, v.Int)
		}
	}
	return a
}

// arrayAddress returns an address for an array: the one of the program's memory on the device, if it is recorded.
func (r *replay) arrayAddress(slot routine.Slot, v *recording.Value) uint64 {
	if v.Letter == function.Address || v.Letter == function.Scalar && v.Int != 0 {
		return r.memory.onDevice(uint64(v.Int))
	}
	return routine.ArrayAddress(slot)
}

// scalar reads a number from memory. One that was not in host memory counts as 1, which makes a call compute.
func scalar(b []byte, datatype int64) complex128 {
	if size, ok := routine.SizeofDatatype(datatype); !ok || int64(len(b)) < size {
		return 1
	}
	return number.Load(datatype, b)
}
