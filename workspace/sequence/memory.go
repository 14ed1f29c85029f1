package sequence

import (
	"encoding/binary"
	"math"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Memory of array arguments. The arrays of an executed drawn call never overlap. Integer arrays have a separate part
// that calls never overwrite with other numbers, so pivots stay small on a device that computes.
const (
	largest      = 400                       // largest dimension of an executed call
	batchSize    = 6                         // maximum problems of an executed call
	problemBytes = 2816 << 10                // bytes of one problem: (largest + 2)^2 elements of 16 bytes
	arrayBytes   = batchSize * problemBytes  // bytes of one array
	arrayCount   = 14                        // arrays of numbers
	integerBytes = 1 << 20                   // bytes of one array of integers
	integersAt   = arrayCount * arrayBytes   // offset of the arrays of integers
	integersSize = 16 * integerBytes         // bytes of all arrays of integers
	listBytes    = 8 * batchSize             // bytes of the addresses of a batch
	listsBytes   = arrayCount * listBytes    // bytes of all lists
	pointerBytes = 8                         // bytes of an address
	addressCount = listsBytes / pointerBytes // addresses of all problems
	doubleAt     = 16                        // offset of a double-precision 1, after a single-precision 1
	resultAt     = 64                        // offset of results in device memory
	scalarsBytes = 4096                      // bytes of scalars and results in device memory
)

// ArenaBytes and WorkspaceBytes are the bytes that Prepare allocates for array arguments and for set_workspace.
const (
	ArenaBytes     = integersAt + integersSize
	WorkspaceBytes = 16 << 20
)

// memory has the addresses used by operations.
type memory struct{ arrays, lists, workspace, scalars driver.Ptr }

// allocate allocates the memory and writes the addresses of the problems of batches.
func (m *memory) allocate(dev *hip.Device) (err error) {
	for _, part := range []struct {
		at    *driver.Ptr
		bytes uint64
	}{{&m.arrays, ArenaBytes}, {&m.workspace, WorkspaceBytes}, {&m.lists, listsBytes}, {&m.scalars, scalarsBytes}} {
		if *part.at, err = dev.Malloc(part.bytes); err != nil {
			return err
		}
	}
	list := make([]byte, listsBytes)
	for i := range addressCount {
		binary.NativeEndian.PutUint64(list[pointerBytes*i:], uint64(m.arrays)+problemBytes*uint64(i))
	}
	if err := dev.Write(m.lists, list); err != nil {
		return err
	}
	scalars := make([]byte, scalarsBytes)
	binary.NativeEndian.PutUint32(scalars, math.Float32bits(1))
	binary.NativeEndian.PutUint64(scalars[doubleAt:], math.Float64bits(1))
	return dev.Write(m.scalars, scalars)
}

// offsetOfScalar returns the offset of a scalar in device pointer mode. Its value is 1 in the datatypes of most
// routines.
func offsetOfScalar(a *routine.Args, p *routine.Param) int {
	if t := routine.RealOf(a.Datatype(p)); t == routine.DatatypeF64 {
		return doubleAt
	}
	return 0
}

// place is the position of an array: bytes from the start of the arrays, or of the lists of addresses.
type place struct {
	inLists bool
	offset  int64
}

// places returns the places of the arrays of a routine.
func places(r *routine.Routine) map[routine.Slot]place {
	list := map[routine.Slot]place{}
	numbers, integers := int64(0), int64(0)
	for i := range r.Params {
		p := &r.Params[i]
		switch {
		case p.Kind == routine.ArrayOfArrays:
			numbers++
			list[p.Slot] = place{true, numbers % arrayCount * listBytes}
		case p.Kind == routine.Array && (p.Elem == routine.OfInt || p.Elem == routine.OfInt32):
			list[p.Slot] = place{false, integersAt + integers%16*integerBytes}
			integers++
		case p.Kind == routine.Array:
			numbers++
			list[p.Slot] = place{false, numbers % arrayCount * arrayBytes}
		}
	}
	return list
}
