package nvidia

import (
	"encoding/binary"
	"fmt"

	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// execution is one call of the libraries.
type execution struct {
	*device
	how    *method
	h      *handles
	stream driver.Stream
	launch *driver.Launch
	args   *routine.Args
}

// Execute queues a routine in a stream.
func (d *device) Execute(s driver.Stream, l *driver.Launch) error {
	how, reason := methodOf(l.Args.Routine)
	if reason != "" {
		return notComputed(l.Args.Routine, reason)
	}
	if l.Args.Empty() { // only info is set
		bytes := element(l.Args, routine.Info) * uint64(l.Args.Batch())
		return d.Fill(s, driver.Ptr(l.Args.Ptr(routine.Info)), 0, bytes)
	}
	return d.WithDevice(func() error {
		h, err := d.use()
		if err != nil {
			return err
		}
		d.running = execution{d, how, h, s, l, l.Args}
		x := &d.running
		if err := x.setStream(h, streamHandle(s)); err != nil {
			return err
		}
		workspace := driver.Span{} // the workspace of the call before does not belong to this one
		if how.uses(buffer.LibraryWorkspace) {
			workspace = x.work(buffer.LibraryWorkspace)
		}
		if err := x.setWorkspace(h, workspace); err != nil {
			return err
		}
		err = how.run(x)
		h.failed = h.failed || err != nil && x.Capturing()
		return err
	})
}

func notComputed(r *routine.Routine, reason string) error {
	return driver.Faultf(driver.ErrorNotSupported, "%s: not computed on nvidia: %s", r.CName(), reason)
}

// Needs asks the libraries what workspace a call needs.
func (d *device) Needs(a *routine.Args) (driver.Needs, error) {
	how, reason := methodOf(a.Routine)
	if reason != "" {
		return driver.Needs{}, notComputed(a.Routine, reason)
	}
	var n driver.Needs
	err := d.WithDevice(func() (err error) {
		n, err = how.needs(d, a)
		return err
	})
	return n, err
}

// work returns the memory of a buffer. It panics if the method does not declare the buffer.
func (x *execution) work(id buffer.ID) driver.Span {
	if !x.how.uses(id) {
		panic(fmt.Sprintf("hip/nvidia: %s uses the buffer %q, which its method does not declare",
			x.args.Routine.CName(), id))
	}
	return x.launch.Buffer(id)
}

// element returns the bytes of one element of an array.
func element(a *routine.Args, s routine.Slot) uint64 {
	p, ok := a.Routine.ParamAt(s)
	if !ok {
		return 0
	}
	return uint64(a.ElementBytes(p))
}

// scalar stores the host value of a scalar in memory that the library can read, and returns its address.
func (x *execution) scalar(s routine.Slot) *byte {
	p, _ := x.args.Routine.ParamAt(s)
	return x.scalarAs(s, x.args.Datatype(p))
}

// scalarAs is scalar for a library that reads another datatype.
func (x *execution) scalarAs(s routine.Slot, datatype int64) *byte {
	i := routine.ScalarIndex(s) % len(x.scalars) // alpha and beta, or cosine and sine
	number.Store(datatype, x.scalars[i][:], x.args.Scalar(s))
	return &x.scalars[i][0]
}

// problems runs a call once for each problem of a batch, with the arguments of the plain routine.
func (x *execution) problems(run func(*routine.Args) error) error {
	r := x.args.Routine
	if r.Variant == routine.Plain {
		return run(x.args)
	}
	plain, _ := routine.Sibling(r, routine.Plain)
	lists, err := x.pointerLists()
	if err != nil {
		return err
	}
	one := plain.New()
	for b := range x.args.Batch() {
		for i := range plain.Params {
			x.place(one, &plain.Params[i], b, lists)
		}
		if err := run(one); err != nil {
			return err
		}
	}
	return nil
}

// place gives a plain routine's argument its value for problem b.
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

// distance returns the elements between two problems' arrays: their stride, or their length if they are adjacent.
func (x *execution) distance(p *routine.Param) int64 {
	if q, ok := x.args.Routine.Companion(p.Slot, routine.Stride); ok {
		return x.args.Int(q.Slot)
	}
	return p.Rows.Of(x.args)
}

// fetch copies from the device to the host, which waits. In a captured stream it fails and invalidates the capture.
func (x *execution) fetch(to []byte, from driver.Ptr) error {
	if x.Captures(x.stream) {
		return x.stream.Synchronize()
	}
	return x.Read(x.stream, to, from)
}

// pointerLists copies the arrays of pointers of a batch to the host. It waits for work of the stream that writes them.
func (x *execution) pointerLists() (map[routine.Slot][]byte, error) {
	lists := map[routine.Slot][]byte{}
	for i := range x.args.Routine.Params {
		p := &x.args.Routine.Params[i]
		if p.Kind != routine.ArrayOfArrays || x.args.Null(p.Slot) {
			continue
		}
		list := make([]byte, 8*x.args.Batch())
		if err := x.fetch(list, driver.Ptr(x.args.Ptr(p.Slot))); err != nil {
			return nil, err
		}
		lists[p.Slot] = list
	}
	return lists, nil
}
