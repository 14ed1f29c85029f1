package replay

import (
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/host/recording"
)

// arguments converts the arguments of a recorded call, whose first one is the handle. It returns nil if they do
// not fit the routine. In device pointer mode scalars are ones.
func (r *replay) arguments(rt *routine.Routine, call *recording.Call, h *handle) *routine.Args {
	onDevice := h.model != nil && h.model.OnDevice()
	if len(call.Args) != len(rt.Params)+1 {
		return nil
	}
	a := rt.New()
	for i := range rt.Params {
		p, v := &rt.Params[i], &call.Args[i+1]
		switch {
		case p.Kind == routine.Real:
			a.SetReal(p.Slot, v.Real)
		case !p.Kind.IsPointer():
			a.SetInt(p.Slot, v.Int)
		}
	}
	for i := range rt.Params { // the types of scalars can depend on other arguments
		p, v := &rt.Params[i], &call.Args[i+1]
		switch isScalar := p.Kind == routine.Scalar; {
		case !p.Kind.IsPointer() || v.Null:
		case !isScalar && p.Kind != routine.Output:
			a.SetPtr(p.Slot, r.arrayAddress(p.Slot, v))
		case onDevice && isScalar:
			a.SetPtr(p.Slot, r.one(h.Device, a.Datatype(p)))
		case onDevice:
			a.SetPtr(p.Slot, r.arrayAddress(p.Slot, v))
		case isScalar:
			a.SetScalar(p.Slot, scalar(v.Scalar, a.Datatype(p)))
		default:
			a.SetPtr(p.Slot, routine.Host)
		}
	}
	return a
}

// arrayAddress returns an address for an array: the one of the program's memory on the device, if it is recorded.
func (r *replay) arrayAddress(slot routine.Slot, v *recording.Value) uint64 {
	if v.Letter == recording.Address {
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

// scalars is device memory with a 1 of each datatype: the recording does not have numbers in device memory.
type scalars struct {
	base      driver.Ptr
	addresses map[int64]uint64
}

// scalarBytes are the bytes for a number, scalarCount the datatypes that there can be.
const (
	scalarBytes = 64
	scalarCount = 64
)

// one returns the address of a 1 in the memory of a device, or 0. The program does not notice that it is written: no
// capture forbids it, and no stream of the program waits for it.
func (r *replay) one(device int, datatype int64) uint64 {
	s := r.scalars[device]
	if s == nil {
		s = &scalars{addresses: map[int64]uint64{}}
		r.scalars[device] = s
	}
	if at, ok := s.addresses[datatype]; ok {
		return at
	}
	d := r.rt.Devices()[device]
	mode, _ := d.ExchangeCaptureMode(driver.CaptureRelaxed)
	defer d.ExchangeCaptureMode(mode)
	if s.base == 0 {
		s.base, _ = d.Malloc(scalarBytes * scalarCount)
	}
	size, ok := routine.SizeofDatatype(datatype)
	stream, err := d.NewStream(true)
	if s.base == 0 || !ok || err != nil {
		return 0
	}
	defer stream.Destroy()
	at := uint64(s.base) + scalarBytes*uint64(len(s.addresses)%scalarCount)
	one := make([]byte, size)
	number.Store(datatype, one, 1)
	d.WriteAsync(driver.Ptr(at), one, stream)
	stream.Synchronize()
	s.addresses[datatype] = at
	return at
}
