// Package memory is the device memory of simulated devices: address spaces with a capacity and a memory pool, blocks
// with the host memory behind them, what is known about their bytes, and their uses by operations. Two unordered uses
// of the same memory are a hazard. It is reported independently of timing, and the later use waits for the earlier one.
package memory
