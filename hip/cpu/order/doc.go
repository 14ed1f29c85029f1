// Package order runs the operations of simulated devices in the order that HIP defines. Each stream performs its
// operations in the order of queueing, and vector clocks record the happens-before order of all operations of a
// runtime: what a stream, an event or the host has waited for. The package is independent of memory and captures.
package order
