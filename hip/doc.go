// Package hip is the HIP runtime that the rest of the program uses. Like database/sql it has concrete types over the
// interfaces of a driver package, hip/driver, which platforms implement. A platform registers itself when its package
// is imported; Open starts a Runtime on it:
//
//	import _ "roclua/hip/cpu"
//
//	rt, err := hip.Open("cpu", driver.Config{})
//
// The package does what is the same on every platform. It records calls under their C names with their cause, keeps
// statistics, and tracks live memory, streams and events with the place that created them. Misuse that is undefined
// behavior in a vendor's runtime, such as a destroyed stream or a block freed twice, is an error with HIP's code and
// an explanation.
//
// A Runtime is used by one goroutine, the host thread of its case, or by several that take turns: see Thread.
package hip
