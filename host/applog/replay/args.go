package replay

import (
	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/host/recording"
)

// arguments converts the arguments of a recorded call, whose first one is the handle. It returns nil if they do
// not fit the routine. Each array gets its address. In device pointer mode scalars are ones.
func arguments(r *routine.Routine, call *recording.Call, ones *scalars, onDevice bool) *routine.Args {
	if len(call.Args) != len(r.Params)+1 {
		return nil
	}
	a := r.New()
	for i := range r.Params {
		p, v := &r.Params[i], &call.Args[i+1]
		switch {
		case p.Kind == routine.Real:
			a.SetReal(p.Slot, v.Real)
		case !p.Kind.IsPointer():
			a.SetInt(p.Slot, v.Int)
		}
	}
	for i := range r.Params { // the types of scalars can depend on other arguments
		p, v := &r.Params[i], &call.Args[i+1]
		switch isScalar := p.Kind == routine.Scalar; {
		case !p.Kind.IsPointer() || v.Null:
		case !isScalar && p.Kind != routine.Output:
			a.SetPtr(p.Slot, arrayAddress(r, call, i))
		case onDevice:
			a.SetPtr(p.Slot, ones.address(a.Datatype(p)))
		case isScalar:
			a.SetScalar(p.Slot, scalar(v.Scalar, a.Datatype(p)))
		default:
			a.SetPtr(p.Slot, routine.Host)
		}
	}
	return a
}

// arrayAddress returns an address for the array of parameter i: an earlier one if the recording has addresses
// of
// both, and they are equal.
func arrayAddress(r *routine.Routine, call *recording.Call, i int) uint64 {
	for j := range i {
		v, same := &call.Args[j+1], &call.Args[i+1]
		if v.Letter == recording.Address && same.Letter == recording.Address && v.Int == same.Int {
			return routine.ArrayAddress(r.Params[j].Slot)
		}
	}
	return routine.ArrayAddress(r.Params[i].Slot)
}

// scalar reads a number from memory. One that was not in host memory counts as 1, which makes a call compute.
func scalar(b []byte, datatype int64) complex128 {
	if size, ok := routine.SizeofDatatype(datatype); !ok || int64(len(b)) < size {
		return 1
	}
	return number.Load(datatype, b)
}

// scalars is device memory with a 1 of each datatype: the recording does not have numbers in device memory.
type scalars struct {
	device    *hip.Device
	base      driver.Ptr
	addresses map[int64]uint64
}

// scalarBytes are the bytes for a number and for results, scalarCount the datatypes that there can be.
const (
	scalarBytes = 64
	scalarCount = 64
)

func newScalars(dev *hip.Device) (*scalars, error) {
	base, err := dev.Malloc(scalarBytes * scalarCount)
	return &scalars{dev, base, map[int64]uint64{}}, err
}

// address returns the address of a 1.
func (s *scalars) address(datatype int64) uint64 {
	if at, ok := s.addresses[datatype]; ok {
		return at
	}
	at := uint64(s.base) + scalarBytes*uint64(len(s.addresses)%scalarCount)
	if size, ok := routine.SizeofDatatype(datatype); ok {
		one := make([]byte, size)
		number.Store(datatype, one, 1)
		s.device.Write(driver.Ptr(at), one)
	}
	s.addresses[datatype] = at
	return at
}
