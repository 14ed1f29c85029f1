package nvidia

import (
	"sync"
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/native"
)

// handles are a cuBLAS and a cuSOLVER handle of one device, with the state that was last set in them. The state is kept
// because setting it takes as long as a small call.
type handles struct {
	device           int
	cublas, cusolver uintptr

	jacobi, singularJacobi uintptr // options of Jacobi's method; 0 until they are used
	options                uintptr // options of functions for 64-bit integers; 0 until they are used

	stream, solverStream uintptr
	workspace            driver.Span
	onDevice             bool
	failed               bool // a call failed during a capture

	kept kept
}

// idle are handles that no case uses. They are kept because creating one takes a large part of a second.
var idle struct {
	sync.Mutex
	list []*handles
}

// use returns the device's handles, those of an earlier case if there are any.
func (d *device) use() (*handles, error) {
	if d.handles != nil {
		return d.handles, nil
	}
	if d.handles = takeIdle(d.Index()); d.handles != nil {
		return d.handles, nil
	}
	h := &handles{device: d.Index(), stream: ^uintptr(0), solverStream: ^uintptr(0)}
	err := d.WithDevice(func() error {
		if err := d.libs.cublas.call("cublasCreate_v2", uintptr(unsafe.Pointer(&h.cublas))); err != nil {
			return err
		}
		h.kept.allocate(d.libs)
		return d.libs.cusolver.call("cusolverDnCreate", uintptr(unsafe.Pointer(&h.cusolver)))
	})
	if err != nil {
		return nil, err
	}
	d.handles = h
	return h, nil
}

// BeginCapture creates the handles first, because the libraries cannot create them while a stream is captured.
func (d *device) BeginCapture(s driver.Stream, mode driver.CaptureMode) error {
	if _, err := d.use(); err != nil {
		return err
	}
	return d.Device.BeginCapture(s, mode)
}

// EndCapture ends a capture. cuSOLVER reports the error of a call that invalidated the capture again for the next call
// of the thread, from a runtime that is linked into it and cannot be asked. So that is a call without effect here.
func (d *device) EndCapture(s driver.Stream) (driver.Graph, error) {
	g, err := d.Device.EndCapture(s)
	if d.handles != nil && d.handles.failed && !d.Capturing() {
		d.handles.failed = false
		d.WithDevice(func() error { return d.discardError(d.handles) })
	}
	return g, err
}

// discardError factorizes a matrix of one element.
func (d *device) discardError(h *handles) error {
	if err := d.setSolverStream(h, 0); err != nil {
		return err
	}
	size := []uintptr{h.cusolver, 1, 1, 0, 1}
	err := d.libs.cusolver.call("cusolverDnDgeqrf_bufferSize", append(size, uintptr(unsafe.Pointer(&d.elements)))...)
	if err != nil {
		return err
	}
	bytes := uint64(8 * (d.elements + 3)) // the matrix, tau, info and the scratch
	p, err := d.Malloc(bytes)
	if err != nil {
		return err
	}
	defer d.Free(p)
	if err := d.Fill(d.NullStream(), p, 0, bytes); err != nil {
		return err
	}
	at := uintptr(p)
	return d.libs.cusolver.call("cusolverDnDgeqrf", h.cusolver, 1, 1, at, 1, at+8, at+24, uintptr(d.elements), at+16)
}

func takeIdle(device int) *handles {
	idle.Lock()
	defer idle.Unlock()
	for i, h := range idle.list {
		if h.device == device {
			idle.list = append(idle.list[:i], idle.list[i+1:]...)
			return h
		}
	}
	return nil
}

// release keeps the handles for the next case, without the memory and streams of this one. After an error of the device
// they cannot be used again.
func (d *device) release(usable bool) {
	if d.handles == nil {
		return
	}
	h := d.handles
	d.handles = nil
	h.kept.forget()
	if usable && d.WithDevice(func() error { return d.resetStream(h, 0) }) == nil {
		idle.Lock()
		idle.list = append(idle.list, h)
		idle.Unlock()
	}
}

// setStream makes cuBLAS queue in a stream, which also resets its workspace to its own.
func (d *device) setStream(h *handles, stream uintptr) error {
	if h.stream == stream {
		return nil
	}
	return d.resetStream(h, stream)
}

func (d *device) resetStream(h *handles, stream uintptr) error {
	if err := d.libs.cublas.call("cublasSetStream_v2", h.cublas, stream); err != nil {
		return err
	}
	h.stream, h.workspace = stream, driver.Span{}
	return nil
}

// workspaceAlignment is the alignment that cuBLAS needs for its workspace.
const workspaceAlignment = 256

// setWorkspace gives cuBLAS a workspace. Without one, or with a smaller one than NVIDIA recommends, cuBLAS uses its
// own, because some of its kernels write beyond a workspace that is too small for them, and to a null pointer.
func (d *device) setWorkspace(h *handles, w driver.Span) error {
	if w.Bytes < d.recommended() || w.Ptr%workspaceAlignment != 0 {
		w = driver.Span{}
	}
	switch {
	case h.workspace == w:
		return nil
	case w.Ptr == 0:
		return d.resetStream(h, h.stream)
	}
	if err := d.libs.cublas.call("cublasSetWorkspace_v2", h.cublas, uintptr(w.Ptr), uintptr(w.Bytes)); err != nil {
		return err
	}
	h.workspace = w
	return nil
}

// setPointerMode sets whether scalars and results are in device memory.
func (d *device) setPointerMode(h *handles, onDevice bool) error {
	if h.onDevice == onDevice {
		return nil
	}
	mode := uintptr(0)
	if onDevice {
		mode = 1
	}
	if err := d.libs.cublas.call("cublasSetPointerMode_v2", h.cublas, mode); err != nil {
		return err
	}
	h.onDevice = onDevice
	return nil
}

func (d *device) setSolverStream(h *handles, stream uintptr) error {
	if h.solverStream == stream {
		return nil
	}
	if err := d.libs.cusolver.call("cusolverDnSetStream", h.cusolver, stream); err != nil {
		return err
	}
	h.solverStream = stream
	return nil
}

// streamHandle returns CUDA's handle of a stream.
func streamHandle(s driver.Stream) uintptr { return s.(*native.Stream).Handle() }
