// Package cpu is the platform "cpu": HIP devices simulated in the process. A device has its own address space, whose
// addresses the host cannot dereference, a capacity, streams that run concurrently with the host and with each other,
// events with times, and a memory pool. Kernels are those of hip/cpu/kernel.
//
// The simulation does three things that a real device does not do. First, every operation is queued with the memory
// that it reads and writes, and vector clocks record the happens-before order of all operations. Two unordered uses of
// the same memory are reported as a hazard, independent of timing, and the later one waits for the earlier, so that
// numbers stay right. Second, a kernel gets only the memory that its arguments name, so that a wrong address is an
// error and not a crash. Third, each block has the ranges of bytes that were written, with the type of their elements,
// as of the operations that are queued. Reading another type is an error, and reading unwritten memory is reported.
//
// The state of a runtime is used by the host goroutine that calls it. Goroutines of streams use only the operations
// that are queued for them and the bytes of blocks. The host performs brief operations itself if nothing is left to be
// done before them.
package cpu
