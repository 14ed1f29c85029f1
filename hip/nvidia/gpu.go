package nvidia

import (
	"sync"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// gpu is one GPU with the libraries' handles for it, and memory that the libraries use during a call.
type gpu struct {
	*native.Device
	libs    *libraries
	handles *handles
	err     error // the first failure of the current call

	workspace driver.Needs // the workspace that NVIDIA recommends for cuBLAS

	info     int32        // written by cuBLAS for arguments, which have been checked
	elements int32        // the size of the scratch, written by cuSOLVER
	found    int32        // the number of eigenvalues in a range, written by cuSOLVER
	sizes    [2]uint64    // the bytes of scratch on the device and on the host, written by cuSOLVER
	host     []byte       // scratch of cuSOLVER on the host
	lists    [3][24]int64 // the arguments of a step
	words    [dl.MaxArgs]uintptr
	last     lastCall
	scalars  *[2][16]byte // alpha and beta while a library reads them; allocated separately, so aligned to 16 bytes
}

// lastCall is the call that directCall made last. A loop often repeats a call, which passes the same words.
type lastCall struct {
	function uintptr // 0 before the first call
	args     routine.Args
	onDevice bool
	result   driver.Ptr // of the first problem
	problem  int64
	words    [dl.MaxArgs]uintptr
	scalars  *[2][16]byte // alpha and beta of the host; allocated separately, so aligned to 16 bytes
}

func newGPU(d *native.Device, libs *libraries) *gpu {
	return &gpu{Device: d, libs: libs, scalars: new([2][16]byte), last: lastCall{scalars: new([2][16]byte)},
		workspace: recommendedWorkspace(d.Properties().Arch)}
}

// do does something, unless the current call has failed.
func (g *gpu) do(call func() error) {
	if g.err == nil {
		g.err = call()
	}
}

// recommendedWorkspace returns the workspace that NVIDIA recommends for cuBLAS: 32 MiB from Hopper on, 4 MiB before.
func recommendedWorkspace(arch string) driver.Needs {
	bytes := uint64(4 << 20)
	if len(arch) > len("sm_90") || arch >= "sm_90" {
		bytes = 32 << 20
	}
	return driver.Needs{Buffers: []driver.Buffer{{ID: buffer.LibraryWorkspace, Bytes: bytes}}, Optional: true}
}

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

// attempt makes calls of the libraries, and returns the first failure.
func (g *gpu) attempt(calls func()) error {
	g.err = nil
	defer g.End()
	if err := g.Begin(); err != nil {
		return err
	}
	calls()
	return g.err
}

// use returns the device's handles, and reuses the handles of an earlier case; nil after a failure.
func (g *gpu) use() *handles {
	if g.handles == nil {
		g.handles = takeIdle(g.ID())
	}
	if g.handles == nil {
		h := &handles{device: g.ID(), stream: ^uintptr(0), solverStream: ^uintptr(0)}
		g.call(g.libs.cublas, "cublasCreate_v2", uintptr(unsafe.Pointer(&h.cublas)))
		if g.err == nil {
			h.kept.allocate(g.libs)
		}
		g.call(g.libs.cusolver, "cusolverDnCreate", uintptr(unsafe.Pointer(&h.cusolver)))
		if g.err == nil {
			g.handles = h
		}
	}
	return g.handles
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
	usable = usable && g.attempt(func() { g.resetStream(0) }) == nil
	g.handles = nil
	if usable {
		idle.Lock()
		idle.list = append(idle.list, h)
		idle.Unlock()
	}
}

// call calls a function of a library by its name.
//
//go:uintptrescapes
func (g *gpu) call(l *library, name string, args ...uintptr) {
	if g.err == nil {
		g.err = l.call(name, args...)
	}
}

// callInts is call for a function whose arguments are a handle and integers. See dl.CallKept for addresses among them.
func (g *gpu) callInts(l *library, f function, handle uintptr, args []int64) error {
	address, err := l.symbol(f)
	if err != nil {
		return err
	}
	g.words[0] = handle
	for i, v := range args {
		g.words[1+i] = uintptr(v)
	}
	return l.check(f, dl.CallKept(address, g.words[:1+len(args)]))
}

// setStream makes cuBLAS queue in a stream. cuBLAS then uses its own workspace again.
func (g *gpu) setStream(stream uintptr) {
	if g.handles.stream != stream {
		g.resetStream(stream)
	}
}

func (g *gpu) resetStream(stream uintptr) {
	g.call(g.libs.cublas, "cublasSetStream_v2", g.handles.cublas, stream)
	if g.err == nil {
		g.handles.stream, g.handles.workspace = stream, driver.Span{}
	}
}

// workspaceAlignment is the alignment that cuBLAS needs for its workspace.
const workspaceAlignment = 256

// setWorkspace gives cuBLAS a workspace. Without one, or with a smaller one than NVIDIA recommends, cuBLAS uses its
// own, because some of its kernels write beyond a workspace that is too small for them, and to a null pointer.
func (g *gpu) setWorkspace(w driver.Span) {
	h := g.handles
	if w.Bytes < g.recommended() || w.Ptr%workspaceAlignment != 0 {
		w = driver.Span{}
	}
	switch {
	case h.workspace == w:
	case w.Ptr == 0:
		g.resetStream(h.stream)
	default:
		if g.call(g.libs.cublas, "cublasSetWorkspace_v2", h.cublas, uintptr(w.Ptr), uintptr(w.Bytes)); g.err == nil {
			h.workspace = w
		}
	}
}

// setPointerMode sets whether scalars and results are in device memory.
func (g *gpu) setPointerMode(onDevice bool) {
	h, mode := g.handles, uintptr(0)
	if h.onDevice == onDevice {
		return
	}
	if onDevice {
		mode = 1
	}
	if g.call(g.libs.cublas, "cublasSetPointerMode_v2", h.cublas, mode); g.err == nil {
		h.onDevice = onDevice
	}
}

// setSolverStream makes cuSOLVER queue in a stream.
func (g *gpu) setSolverStream(stream uintptr) {
	h := g.handles
	if h.solverStream == stream {
		return
	}
	if g.call(g.libs.cusolver, "cusolverDnSetStream", h.cusolver, stream); g.err == nil {
		h.solverStream = stream
	}
}
