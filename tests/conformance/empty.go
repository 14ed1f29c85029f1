package conformance

import (
	"encoding/binary"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// EmptyBatch is the number of problems in EmptyCalls with a nonempty batch.
const EmptyBatch = 2

// emptyOrder is the nonzero dimension in EmptyCalls.
const emptyOrder = 3

// EmptyCalls returns the integers and enumerations of calls of a rocSOLVER routine with every combination of zero
// dimensions.
func EmptyCalls(r *routine.Routine) []map[routine.Slot]int64 {
	var dimensions []routine.Slot
	for _, s := range []routine.Slot{routine.M, routine.N, routine.NRHS, routine.NB, routine.NBlocks,
		routine.BatchCount} {
		if _, ok := r.ParamAt(s); ok && (s != routine.NB || r.Family.ID != routine.Lasyf) {
			dimensions = append(dimensions, s)
		}
	}
	var list []map[routine.Slot]int64
	for sizes := range 1<<len(dimensions) - 1 {
		ints := numbersOf(r)
		for i, s := range dimensions {
			switch {
			case sizes>>i&1 == 0:
				ints[s] = 0
			case s == routine.BatchCount:
				ints[s] = EmptyBatch
			}
		}
		list = append(list, ints)
	}
	return list
}

// numbersOf returns the first value of enumerations, and emptyOrder for integers. The numbers of reflections and of
// panel columns are 0 where a dimension bounds them.
func numbersOf(r *routine.Routine) map[routine.Slot]int64 {
	ints := map[routine.Slot]int64{}
	for i := range r.Params {
		switch p := &r.Params[i]; {
		case p.Kind.IsEnum():
			ints[p.Slot] = p.Legal()[0]
		case p.Slot == routine.K && r.Family.ID != routine.Larft && r.Family.ID != routine.Larfb,
			p.Slot == routine.NB && r.Family.ID == routine.Lasyf:
			ints[p.Slot] = 0
		case p.Role == routine.LeadingDimension:
			ints[p.Slot] = emptyOrder * emptyOrder // of interleaved blocks
		case p.Kind.IsInteger():
			ints[p.Slot] = emptyOrder
		}
	}
	return ints
}

// EmptyBytes is the size of an array of a call in EmptyCalls, and Unwritten the value of its bytes before the call.
const (
	EmptyBytes = 2048
	Unwritten  = 1
)

// PlaceEmpty sets the arguments of a call in EmptyCalls, with separate memory for each array. An array of pointers is
// behind the contents that they point to.
func PlaceEmpty(dev *hip.Device, a *routine.Args, ints map[routine.Slot]int64) error {
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		if !p.Kind.IsPointer() {
			a.SetInt(p.Slot, ints[p.Slot])
			continue
		}
		at, err := dev.Malloc(EmptyBytes + 8*EmptyBatch)
		if err != nil {
			return err
		}
		if err := dev.Fill(at, Unwritten, EmptyBytes); err != nil {
			return err
		}
		a.SetPtr(p.Slot, uint64(at))
		if p.Kind == routine.ArrayOfArrays {
			var pointers []byte
			for b := range uint64(EmptyBatch) {
				pointers = binary.NativeEndian.AppendUint64(pointers, uint64(at)+b*EmptyBytes/EmptyBatch)
			}
			a.SetPtr(p.Slot, uint64(at)+EmptyBytes)
			if err := dev.Write(at+EmptyBytes, pointers); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReadEmpty returns the contents of an array that PlaceEmpty made.
func ReadEmpty(dev *hip.Device, a *routine.Args, p *routine.Param) ([]byte, error) {
	at, data := driver.Ptr(a.Ptr(p.Slot)), make([]byte, EmptyBytes)
	if p.Kind == routine.ArrayOfArrays {
		at -= EmptyBytes
	}
	return data, dev.Read(data, at)
}
