// Package cpu is the platform "cpu": HIP devices simulated in the process. A device has its own address space, whose
// addresses the host cannot dereference, a capacity, streams that run concurrently with the host and with each other,
// events with times, and a memory pool. Package kernel computes the routines.
//
// The simulation does three things that a real device does not do. First, every operation is queued with the memory
// that it reads and writes, and vector clocks record the happens-before order of all operations (package order). Two
// unordered uses of the same memory are reported as a hazard, independently of timing, and the later one waits for the
// earlier one, so that results stay correct (package memory). Second, a kernel gets only the memory that its arguments
// name, so that a wrong address is an error and not a crash. Third, each block records which bytes the queued
// operations write, and the type of their elements. Reading another type is an error, and reading unwritten memory is
// reported (package inspect). Package capture records the calls of captured streams for graphs.
//
// Only the host goroutine that calls a runtime uses its state. Goroutines of streams use only the operations that are
// queued for them and the bytes of blocks. The host performs brief operations itself if nothing remains to be done
// before them.
package cpu
