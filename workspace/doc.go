// Package workspace is the device-memory model of rocBLAS and rocSOLVER: a handle, the temporary memory it holds, who
// owns that memory, the size queries that tell how much a sequence of calls needs, and the loans that calls take.
//
//	owner            made by                                   size of the memory                 when a call needs more
//	rocblas_managed  creation; set_...(0), set_workspace(null)  the default, or 0 until first used  freed, then need + default allocated
//	user_managed     ROCBLAS_DEVICE_MEMORY_SIZE; set_...(n)     as asked for                       memory_error, or perf_degraded
//	user_owned       set_workspace(p, n)                        the user's n bytes                 memory_error, or perf_degraded
//
// With ROCBLAS_STREAM_ORDER_ALLOC a managed handle holds nothing: every loan is a hipMallocAsync of its own.
//
// The model makes the HIP calls that the library makes, in its order. It knows no Lua and no platform. What it claims
// is held against recorded answers of the real libraries in testdata.
package workspace
