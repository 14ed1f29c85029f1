package vm

// Identifiers for tests.
const (
	SmallPercent      = smallPercent
	HeapWatchInterval = heapWatchInterval
	HeapWatchIdle     = heapWatchIdle
)

var ProcessHeap = processHeap

// WatchHeap watches a run that uses nothing, until stop is called.
func WatchHeap() (stop func()) { return watchHeap(&Meter{}) }
