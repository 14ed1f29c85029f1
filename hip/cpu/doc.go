// Package cpu is the platform "cpu": HIP devices simulated in the process. A device has an address space of its own
// whose addresses the host cannot dereference, a capacity, streams that run beside the host and each other, events
// with times and a memory pool. Kernels are those of hip/cpu/kernel.
//
// Two things a real device does not do. Every piece of work is queued with what it reads and writes, and the order of
// all work is known from vector clocks kept while it is queued: two uses of one memory without an order between them
// are reported as a hazard whatever the timing was, and the later one waits for the earlier, so numbers stay right.
// And a kernel is given no memory but what its arguments name, so a wrong address is a fault and never a crash.
//
// The state of a runtime belongs to the host goroutine that calls it. Goroutines of streams touch nothing but the
// operations handed to them and the bytes of blocks.
package cpu
