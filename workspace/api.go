// Package workspace is the device-memory model of rocBLAS and rocSOLVER: a handle, the workspace it holds, who owns
// that workspace, the size queries that report how much a sequence of calls needs, and the allocations that calls make
// from it.
//
// Create makes a handle on a device; Open makes one under a scheme, together with the memory that the scheme needs.
// A routine call (Handle.Call) checks its arguments, allocates its buffers from the workspace, runs, and releases
// them. Inside a size query it only records its size.
//
//	owner            made by                                size               when a call needs more
//	rocblas_managed  creation, set_...(0), a null workspace the default, or 0  frees, then allocates need + default
//	user_managed     ROCBLAS_DEVICE_MEMORY_SIZE, set_...(n) as requested       memory_error, or perf_degraded
//	user_owned       set_workspace(p, n)                    the user's n bytes memory_error, or perf_degraded
//
// With ROCBLAS_STREAM_ORDER_ALLOC a managed handle holds no memory: every workspace allocation is a separate
// hipMallocAsync.
//
// The model makes the same HIP calls as the library, in the same order. It does not depend on Lua or on a platform.
// Tests compare it with recorded answers of the real libraries, which are in testdata. On a platform that has the
// libraries themselves, Create returns a handle of the library instead of a modelled one.
//
// Package behavior has the argument checks, sizes and steps of all routines, status the statuses. Package footprint
// sizes sequences of calls without a handle or a device. Package sequence draws sequences of operations, to compare the
// model with the libraries.
package workspace

import (
	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/status"
)

// Handle is a rocblas_handle: a modelled one, or on a platform that has the library a handle of the library. Methods
// implement the function of rocBLAS with the same name. Errors are of type *Error, *Abort or *Unknown. A handle is used
// by one goroutine at a time.
type Handle interface {
	Destroy() error
	Destroyed() bool
	Device() *hip.Device
	Profile() *Profile
	String() string

	SetStream(*hip.Stream) error
	Stream() (*hip.Stream, error)
	// ReleaseStream says that the handle is only destroyed from now on, so that its stream may be destroyed before.
	ReleaseStream()
	SetPointerMode(mode int64) error
	PointerMode() (int64, error)
	OnDevice() bool
	SetAtomicsMode(mode int64) error
	AtomicsMode() (int64, error)
	SetMathMode(mode int64) error
	MathMode() (int64, error)
	SetPerformanceMetric(metric int64) error
	PerformanceMetric() (int64, error)

	// SetAlgMode and AlgMode implement rocsolver_set_alg_mode and rocsolver_get_alg_mode.
	SetAlgMode(function, mode int64) error
	AlgMode(function int64) (int64, error)

	StartQuery() error
	// BoundUnknown sets the bytes that count in the open query for calls whose need is not known.
	BoundUnknown(bytes uint64)
	// StopQuery returns the bytes of the call that needed most. nullResult passes a null pointer for the result. The
	// error is an *Unknown if the need of a call is not known.
	StopQuery(nullResult bool) (uint64, error)
	DeviceMemorySize() (uint64, error)
	SetDeviceMemorySize(bytes uint64) error
	SetWorkspace(p driver.Ptr, bytes uint64) error
	IsManaging() bool
	IsUserManaging() bool

	// Call calls a routine of the table.
	Call(*routine.Args) (Outcome, error)
	// Repeat is Call for a call that is made again and again. The plan, which may be nil, keeps the results that the
	// handle decides. The outcome is valid until the next call.
	Repeat(*routine.Args, *Plan) (*Outcome, error)

	IsQuery() bool

	// Functions for authors of routines. Only modelled handles have them.
	SetOptimalDeviceMemorySize(bytes ...uint64) (status.Status, error)
	DeviceMalloc(bytes ...uint64) (*Allocation, error)
	Shortage(bytes ...uint64) error
}

var (
	_ Handle = (*Model)(nil)
	_ Handle = (*library)(nil)
)

// Null is the null handle. Every function returns invalid_handle for it.
var Null Handle = newModel(&base{state: null})

// Create implements rocblas_create_handle on a device.
func Create(dev *hip.Device, c Config) (Handle, error) {
	if dev.HasLibrary() {
		h, err := createInLibrary(dev, c)
		if err != nil {
			return nil, err
		}
		return h, nil
	}
	h, err := createModel(dev, c)
	if err != nil {
		return nil, err
	}
	return h, nil
}

// Owner is who controls the device memory of a handle.
type Owner uint8

const (
	Managed     Owner = iota // the library: it grows the memory when a call needs more
	UserManaged              // the user set the size; the library allocated it
	UserOwned                // the user's own memory
)

// String returns the owner's name in the source of the library.
func (o Owner) String() string {
	return [...]string{"rocblas_managed", "user_managed", "user_owned"}[o]
}
