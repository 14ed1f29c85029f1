package driver

import "roclua/hip/routine"

// library are the methods of a Device whose platform has the vendor's library: handles, their memory and their routines
// belong to the library, and are not modelled.
type library interface {
	// NewHandle implements rocblas_create_handle, with variables that are set in the environment of the C library.
	// defaultBytes was passed to rocblas_device_malloc_set_default_memory_size before; 0 for no such call. A status
	// other than 0 means that there is no handle.
	NewHandle(environment map[string]string, defaultBytes uint64) (h LibraryHandle, status int, err error)
	// Function calls a function of the libraries by its C name. Where the function writes a result of at most 8 bytes,
	// args are the other arguments, with the bits of doubles.
	Function(name string, args ...uintptr) (result uint64, status int, err error)
	// LibraryVersions returns the versions of rocBLAS and rocSOLVER.
	LibraryVersions() (rocblas, rocsolver string)
	// ReportedCalls returns the memory calls, copies, waits and queries of streams since it was last called, by the
	// libraries or by others, where the runtime reports its calls, as does the runtime without a GPU of the conformance
	// tests. It can leave out repetitions of a pair of calls beyond 2048.
	ReportedCalls() []ReportedCall
}

// LibraryHandle is a rocblas_handle of the vendor's library. Statuses are the library's numbers. An error means that
// the library does not have the function.
type LibraryHandle interface {
	Destroy() (status int, err error)
	Address() uintptr // the rocblas_handle, as an argument of Device.Function
	SetStream(Stream) (status int, err error)
	// Mode and SetMode call rocblas_get_NAME and rocblas_set_NAME for the name "pointer_mode", "atomics_mode",
	// "math_mode" or "performance_metric".
	Mode(name string) (mode int64, status int, err error)
	SetMode(name string, mode int64) (status int, err error)
	StartQuery() (status int, err error)
	StopQuery(nullResult bool) (bytes uint64, status int, err error)
	MemorySize() (bytes uint64, status int, err error)
	SetMemorySize(bytes uint64) (status int, err error)
	SetWorkspace(p Ptr, bytes uint64) (status int, err error)
	IsManaging() (bool, error)
	IsUserManaging() (bool, error)
	// Call calls a routine. For a reduction in host pointer mode it returns the results, contiguously.
	Call(a *routine.Args, onDevice bool) (results []byte, status int, err error)
}

// ReportedCall is a call of HIP that the runtime reports.
type ReportedCall struct {
	Name   string // in C
	Device int    // number of the device that the call is for
	Bytes  uint64 // of an allocation
	Result Error
}

// NoLayer is the error of calls of a library above rocBLAS that the platform or the machine does not have.
type NoLayer struct{ Reason string }

func (e *NoLayer) Error() string { return e.Reason }
