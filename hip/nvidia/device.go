package nvidia

import (
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/hip/routine/region"
)

// device implements hip/driver for one GPU.
type device struct {
	*gpu
	running execution    // the current call or query
	query   routine.Args // of the current query
}

func newDevice(d *native.Device, libs *libraries) *device { return &device{gpu: newGPU(d, libs)} }

// Execute queues a routine in a stream.
func (d *device) Execute(s driver.Stream, l *driver.Launch) error {
	how, reason := methodOf(l.Args.Routine)
	if reason != "" {
		return notComputed(l.Args.Routine, reason)
	}
	if l.Args.Empty() {
		x := execution{gpu: d.gpu, stream: s, args: l.Args}
		return d.attempt(x.zeroResults)
	}
	d.err = nil
	defer d.End()
	if err := d.Begin(); err != nil {
		return err
	}
	d.run(how, s, l)
	return d.err
}

// run computes a call between Begin and End.
func (d *device) run(how *method, s driver.Stream, l *driver.Launch) {
	h := d.use()
	if h == nil {
		return
	}
	d.running = execution{gpu: d.gpu, stream: s, launch: l, args: l.Args}
	x := &d.running
	d.setStream(streamHandle(s))
	d.setWorkspace(l.Buffer(buffer.LibraryWorkspace)) // the previous call had another
	if d.err != nil {
		return
	}
	how.run(x)
	h.failed = h.failed || d.err != nil && d.Capturing()
}

// zeroResults zeroes the results of an empty call. It waits when it reads arrays of pointers.
func (x *execution) zeroResults() {
	list := region.Of(x.args)
	for i := range list {
		r, parts := &list[i], list[i:i+1]
		if r.Indirect {
			pointers := make([]uint64, r.Count)
			x.fetch(unsafe.Slice((*byte)(unsafe.Pointer(&pointers[0])), 8*len(pointers)), driver.Ptr(r.Base))
			parts = r.Through(pointers)
		}
		for _, part := range parts {
			width := part.Rows * part.Elem
			for b := uint64(0); b < part.Count && r.Access.Writes(); b++ {
				at := driver.Ptr(part.Base + b*part.Stride)
				x.do(func() error { return x.Clear2D(x.stream, at, max(part.Pitch, width), width, part.Cols) })
			}
		}
	}
}

func notComputed(r *routine.Routine, reason string) error {
	return driver.Faultf(driver.ErrorNotSupported, "%s: not computed on nvidia: %s", r.CName(), reason)
}

// noLaunch is the launch of queries.
var noLaunch driver.Launch

// Needs asks the libraries for the workspace of a call. An empty call needs none.
func (d *device) Needs(a *routine.Args) (driver.Needs, error) {
	how, reason := methodOf(a.Routine)
	if reason != "" {
		return driver.Needs{}, notComputed(a.Routine, reason)
	}
	switch {
	case a.Empty():
		return driver.Needs{}, nil
	case how.needs != nil:
		return how.needs(d.gpu, a), nil
	}
	d.query = *a
	for i := range a.Routine.Params {
		if p := &a.Routine.Params[i]; p.Kind.IsPointer() {
			d.query.SetPtr(p.Slot, 0)
		}
	}
	d.running = execution{gpu: d.gpu, launch: &noLaunch, args: &d.query, sizing: true}
	err := d.attempt(func() { how.run(&d.running) })
	return d.running.needs, err
}

// BeginCapture creates the handles first, because the libraries cannot create them while a stream is captured.
func (d *device) BeginCapture(s driver.Stream, mode driver.CaptureMode) error {
	if err := d.attempt(func() { d.use() }); err != nil {
		return err
	}
	return d.Device.BeginCapture(s, mode)
}

// EndCapture ends a capture. cuBLAS and cuSOLVER repeat the error of a call that invalidated the capture for the next
// call of the thread, from runtimes that are linked into them and cannot be asked. So EndCapture makes a call without
// effect of each library.
func (d *device) EndCapture(s driver.Stream) (driver.Graph, error) {
	g, err := d.Device.EndCapture(s)
	if d.handles != nil && d.handles.failed && !d.Capturing() {
		d.handles.failed = false
		d.attempt(d.discardErrors)
	}
	return g, err
}

// discardErrors solves a system of one equation with cuBLAS, which may fail with the old error, and factorizes a matrix
// of one element with cuSOLVER.
func (d *device) discardErrors() {
	blas, solver, h := d.libs.cublas, d.libs.cusolver, d.handles
	d.setStream(0)
	d.setPointerMode(false)
	d.withZeros(16, func(at uintptr) error {
		blas.call("cublasDtrsm_v2", h.cublas, 0, 0, 0, 1, 1, 1, uintptr(unsafe.Pointer(d.scalars)), at, 1, at+8, 1)
		return nil
	})
	d.setSolverStream(0)
	d.call(solver, "cusolverDnDgeqrf_bufferSize", h.cusolver, 1, 1, 0, 1, uintptr(unsafe.Pointer(&d.elements)))
	d.withZeros(uint64(8*(d.elements+3)), func(at uintptr) error { // the matrix, tau, info and the scratch
		return solver.call("cusolverDnDgeqrf", h.cusolver, 1, 1, at, 1, at+8, at+24, uintptr(d.elements), at+16)
	})
}

// withZeros makes a call with device memory that holds zeros.
func (d *device) withZeros(bytes uint64, call func(at uintptr) error) {
	d.do(func() error {
		p, err := d.Malloc(bytes)
		if err != nil {
			return err
		}
		defer d.Free(p)
		if err := d.Fill(d.NullStream(), p, 0, bytes); err != nil {
			return err
		}
		return call(uintptr(p))
	})
}
