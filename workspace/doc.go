// Package workspace is the device-memory model of rocBLAS and rocSOLVER: a handle, the workspace it holds, who owns
// that workspace, the size queries that report how much a sequence of calls needs, and the allocations that calls make
// from it.
//
// Create makes a handle on a device; Open makes one under a scheme, together with the memory that the scheme needs.
// A call of a routine (Handle.Call) checks its arguments, allocates its buffers from the workspace, runs, and releases
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
// Subpackages: sizing has the sizes of all routines, argcheck their argument checks, status the statuses. Package
// footprint sizes sequences of calls without a handle or a device. Package sequence draws sequences of operations, to
// compare the model with the libraries.
package workspace
