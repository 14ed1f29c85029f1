// Package busy measures the processor time and the memory of work, for tests with bounds: other programs of the machine
// do not change them.
package busy

import "runtime"

// Allocated returns the bytes that the process allocates while f runs, freed ones included.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
