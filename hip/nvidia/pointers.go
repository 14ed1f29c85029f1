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

// progression is the addresses of the matrices of a strided batch. No matrix is at address 0, which means no list.
type progression struct{ first, distance uint64 }

func (x *execution) progression(s routine.Slot) progression {
	p, _ := x.args.Routine.ParamAt(s)
	return progression{x.args.Ptr(s), uint64(x.distance(p)) * element(x.args, s)}
}

const (
	keptStreams  = 4    // the streams of a case whose lists are kept
	keptPointers = 1024 // the pointers in each of their two lists
	keptBytes    = 8 * 2 * keptPointers
)

// keptLists are the two lists of pointers in device memory that calls of one stream used last. Each stream has its own,
// so that the next call overwrites them when earlier calls have read them.
type keptLists struct {
	stream driver.Stream
	at     driver.Ptr
	batch  int64 // the pointers in each list
	lists  [2]progression
}

// kept are the lists of pointers of handles.
type kept [keptStreams]keptLists

// allocate allocates the lists in memory that stays allocated with the handles. Without memory there are none.
func (k *kept) allocate(libs *libraries) {
	at := new(driver.Ptr)
	if libs.api.Call("Malloc", uintptr(unsafe.Pointer(at)), keptStreams*keptBytes) != nil {
		return
	}
	for i := range k {
		k[i].at = *at + driver.Ptr(i*keptBytes)
	}
}

// of returns the lists of a stream, or nil if there is no place for them.
func (k *kept) of(s driver.Stream) *keptLists {
	for i := range k {
		if l := &k[i]; l.at != 0 && (l.stream == s || l.stream == nil) {
			l.stream = s
			return l
		}
	}
	return nil
}

// forget forgets the streams and lists of a case.
func (k *kept) forget() {
	for i := range k {
		k[i] = keptLists{at: k[i].at}
	}
}
