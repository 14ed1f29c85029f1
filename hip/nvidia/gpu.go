package nvidia

import (
	"sync"
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/routine/buffer"
)

// gpu is one GPU with the libraries' handles for it, and memory that the libraries use during a call.
type gpu struct {
	*native.Device
	libs    *libraries
	handles *handles

	workspace driver.Needs // the workspace that NVIDIA recommends for cuBLAS

	info     int32        // written by cuBLAS for arguments, which have been checked
	elements int32        // the size of the scratch, written by cuSOLVER
	found    int32        // the number of eigenvalues in a range, written by cuSOLVER
	sizes    [2]uint64    // the bytes of scratch on the device and on the host, written by cuSOLVER
	host     []byte       // scratch of cuSOLVER on the host
	lists    [3][24]int64 // the arguments of a step
	scalars  *[2][16]byte // alpha and beta while a library reads them; allocated separately, so aligned to 16 bytes
}

func newGPU(d *native.Device, libs *libraries) *gpu {
	return &gpu{Device: d, libs: libs, scalars: new([2][16]byte), workspace: recommendedWorkspace(d.Properties().Arch)}
}

// recommendedWorkspace returns the workspace that NVIDIA recommends for cuBLAS: 32 MiB from Hopper on, 4 MiB before.
func recommendedWorkspace(arch string) driver.Needs {
	bytes := uint64(4 << 20)
	if len(arch) > len("sm_90") || arch >= "sm_90" {
		bytes = 32 << 20
	}
	return driver.Needs{Buffers: []driver.Buffer{{ID: buffer.LibraryWorkspace, Bytes: bytes}}, Optional: true}
}

// recommended returns the bytes of the workspace that NVIDIA recommends.
func (g *gpu) recommended() uint64 { return g.workspace.Buffers[0].Bytes }

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

// use returns the device's handles, and reuses the handles of an earlier case.
func (g *gpu) use() (*handles, error) {
	if g.handles != nil {
		return g.handles, nil
	}
	if g.handles = takeIdle(g.Index()); g.handles != nil {
		return g.handles, nil
	}
	h := &handles{device: g.Index(), stream: ^uintptr(0), solverStream: ^uintptr(0)}
	err := g.WithDevice(func() error {
		if err := g.libs.cublas.call("cublasCreate_v2", uintptr(unsafe.Pointer(&h.cublas))); err != nil {
			return err
		}
		h.kept.allocate(g.libs)
		return g.libs.cusolver.call("cusolverDnCreate", uintptr(unsafe.Pointer(&h.cusolver)))
	})
	if err != nil {
		return nil, err
	}
	g.handles = h
	return h, nil
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
// they are unusable.
func (g *gpu) release(usable bool) {
	if g.handles == nil {
		return
	}
	h := g.handles
	h.kept.forget()
	usable = usable && g.WithDevice(func() error { return g.resetStream(0) }) == nil
	g.handles = nil
	if usable {
		idle.Lock()
		idle.list = append(idle.list, h)
		idle.Unlock()
	}
}

// setStream makes cuBLAS queue in a stream. cuBLAS then uses its own workspace again.
func (g *gpu) setStream(stream uintptr) error {
	if g.handles.stream == stream {
		return nil
	}
	return g.resetStream(stream)
}

func (g *gpu) resetStream(stream uintptr) error {
	if err := g.libs.cublas.call("cublasSetStream_v2", g.handles.cublas, stream); err != nil {
		return err
	}
	g.handles.stream, g.handles.workspace = stream, driver.Span{}
	return nil
}

// workspaceAlignment is the alignment that cuBLAS needs for its workspace.
const workspaceAlignment = 256

// setWorkspace gives cuBLAS a workspace. Without one, or with a smaller one than NVIDIA recommends, cuBLAS uses its
// own, because some of its kernels write beyond a workspace that is too small for them, and to a null pointer.
func (g *gpu) setWorkspace(w driver.Span) error {
	h := g.handles
	if w.Bytes < g.recommended() || w.Ptr%workspaceAlignment != 0 {
		w = driver.Span{}
	}
	switch {
	case h.workspace == w:
		return nil
	case w.Ptr == 0:
		return g.resetStream(h.stream)
	}
	if err := g.libs.cublas.call("cublasSetWorkspace_v2", h.cublas, uintptr(w.Ptr), uintptr(w.Bytes)); err != nil {
		return err
	}
	h.workspace = w
	return nil
}

// setPointerMode sets whether scalars and results are in device memory.
func (g *gpu) setPointerMode(onDevice bool) error {
	h := g.handles
	if h.onDevice == onDevice {
		return nil
	}
	mode := uintptr(0)
	if onDevice {
		mode = 1
	}
	if err := g.libs.cublas.call("cublasSetPointerMode_v2", h.cublas, mode); err != nil {
		return err
	}
	h.onDevice = onDevice
	return nil
}

// setSolverStream makes cuSOLVER queue in a stream.
func (g *gpu) setSolverStream(stream uintptr) error {
	h := g.handles
	if h.solverStream == stream {
		return nil
	}
	if err := g.libs.cusolver.call("cusolverDnSetStream", h.cusolver, stream); err != nil {
		return err
	}
	h.solverStream = stream
	return nil
}
