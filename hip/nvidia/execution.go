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

// method is how the routines of a family are computed.
type method struct {
	needs   func(*gpu, *routine.Args) driver.Needs
	run     func(*execution)
	buffers []buffer.ID                   // that needs may return and run may use
	by      func(*routine.Routine) string // the functions that compute a routine, for documentation
}

// uses reports whether the method may use a buffer.
func (m *method) uses(id buffer.ID) bool { return slices.Contains(m.buffers, id) }

// execution is one call of a routine. After a failure, which is in gpu.err, its methods do nothing.
type execution struct {
	*gpu
	how    *method
	stream driver.Stream
	launch *driver.Launch
	args   *routine.Args
}

// streamHandle returns CUDA's handle of a stream.
func streamHandle(s driver.Stream) uintptr { return s.(*native.Stream).Handle() }

// blas calls a function of cuBLAS for the routine's type. Addresses of Go memory among the arguments must point to
// fields of gpu.
func (x *execution) blas(pattern string, args ...int64) {
	x.blasOf(x.args.Routine.Type, pattern, args...)
}

// blasOf is blas for another type.
func (x *execution) blasOf(t routine.Type, pattern string, args ...int64) {
	if x.err == nil {
		x.err = x.callInts(x.libs.cublas, function{pattern, t}, x.handles.cublas, args)
	}
}

// work returns the memory of a buffer. It panics if the method does not declare the buffer.
func (x *execution) work(id buffer.ID) driver.Span {
	if !x.how.uses(id) {
		panic(fmt.Sprintf("hip/nvidia: %s uses the buffer %q, which its method does not declare",
			x.args.Routine.CName(), id))
	}
	return x.launch.Buffer(id)
}

// at returns the address of a buffer.
func (x *execution) at(id buffer.ID) int64 { return int64(x.work(id).Ptr) }

// infoOf returns where a call stores its info: the argument, or workspace if the routine has none.
func (x *execution) infoOf(a *routine.Args) int64 {
	if has(a, routine.Info) {
		return a.Int(routine.Info)
	}
	return x.at(buffer.Info)
}

// address returns the address of a place for scalars.
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
		if x.err != nil {
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
		return x.Read(x.stream, to, from)
	})
}

// copy copies bytes on the device.
func (x *execution) copy(to, from int64, bytes int64) {
	x.do(func() error { return x.Copy(x.stream, driver.Ptr(to), driver.Ptr(from), uint64(bytes)) })
}

// write copies from the host to the device.
func (x *execution) write(to driver.Ptr, from []byte) {
	x.do(func() error { return x.Write(x.stream, to, from) })
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
