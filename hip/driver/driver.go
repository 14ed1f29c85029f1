// Package driver defines the interfaces that a platform implements: device memory, streams, events and the routines of
// the table. Package hip is the only caller. It adds the parts that all platforms share (calls by name, traces,
// statistics, owners of memory), and scripts use only hip.
//
// A Runtime is opened once per case. Its methods are called from one goroutine at a time, by the host thread of that
// case, or by several threads that take turns: see Thread. How the device works at the same time is up to the
// platform. Device memory is owned by the platform until Close. Errors have type Error where HIP has a code for them.
//
// A platform implements Driver, Runtime, Device, Stream and Event. Its types embed Unsupported and replace the methods
// that the platform has: the others return ErrorNotSupported, or do nothing where the feature only informs.
// Capabilities are the features that a caller has to know in advance.
//
// A platform registers its Driver by hip.Register and is tested by the package hip/drivertest.
package driver

import (
	"context"
	"fmt"
	"sync"
	"time"

	"roclua/hip/routine"
)

// Ptr is a device address; 0 is the null pointer. The host cannot dereference it.
type Ptr uint64

// Config is the configuration of a platform for a case.
type Config struct {
	Devices     int      // number of devices; 0 is one simulated device, or all devices of the machine
	IDs         []int    // numbers of the machine's devices, instead of Devices; device 0 is the first of them
	Archs       []string // architecture of each simulated device, instead of Devices and Arch
	Arch        string   // architecture that the devices report, "gfx90a"; "" leaves it to the platform
	MemoryBytes uint64   // device memory of each device; 0 leaves it to the platform
	Memories    []uint64 // device memory of each simulated device, instead of MemoryBytes; 0 leaves one to MemoryBytes
	Unchecked   bool     // a simulated device does not check the contents of its memory
	Threads     int      // processors that one call may use on the cpu platform; 0 is all of them
	NoPools     bool     // a simulated device does not support memory pools
	Kernels     Kernels  // the work of a simulated device's kernels

	RealTime bool               // the times of a simulated device are those of the machine
	Time     map[string]float64 // values of the model of a simulated device's time, instead of the architecture's

	// WaitsFindGlobal: on a simulated device, see the field of this name in release.Release.
	WaitsFindGlobal bool
}

// Kernels is the work of a simulated device's kernels.
type Kernels int

// Kernels that do not compute are for programs whose numbers are not known. To claim is to use the memory of the handle
// and each argument, in order and for its lifetime: a recorded program does so. An address that is not the device's is
// skipped, in copies, too, and memory that was freed is a hazard, not a fault.
const (
	KernelsCompute Kernels = iota
	KernelsClaim           // memory, and nothing else
	KernelsIdle            // they neither use memory nor check it
	KernelsOff             // they take their time and compute nothing; reading their results is an error
)

// MaxDevices is the largest number of devices of a runtime.
const MaxDevices = 16

// Driver is a platform.
type Driver interface {
	// Open starts a runtime with its own devices. An error names the libraries that were looked for and the missing
	// ones; without a device its code is ErrorNoDevice.
	Open(Config) (Runtime, error)
	// Probe reports the libraries and devices of this machine for a configuration, and missing ones. Package hip adds
	// the devices or the problem of Open to a report with neither.
	Probe(Config) Report
	// Computes returns the names of the functions that compute a routine, or the reason why there are none. Both are ""
	// if the platform does not say.
	Computes(r *routine.Routine) (by, reason string)
}

// Capabilities are the features of a platform on which its callers depend.
type Capabilities struct {
	Executes    bool // devices compute the routines of the table: see Device.Execute
	Hazards     bool // devices detect unordered uses of memory: see Device.Hazards
	Library     bool // the platform has the vendor's library, and its handles are not modelled: see Device.NewHandle
	KeepsErrors bool // the vendor's libraries read the last error of each thread: see Runtime.LastError
}

// Runtime is a platform that was opened for one case: its devices.
type Runtime interface {
	Capabilities() Capabilities
	// Devices returns the devices, at least one. Device i has number i.
	Devices() []Device
	// Close waits for running kernels and frees everything that is still open.
	Close() error

	// SetLocator sets the function that returns the current call. The runtime calls it only while one of its methods
	// runs: its hazards and faults say which call used the memory and where the script made it.
	SetLocator(func() Site)
	// SetContext sets the context of the host. When it ends while the host waits for a device, the wait fails with
	// ErrorLaunchTimeOut, and so does every later use of the device, including Close.
	SetContext(context.Context)
	// StagedBytes returns the host memory that data of Write takes now, until its stream reaches the copy.
	StagedBytes() uint64
	// SetDevice makes a device the current one of the thread, for the vendor's libraries. Device 0 is it at first.
	// Numbers without a device are an error, which the vendor's runtime keeps, too.
	SetDevice(device int) error
	// LastError returns the last error of the calling thread, as hipPeekAtLastError does, or resets it too, as
	// hipGetLastError does.
	LastError(reset bool) Error

	// Thread returns the thread that makes the calls now. It is nil on a platform with one thread of the host.
	Thread() Thread
	// NewThread makes a thread for the goroutine that calls it. The new one has waited for the same work as the current
	// one. From then on the runtime waits for devices by calls of pause, which runs the wait while other threads make
	// calls. Without pause the new thread belongs to the same goroutine, and waits of the current one count for it,
	// too.
	NewThread(pause func(wait func())) Thread

	// Clock returns the virtual time of the host and its devices; nil if the time is the machine's.
	Clock() Clock
}

// Clock is the virtual time of a host, whose goroutines run one at a time. Of those that call a device, the one with
// the least time runs.
type Clock interface {
	// Now returns the time of the goroutine that runs.
	Now() time.Duration
	// Set sets the time of the goroutine that runs, which makes the calls of several threads.
	Set(time.Duration)
	// Look makes the goroutine that runs spend the time of a look at the clock.
	Look()
	// WaitUntil lets other goroutines run until a time.
	WaitUntil(time.Duration)
	// NewPlace returns functions like the methods of a sync.Cond.
	NewPlace(l sync.Locker) (wait, signal, broadcast func())
	// Go runs a function in a new goroutine, which has the time of the current one.
	Go(run func())
	// Turn lets goroutines run whose time is less. Those that share a runtime call it before a call of a device.
	Turn()
}

// Thread is a thread of the host: it has a context, a capture mode, functions of LaunchHostFunc, and, on platforms that
// detect hazards, the work that it has waited for.
type Thread interface {
	// Enter makes it the thread that makes the calls that follow.
	Enter()
	// RunHostFuncs runs the functions that the thread has queued, which may run when their streams reach them.
	RunHostFuncs() error
	// Moment returns the current point of the thread, on platforms that detect hazards.
	Moment() Moment
	// Follows reports whether a moment of any thread comes before the next work of this one, because it waited for work
	// that was queued after the moment. On platforms that do not detect hazards the answer is always true.
	Follows(Moment) bool
	// Close ends the thread. It is called by the goroutine that made it, while it makes the calls.
	Close()
}

// Moment is a point in the work of a thread. The zero value is before everything.
type Moment struct {
	Slot   int // of the thread in vector clocks
	Number uint64
}

// Site is a call and the line of the script that made it.
type Site struct {
	Call   string // as in C: "hipMalloc", "rocblas_dgemm"
	Origin string // "solve.lua:12"; "" when the host made the call
	Handle int    // the number of the handle that a library made the call for; 0 for none

	Launched string // the line that launched the graph, for a node of a graph; "" for other calls
}

// String returns "hipMalloc at solve.lua:12".
func (s Site) String() string {
	switch {
	case s.Origin == "":
		return s.Call
	case s.Launched != "":
		return s.Call + " at " + s.Origin + ", launched at " + s.Launched
	}
	return s.Call + " at " + s.Origin
}

// Device is one GPU.
type Device interface {
	Properties() Properties
	// Attribute implements hipDeviceGetAttribute.
	Attribute(Attribute) (int, error)
	// MemInfo returns the free and the total bytes of device memory.
	MemInfo() (free, total uint64, err error)

	// Malloc implements hipMalloc: it waits for the whole device. For 0 bytes it returns the null pointer and no error.
	Malloc(bytes uint64) (Ptr, error)
	// Free implements hipFree: it waits for the whole device. Freeing the null pointer does nothing.
	Free(Ptr) error

	// NullStream returns the stream that hipStream_t 0 names. It waits for all blocking streams, and they wait for it.
	NullStream() Stream
	// NewStream makes a stream. A non-blocking stream does not synchronize with the null stream.
	NewStream(nonBlocking bool) (Stream, error)
	// NewEvent makes an event that is not recorded yet.
	NewEvent() (Event, error)

	// Write and Read copy between host and device in stream order. Write copies its data before it returns. Read fills
	// dst when the stream reaches the copy, so the caller waits for the stream before it reads dst. Bytes between rows
	// are neither read nor written.
	Write(s Stream, dst Ptr, src []byte, r Rows) error
	Read(s Stream, dst []byte, src Ptr, r Rows) error
	// Copy copies between device addresses in stream order. Rows.HostPitch is the pitch of the source.
	Copy(s Stream, dst, src Ptr, r Rows) error
	// Fill sets bytes to one value in stream order.
	Fill(s Stream, dst Ptr, value byte, bytes uint64) error

	// Synchronize waits for every stream and returns the first fault of a kernel.
	Synchronize() error

	memory
	work
	captures
	checks
	library
}

// memory are the methods of a Device for kinds of memory that not every platform has.
type memory interface {
	// MallocAsync implements hipMallocAsync: it allocates memory that can be used in stream order. For 0 bytes it
	// returns the null pointer and no error.
	MallocAsync(s Stream, bytes uint64) (Ptr, error)
	// FreeAsync frees memory in stream order. Freeing the null pointer does nothing.
	FreeAsync(s Stream, p Ptr) error
	// TrimPool returns unused memory of the pool to the device until the pool has at most keep bytes.
	TrimPool(keep uint64) error
	// SetPoolAttribute implements hipMemPoolSetAttribute, PoolAttribute hipMemPoolGetAttribute.
	SetPoolAttribute(a PoolAttribute, value uint64) error
	PoolAttribute(a PoolAttribute) (uint64, error)
	// MallocManaged implements hipMallocManaged: memory that the host can access too. Free frees the memory.
	MallocManaged(bytes uint64) (Ptr, error)
	// UseOnHost returns managed memory, which the host can use as elements of a type until it is freed. Where hazards
	// are detected, an access that is not ordered after work in streams is one, and waits for the work.
	UseOnHost(p Ptr, bytes uint64, a routine.Access, e Element) ([]byte, error)

	// CanAccessPeer implements hipDeviceCanAccessPeer. A peer is the number of another device of the runtime, whose
	// memory kernels can use. Copies between devices need no access.
	CanAccessPeer(peer int) (bool, error)
	// EnablePeerAccess implements hipDeviceEnablePeerAccess.
	EnablePeerAccess(peer int) error
	// DisablePeerAccess implements hipDeviceDisablePeerAccess.
	DisablePeerAccess(peer int) error
}

// work are the methods of a Device for work in streams that not every platform does.
type work interface {
	// Execute queues one call of the table in stream order and returns when it is queued. Its arguments have passed the
	// library's checks. The table says which memory a kernel may use; use of any other memory is a fault of the device.
	Execute(s Stream, l *Launch) error
	// Needs queries the workspace that a call needs. Launch.Work contains the buffers in the same order.
	Needs(*routine.Args) (Needs, error)
	// SearchNumbers queues a search of one array of a call for NaN, zeros, infinities and denormal numbers, as rocBLAS
	// does with ROCBLAS_CHECK_NUMERICS. It writes a byte for each kind of number to found, in the order of Numbers: 1
	// for a kind that the array has. Bytes of other kinds stay as they are.
	SearchNumbers(s Stream, a *routine.Args, array *routine.Param, found Ptr) error
	// Claim queues the use of memory in stream order, as a copy or a fill of unknown bytes: see KernelsClaim. It reads
	// the first list and writes the second one.
	Claim(s Stream, read, written []Span) error

	// NamedStream returns the stream of StreamLegacy or StreamPerThread. It is never destroyed.
	NamedStream(number int) (Stream, error)
	// LaunchHostFunc queues a call of run in stream order: later work of the stream waits until run returns. run is
	// called on the goroutine of the host while it waits for the device in one of the methods of the platform, and
	// makes no call of the platform. It is not called after a fault of the device, or if the runtime is closed before.
	// at is the captured call with its launch; it is empty where the platform does not know it.
	LaunchHostFunc(s Stream, run func(at Site)) error
}

// checks are the methods of a Device that detect wrong uses of memory.
type checks interface {
	// Hazards returns the unordered uses of the same memory by two streams that were detected since the last call,
	// ordered by the later use.
	Hazards() []Hazard
	// LastCopy returns the work that was queued last on a stream, a copy to host memory. If the stream is captured, the
	// result is the copy of the latest launch. It is nil if the platform does not detect uses of host memory by the
	// host that are not ordered after a copy to it.
	LastCopy(s Stream) HostCopy

	// SetElement declares the type of the elements that memory holds. Memory that was not written stays unwritten.
	SetElement(p Ptr, r Rows, e Element)
	// CheckElement returns a *MismatchError if memory holds elements of another type.
	CheckElement(p Ptr, r Rows, e Element) error
	// UnwrittenReads returns the reads of unwritten memory since the last call, in the order of their calls.
	UnwrittenReads() []UnwrittenRead
}

// Stream is an ordered queue of work on one device.
type Stream interface {
	// ID returns the stream's number in traces: 0 for the null stream, then 1, 2, ...
	ID() int
	// Synchronize waits for the stream's work and returns the fault of a kernel.
	Synchronize() error
	// Query returns nil when the stream has no work left, ErrorNotReady otherwise.
	Query() error
	// WaitEvent makes work that is queued from now on wait for the event as it was last recorded.
	WaitEvent(Event) error
	// Destroy ends the stream. Queued work is still done.
	Destroy() error
}

// The numbers of hipStreamLegacy, which is the null stream, and hipStreamPerThread, the blocking stream of a thread. A
// library does not recognize the first one as the null stream.
const (
	StreamLegacy    = 1
	StreamPerThread = 2
)

// Event marks a point of a stream.
type Event interface {
	// Record marks the work that is queued in the stream so far.
	Record(Stream) error
	// Synchronize waits until the stream has reached the event.
	Synchronize() error
	// Query returns nil when the stream has reached the event, ErrorNotReady otherwise.
	Query() error
	// Since returns the time from an earlier event of the device to this one; ErrorNotReady while a stream has not
	// reached one of them.
	Since(earlier Event) (time.Duration, error)
	// Destroy frees the event. Streams that wait for it continue to wait.
	Destroy() error
}

// PoolAttribute is a hipMemPoolAttr.
type PoolAttribute int

// The attributes, numbered as in hip_runtime_api.h. The first three permit reuse of memory and are 32-bit integers.
const (
	PoolReuseFollowEventDependencies   PoolAttribute = 1
	PoolReuseAllowOpportunistic        PoolAttribute = 2
	PoolReuseAllowInternalDependencies PoolAttribute = 3
	PoolReleaseThreshold               PoolAttribute = 4 // bytes that the pool keeps when the host synchronizes
	PoolReservedCurrent                PoolAttribute = 5 // bytes that the pool has, used and idle
	PoolReservedHigh                   PoolAttribute = 6
	PoolUsedCurrent                    PoolAttribute = 7 // bytes of live allocations
	PoolUsedHigh                       PoolAttribute = 8
)

var poolNames = map[PoolAttribute]string{
	PoolReuseFollowEventDependencies:   "hipMemPoolReuseFollowEventDependencies",
	PoolReuseAllowOpportunistic:        "hipMemPoolReuseAllowOpportunistic",
	PoolReuseAllowInternalDependencies: "hipMemPoolReuseAllowInternalDependencies",
	PoolReleaseThreshold:               "hipMemPoolAttrReleaseThreshold",
	PoolReservedCurrent:                "hipMemPoolAttrReservedMemCurrent",
	PoolReservedHigh:                   "hipMemPoolAttrReservedMemHigh",
	PoolUsedCurrent:                    "hipMemPoolAttrUsedMemCurrent",
	PoolUsedHigh:                       "hipMemPoolAttrUsedMemHigh",
}

// Rows are rows of a copy. The start of a row is a pitch after the start of the row before. A copy with pitches is
// hipMemcpy2DAsync.
type Rows struct {
	Width, Count           uint64 // bytes of a row, number of rows
	HostPitch, DevicePitch uint64 // bytes, at least Width
}

// Row is a number of adjacent bytes.
func Row(bytes uint64) Rows { return Rows{Width: bytes, Count: 1} }

// Bytes returns the bytes that are copied.
func (r Rows) Bytes() uint64 { return r.Width * r.Count }

// HostCopy is a queued copy to host memory.
type HostCopy interface {
	// Conflicts reports whether a use of the memory is not ordered after the copy: a use by the host, or if s is not
	// nil by the next work of that stream. If so, it waits for the copy; the wait orders no other work.
	Conflicts(s Stream) bool
}

// Hazard is a use of memory that is not ordered after an earlier conflicting use in another stream, or a use of host
// memory by the host that is not ordered after a copy to it.
type Hazard struct {
	Ptr            Ptr    // first byte in common; null for host memory
	Bytes          uint64 // bytes in common, at least; in host memory, bytes of the copy
	Earlier, Later Use
	Memory         string // which memory it is, set by package hip; "" if unknown
}

// String describes the two uses and the memory: "hipMemsetAsync in stream 2 (x.lua:3) uses memory that hipMemcpyAsync
// in stream 1 (x.lua:2) may still be using: byte 0 of a block of 64 bytes allocated by hipMalloc at x.lua:1".
func (h Hazard) String() string {
	text := fmt.Sprintf("%s uses memory that %s may still be using", h.Later, h.Earlier)
	if h.Earlier.Since != "" {
		text = fmt.Sprintf("%s uses memory that %s %s after the capture", h.Later, h.Earlier, h.Earlier.Since)
	}
	if h.Memory != "" {
		text += ": " + h.Memory
	}
	return text
}

// Use is one of the two uses of a hazard.
type Use struct {
	Call   string `json:"call"`             // "rocblas_dgemm", "hipMemcpyAsync"
	Device int    `json:"device,omitempty"` // of the stream
	Stream int    `json:"stream"`
	Host   bool   `json:"host,omitempty"` // the host uses the memory, not a stream
	Write  bool   `json:"write"`
	Origin string `json:"origin,omitempty"` // the line of the script that made the call
	Handle int    `json:"handle,omitempty"` // the number of the handle that a library used the memory for; 0 for none

	Launched string `json:"launched,omitempty"` // the line that launched the graph, for a node of a graph
	// Since is the effect of the call on memory after a graph that uses the memory was captured: "freed" or "allocated"
	// it. It is "" for a use.
	Since string `json:"since,omitempty"`
}

// String describes a use: "hipMemcpyAsync in stream 1 (x.lua:2)".
func (u Use) String() string {
	switch {
	case u.Since != "":
		return fmt.Sprintf("%s (%s)", u.Call, u.Origin)
	case u.Host:
		return fmt.Sprintf("%s on the host (%s)", u.Call, u.Origin)
	case u.Launched != "":
		return fmt.Sprintf("%s in %s (captured at %s, launched at %s)", u.Call, u.place(), u.Origin, u.Launched)
	}
	return fmt.Sprintf("%s in %s (%s)", u.Call, u.place(), u.Origin)
}

// place returns "stream 3", and for another device than the first "stream 0 of device 1".
func (u Use) place() string {
	if u.Device > 0 {
		return fmt.Sprintf("stream %d of device %d", u.Stream, u.Device)
	}
	return fmt.Sprintf("stream %d", u.Stream)
}

// Report has the libraries and devices that a platform finds on a machine.
type Report struct {
	Parts   []Part
	Devices []Properties
	Numbers string // libraries and threads that decide rounding errors, if Parts does not have them
	Version string // version of the vendor's library that decides how handles behave; "" where they are modelled
	Solver  string // version of the vendor's other library, rocSOLVER, as Version
	Calls   bool   // the runtime reports the calls of the libraries, see Device.ReportedCalls
	Problem string // why the platform cannot be used; "" when it can
	Advice  string // how to solve the problem, or to use more of the platform
}

// Part is a library that a platform looked for.
type Part struct {
	Name    string // "librocblas"
	Path    string // where it was found; "" when it was not
	Version string
	Missing string // "not found: ...", and the replacement
}

// Properties is the part of hipGetDeviceProperties that scenarios use.
type Properties struct {
	Name                string
	Arch                string // "gfx90a"; "sm_90" on NVIDIA
	MemoryBytes         uint64
	WarpSize            int
	Multiprocessors     int
	MaxThreadsPerBlock  int
	SharedMemPerBlock   uint64
	ClockKHz            int
	MemoryPoolSupported bool
	PCIBusID            int
}

// Attribute is a hipDeviceAttribute_t with its number in HIP.
type Attribute int

// The attributes that scenarios can query, numbered as in hip_runtime_api.h.
const (
	AttributeEccEnabled                  Attribute = 0
	AttributeAsyncEngineCount            Attribute = 2
	AttributeClockRate                   Attribute = 5
	AttributeConcurrentKernels           Attribute = 8
	AttributeIntegrated                  Attribute = 16
	AttributeManagedMemory               Attribute = 24
	AttributeMaxThreadsPerBlock          Attribute = 56
	AttributeMaxThreadsPerMultiProcessor Attribute = 57
	AttributeMultiprocessorCount         Attribute = 63
	AttributeMaxSharedMemoryPerBlock     Attribute = 74
	AttributeTotalGlobalMem              Attribute = 84
	AttributeWarpSize                    Attribute = 87
	AttributeMemoryPoolsSupported        Attribute = 88
)

// library are the methods of a Device whose platform has the vendor's library: handles, their memory and their routines
// belong to the library, and are not modelled.
type library interface {
	// NewHandle implements rocblas_create_handle, with variables that are set in the environment of the C library.
	// defaultBytes was passed to rocblas_device_malloc_set_default_memory_size before; 0 for no such call. A status
	// other than 0 means that there is no handle.
	NewHandle(environment map[string]string, defaultBytes uint64) (h LibraryHandle, status int, err error)
	// Function calls a function of the libraries by its C name, on the current device. Where the function writes a
	// result of at most 8 bytes, args are the other arguments, with the bits of doubles, or all with a null pointer for
	// the result. A C bool is a result, too.
	Function(name string, args ...uintptr) (result uint64, status int, err error)
	// LibraryVersions returns the versions of rocBLAS and rocSOLVER.
	LibraryVersions() (rocblas, rocsolver string)
	// ReportedCalls returns the memory calls, copies, waits and queries of streams since it was last called, by the
	// libraries or by others, where the runtime reports its calls, as does the runtime without a GPU of the conformance
	// tests. It can leave out repetitions of a pair of calls beyond 2048.
	ReportedCalls() []ReportedCall
}

// LibraryHandle is a rocblas_handle of the vendor's library. Statuses are the library's numbers. An error means that
// the library does not have the function. Device.Function calls the functions that are not here.
type LibraryHandle interface {
	Address() uintptr // the rocblas_handle, as an argument of Device.Function
	SetStream(Stream) (status int, err error)
	// Call calls a routine. For a reduction in host pointer mode it returns the results, contiguously.
	Call(a *routine.Args, onDevice bool) (results []byte, status int, err error)
}

// ReportedCall is a HIP call that the runtime reports.
type ReportedCall struct {
	Name   string // in C
	Device int    // number of the device that the call is for
	Bytes  uint64 // of an allocation
	Result Error
}

// NoLayer is the error of calls of a library above rocBLAS that the platform or the machine does not have.
type NoLayer struct{ Reason string }

func (e *NoLayer) Error() string { return e.Reason }
