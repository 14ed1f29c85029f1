package nvidia

import (
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// pointers is a buffer with a pointer for each problem, for a number of arrays.
func pointers(a *routine.Args, arrays int) driver.Buffer {
	return driver.Buffer{ID: buffer.MatrixPointers, Bytes: uint64(8 * a.Batch() * int64(arrays))}
}

// arrayPointers returns device arrays of pointers to a batch's matrices, for at most two arrays: the caller's own, or
// for strides lists that it writes. Lists that a call of the same stream wrote before are used again, because a copy to
// the device takes as long as a small call. During a capture it writes them to the workspace, since a graph reads them
// at each launch.
func (x *execution) arrayPointers(slots ...routine.Slot) (lists [2]driver.Ptr) {
	if x.args.Routine.Variant == routine.Batched {
		for i, s := range slots {
			lists[i] = driver.Ptr(x.args.Ptr(s))
		}
		return lists
	}
	batch := x.args.Batch()
	k := x.handles.kept.of(x.stream)
	if k == nil || batch > keptPointers || x.Captures(x.stream) {
		k = &keptLists{at: x.work(buffer.MatrixPointers).Ptr}
	}
	if k.batch != batch {
		k.batch, k.lists = batch, [2]progression{}
	}
	first, end := len(slots), 0
	for i, s := range slots {
		lists[i] = k.at + driver.Ptr(8*int64(i)*batch)
		if p := x.progression(s); p != k.lists[i] {
			k.lists[i], first, end = p, min(first, i), i+1
		}
	}
	if first < end {
		if x.writeLists(lists[first], batch, k.lists[first:end]); x.err != nil {
			k.batch = 0
		}
	}
	return lists
}

// writeLists writes lists of pointers one after the other, in one copy.
func (x *execution) writeLists(to driver.Ptr, batch int64, lists []progression) {
	pointers := make([]uint64, 0, int64(len(lists))*batch) // not shared with other calls: a graph copies it later
	for _, l := range lists {
		for range batch {
			pointers = append(pointers, l.first)
			l.first += l.distance
		}
	}
	raw := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(pointers))), 8*len(pointers))
	x.write(to, raw)
}

func (x *execution) progression(s routine.Slot) progression {
	p, _ := x.args.Routine.ParamAt(s)
	return progression{x.args.Ptr(s), uint64(x.distance(p)) * element(x.args, s)}
}
