package nvidia

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// execution is one routine call, or a query of its workspace. A query runs the method of the call for one problem of a
// batch: the functions here collect the workspace that the method asks for, as memory at address 0, and make no call
// but size queries. After a failure, which is in gpu.err, they do nothing.
type execution struct {
	*gpu
	stream driver.Stream
	launch *driver.Launch
	args   *routine.Args // without addresses in a query, because no size depends on them
	sizing bool          // whether it is a query
	needs  driver.Needs  // the workspace of a query
}

func streamHandle(s driver.Stream) uintptr { return s.(*native.Stream).Handle() }

// blas calls a function of cuBLAS for the routine's type. Addresses of Go memory among the arguments must point to
// fields of gpu.
func (x *execution) blas(pattern string, args ...int64) {
	x.blasOf(x.args.Routine.Type, pattern, args...)
}

// blasOf is blas for another type.
func (x *execution) blasOf(t routine.Type, pattern string, args ...int64) {
	if x.err == nil && !x.sizing {
		x.err = x.callInts(x.libs.cublas, function{pattern, t}, x.handles.cublas, args)
	}
}

// setPointerMode sets whether scalars and results are in device memory.
func (x *execution) setPointerMode(onDevice bool) {
	if !x.sizing {
		x.gpu.setPointerMode(onDevice)
	}
}

// do does something in the stream, unless the call has failed.
func (x *execution) do(call func() error) {
	if !x.sizing {
		x.gpu.do(call)
	}
}

// memory returns workspace for a number of bytes. It panics if the query of the call did not ask for the buffer.
func (x *execution) memory(id buffer.ID, bytes int64) driver.Span {
	if x.sizing {
		x.need(id, uint64(max(0, bytes)))
		return driver.Span{}
	}
	i := slices.IndexFunc(x.launch.Work, func(w driver.Work) bool { return w.ID == id })
	if i < 0 {
		panic(fmt.Sprintf("hip/nvidia: %s uses the buffer %q, which it does not need", x.args.Routine.CName(), id))
	}
	return x.launch.Work[i].Span
}

// need adds a buffer to the workspace of a query. Uses of one buffer follow each other, so the largest counts.
func (x *execution) need(id buffer.ID, bytes uint64) {
	list := x.needs.Buffers
	if i := slices.IndexFunc(list, func(b driver.Buffer) bool { return b.ID == id }); i >= 0 {
		list[i].Bytes = max(list[i].Bytes, bytes)
		return
	}
	x.needs.Buffers = append(list, driver.Buffer{ID: id, Bytes: bytes})
}

func (x *execution) bytes(id buffer.ID, count int64) int64 { return int64(x.memory(id, count).Ptr) }

// vector returns workspace for elements of the routine's type.
func (x *execution) vector(id buffer.ID, elements int64) int64 {
	return x.bytes(id, elements*x.args.Routine.Type.Size())
}

// matrix returns workspace for a matrix.
func (x *execution) matrix(id buffer.ID, rows, columns int64) matrix {
	return matrix{x.vector(id, rows*columns), max(1, rows)}
}

// infoOf returns where a call stores its info: the argument, or workspace if the routine has none.
func (x *execution) infoOf(a *routine.Args) int64 {
	if a.Routine.Has(routine.Info) {
		return a.Int(routine.Info)
	}
	return x.unreadInfo()
}

// unreadInfo is workspace for an info that only reports bad arguments.
func (x *execution) unreadInfo() int64 { return x.bytes(buffer.Info, infoBytes) }

func (x *execution) address(i int) int64 { return int64(uintptr(unsafe.Pointer(&x.scalars[i]))) }

// constant stores a number of the routine's type where a library can read it, and returns its address. There is room
// for two.
func (x *execution) constant(i int, v complex128) int64 {
	number.Store(x.args.Routine.Type.Datatype(), x.scalars[i][:], v)
	return x.address(i)
}

// oneAndZero returns the addresses of the numbers that calls with scalars on the host use as alpha and beta.
func (x *execution) oneAndZero() (one, zero int64) {
	x.setPointerMode(false)
	return x.constant(0, 1), x.constant(1, 0)
}

// scalar returns the address of a scalar argument: the caller's on the device, or a copy of the host value that the
// library can read.
func (x *execution) scalar(s routine.Slot) int64 {
	if x.launch.OnDevice {
		return x.args.Int(s)
	}
	p, _ := x.args.Routine.ParamAt(s)
	return x.scalarAs(s, x.args.Datatype(p))
}

// scalarAs copies the host value of a scalar for a library that reads it as a datatype.
func (x *execution) scalarAs(s routine.Slot, datatype int64) int64 {
	i := routine.ScalarIndex(s) % len(x.scalars) // alpha and beta, or cosine and sine
	number.Store(datatype, x.scalars[i][:], x.args.Scalar(s))
	return x.address(i)
}

// values returns arguments of one problem as the libraries receive them, with scalars.
func (x *execution) values(a *routine.Args, slots ...routine.Slot) []int64 {
	list := make([]int64, len(slots), len(slots)+4)
	for i, s := range slots {
		if list[i] = value(a, s); s >= routine.Alpha && s <= routine.Sine {
			list[i] = x.scalar(s)
		}
	}
	return list
}

// problems runs a call once for each problem of a batch, with the arguments of the plain routine.
func (x *execution) problems(run func(*routine.Args)) {
	r := x.args.Routine
	if r.Variant == routine.Plain {
		run(x.args)
		return
	}
	plain, _ := routine.Sibling(r, routine.Plain)
	lists := x.pointerLists()
	one := plain.New()
	for b := range x.args.Batch() {
		if x.err != nil || x.sizing && b > 0 {
			return
		}
		for i := range plain.Params {
			x.place(one, &plain.Params[i], b, lists)
		}
		run(one)
	}
}

// place sets an argument of the plain routine for problem b.
func (x *execution) place(one *routine.Args, p *routine.Param, b int64, lists map[routine.Slot][]byte) {
	own, ok := x.args.Routine.ParamAt(p.Slot)
	switch {
	case !ok:
	case p.Kind == routine.Scalar:
		one.SetInt(p.Slot, x.args.Int(p.Slot))
		one.SetFetched(p.Slot, x.args.Scalar(p.Slot))
	case own.Kind == routine.ArrayOfArrays && x.args.Ptr(p.Slot) != 0:
		one.SetPtr(p.Slot, binary.NativeEndian.Uint64(lists[p.Slot][8*b:]))
	case (own.Kind == routine.Array || own.Kind == routine.Output) && x.args.Ptr(p.Slot) > routine.Host:
		one.SetPtr(p.Slot, x.args.Ptr(p.Slot)+uint64(b*x.distance(own))*element(x.args, p.Slot))
	default:
		one.SetInt(p.Slot, x.args.Int(p.Slot))
	}
}

// distance returns the elements between the arrays of two problems: their stride, or their length if they are adjacent.
func (x *execution) distance(p *routine.Param) int64 {
	if q, ok := x.args.Routine.Companion(p.Slot, routine.Stride); ok {
		return x.args.Int(q.Slot)
	}
	return p.Rows.Of(x.args)
}

// pointerLists copies the arrays of pointers of a batch to the host. It waits for work of the stream that writes them.
func (x *execution) pointerLists() map[routine.Slot][]byte {
	lists := map[routine.Slot][]byte{}
	for i := range x.args.Routine.Params {
		p := &x.args.Routine.Params[i]
		if p.Kind == routine.ArrayOfArrays && !x.args.Null(p.Slot) {
			lists[p.Slot] = make([]byte, 8*x.args.Batch())
			x.fetch(lists[p.Slot], driver.Ptr(x.args.Ptr(p.Slot)))
		}
	}
	return lists
}

// fetch copies from the device to the host, which waits. In a captured stream it fails and invalidates the capture.
func (x *execution) fetch(to []byte, from driver.Ptr) {
	x.do(func() error {
		if x.Captures(x.stream) {
			return x.stream.Synchronize()
		}
		return x.Read(x.stream, to, from, driver.Row(uint64(len(to))))
	})
}

// copy copies bytes on the device.
func (x *execution) copy(to, from int64, bytes int64) {
	x.do(func() error { return x.Copy(x.stream, driver.Ptr(to), driver.Ptr(from), driver.Row(uint64(bytes))) })
}

// write copies from the host to the device.
func (x *execution) write(to driver.Ptr, from []byte) {
	x.do(func() error { return x.Write(x.stream, to, from, driver.Row(uint64(len(from)))) })
}

// zero stores zeros in device memory.
func (x *execution) zero(at int64, bytes uint64) {
	x.do(func() error { return x.Fill(x.stream, driver.Ptr(at), 0, bytes) })
}

// clear stores zeros in the given arrays that the routine has.
func (x *execution) clear(a *routine.Args, slots ...routine.Slot) {
	for _, s := range slots {
		if p, ok := a.Routine.ParamAt(s); ok && !a.Null(s) {
			x.zero(a.Int(s), uint64(max(0, p.Rows.Of(a)))*uint64(a.ElementBytes(p)))
		}
	}
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
	own := x.memory(buffer.MatrixPointers, 8*batch*int64(len(slots)))
	if x.sizing {
		return lists
	}
	k := x.handles.kept.of(x.stream)
	if k == nil || batch > keptPointers || x.Captures(x.stream) {
		k = &keptLists{at: own.Ptr}
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

const (
	keptStreams  = 4    // the streams of a case whose lists are kept
	keptPointers = 1024 // the pointers in each of their two lists
	keptBytes    = 8 * 2 * keptPointers
)

// progression is the addresses of the matrices of a strided batch. No matrix is at address 0, which means no list.
type progression struct{ first, distance uint64 }

// keptLists are the two lists of pointers in device memory that calls in one stream used last. Each stream has its own,
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
