package driver

import "roclua/hip/routine"

// HandleMaker is a Device whose platform has the library itself: handles, their memory and their routines are the vendor's
// own, and nothing of them is modelled.
type HandleMaker interface {
	// NewHandle answers rocblas_create_handle with the variables of an environment in the C library's. A status other than 0
	// comes without a handle.
	NewHandle(environment map[string]string) (h LibraryHandle, status int, err error)
	// LibraryVersions returns the versions of rocBLAS and rocSOLVER.
	LibraryVersions() (rocblas, rocsolver string)
}

// LibraryHandle is a rocblas_handle of the vendor's library. Statuses are its own numbers; an error is a function that the
// library does not have.
type LibraryHandle interface {
	Destroy() (status int, err error)
	SetStream(Stream) (status int, err error)
	// Mode and SetMode are the functions NAME of rocblas_get_NAME and rocblas_set_NAME: "pointer_mode", "atomics_mode".
	Mode(name string) (mode int64, status int, err error)
	SetMode(name string, mode int64) (status int, err error)
	StartQuery() (status int, err error)
	StopQuery(nullResult bool) (bytes uint64, status int, err error)
	MemorySize() (bytes uint64, status int, err error)
	SetMemorySize(bytes uint64) (status int, err error)
	SetWorkspace(p Ptr, bytes uint64) (status int, err error)
	IsManaging() (bool, error)
	IsUserManaging() (bool, error)
	// Call calls a routine. In host pointer mode results come back, one after the other, when it is a reduction.
	Call(a *routine.Args, onDevice bool) (results []byte, status int, err error)
}
