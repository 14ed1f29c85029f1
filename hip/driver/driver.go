// Package driver is what a platform implements: small interfaces over device memory, streams, events and the routines
// of the table. Package hip is the only caller; it adds what is the same on every platform (calls by name, traces,
// statistics, who allocated what) and scripts see hip alone.
//
// A Runtime is opened once per case. Its methods are called from one goroutine at a time, the host thread of that case;
// what the device does meanwhile is the platform's affair. Device memory is owned by the platform until Close.
// Errors are of type Error wherever HIP has a code for them.
//
// Required of a platform: Driver, Runtime, Device, Stream, Event. Found by type assertion, and answered with
// ErrorNotSupported when absent: AsyncAllocator, Executor. Found likewise and done without when absent: Prober, Sizer, Locator,
// Interrupter, Stager, HazardReporter.
package driver

import (
	"context"
	"time"

	"roclua/hip/routine"
)

// Ptr is a device address; 0 is the null pointer. The host cannot dereference it.
type Ptr uint64

// Config is what a case asks of a platform.
type Config struct {
	Devices     int    // how many devices a simulated platform shows; at least 1
	Arch        string // architecture that the devices report, "gfx90a"; "" leaves it to the platform
	MemoryBytes uint64 // device memory of each device; 0 leaves it to the platform
	BLAS        string // which library computes on the cpu platform, one of BLASChoices; "" is the first
}

// BLASChoices are the values of Config.BLAS: OpenBLAS where the system has it, OpenBLAS or an error, Go.
var BLASChoices = []string{"auto", "openblas", "go"}

// Driver is a platform.
type Driver interface {
	// Open starts a runtime with devices of its own. An error says what was looked for and what is missing.
	Open(Config) (Runtime, error)
}

// Runtime is one process's view of a platform: its devices.
type Runtime interface {
	Devices() []Device
	// Close gives back everything, whatever the script left open. It waits for running kernels.
	Close() error
}

// Locator is a Runtime that tells in its hazards and faults which call used the memory and where the script made it.
type Locator interface {
	// SetLocator gives the function to ask; the runtime asks it only while one of its methods runs.
	SetLocator(func() Site)
}

// Interrupter is a Runtime whose host need not wait for a kernel that takes too long.
type Interrupter interface {
	// SetContext gives the context of the host from now on. When it ends while the host waits for a device, the wait fails with
	// ErrorLaunchTimeOut, and so does whatever is asked of the device after that, Close among it.
	SetContext(context.Context)
}

// Stager is a Runtime that keeps what Write was given in host memory until the stream gets there.
type Stager interface {
	StagedBytes() uint64
}

// Site is a call and where the script made it.
type Site struct {
	Call   string // as in C: "hipMalloc", "rocblas_dgemm"
	Origin string // "solve.lua:12"; "" when the host made the call
}

// String returns "hipMalloc at solve.lua:12".
func (s Site) String() string {
	if s.Origin == "" {
		return s.Call
	}
	return s.Call + " at " + s.Origin
}

// Device is one GPU.
type Device interface {
	Properties() Properties
	// Attribute answers hipDeviceGetAttribute.
	Attribute(Attribute) (int, error)
	// MemInfo returns the free and the total bytes of device memory.
	MemInfo() (free, total uint64, err error)

	// Malloc answers hipMalloc: it waits for the whole device. 0 bytes give the null pointer and success.
	Malloc(bytes uint64) (Ptr, error)
	// Free answers hipFree: it waits for the whole device. The null pointer is legal and does nothing.
	Free(Ptr) error

	// NullStream returns the stream that hipStream_t 0 names; it waits for all blocking streams and they for it.
	NullStream() Stream
	// NewStream makes a stream; a non-blocking one takes no part in the null stream's order.
	NewStream(nonBlocking bool) (Stream, error)
	NewEvent() (Event, error)

	// Write and Read copy between host and device in stream order. The data of Write is taken before the call
	// returns; Read fills dst when the stream gets there, so the caller waits for the stream before it looks.
	Write(s Stream, dst Ptr, src []byte) error
	Read(s Stream, dst []byte, src Ptr) error
	// Copy copies between device addresses in stream order.
	Copy(s Stream, dst, src Ptr, bytes uint64) error
	// Fill sets bytes to one value in stream order.
	Fill(s Stream, dst Ptr, value byte, bytes uint64) error

	// Synchronize waits for every stream and reports the first fault that a kernel met.
	Synchronize() error
}

// Stream is an ordered queue of work on one device.
type Stream interface {
	// ID is the stream's number in traces: 0 for the null stream, then 1, 2, ...
	ID() int
	Synchronize() error
	// Query returns nil when the stream has nothing left to do, ErrorNotReady otherwise.
	Query() error
	WaitEvent(Event) error
	Destroy() error
}

// Event marks a point of a stream.
type Event interface {
	Record(Stream) error
	Synchronize() error
	Query() error
	// Since returns the time from an earlier event of the device to this one; ErrorNotReady while a stream has not reached
	// one of them.
	Since(earlier Event) (time.Duration, error)
	Destroy() error
}

// AsyncAllocator is a Device with a memory pool in stream order: hipMallocAsync and hipFreeAsync.
type AsyncAllocator interface {
	MallocAsync(s Stream, bytes uint64) (Ptr, error)
	FreeAsync(s Stream, p Ptr) error
	// TrimPool gives pool memory that nobody holds back to the device, down to keep bytes.
	TrimPool(keep uint64) error
}

// Executor is a Device that computes the routines of the table.
type Executor interface {
	// Execute queues one call in stream order and returns when it is queued. Arguments have passed the library's
	// checks. What a kernel may touch is known from the table; touching anything else is a fault of the device.
	Execute(s Stream, l *Launch) error
}

// Launch is one call of a routine on its way to the device.
type Launch struct {
	Args     *routine.Args
	Work     []Span // workspace lent for the call, one span for each buffer of the size rule; empty ones are null
	Result   Ptr    // where a reduction in host pointer mode leaves its results, one after the other
	OnDevice bool   // device pointer mode: alpha, beta and results are device addresses in Args
	Degraded bool   // Work is the smaller set of buffers of a routine that can do with less

	// Ran is to be told, from any goroutine, when the device was busy with the call; a platform that does not know tells
	// nothing. It may be nil.
	Ran func(start, end time.Time)
}

// Span is a piece of device memory.
type Span struct {
	Ptr   Ptr
	Bytes uint64
}

// HazardReporter is a Device that notices two streams using one memory without an order between them.
type HazardReporter interface {
	// Hazards drains the hazards seen since the last call, in the order in which the later use was queued.
	Hazards() []Hazard
}

// Hazard is a use of memory that nothing orders after an earlier conflicting use in another stream.
type Hazard struct {
	Ptr            Ptr    // first byte in common
	Bytes          uint64 // bytes in common, at least
	Earlier, Later Use
}

// Use is one side of a hazard.
type Use struct {
	Call   string // "rocblas_dgemm", "hipMemcpyAsync"
	Stream int
	Write  bool
	Origin string // where the script made the call
}
