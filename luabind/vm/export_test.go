package vm

// Identifiers for tests.
const (
	SmallPercent      = smallPercent
	HeapWatchInterval = heapWatchInterval
	HeapWatchIdle     = heapWatchIdle
)

var ProcessHeap = processHeap

// HeapIsWatched reports whether the watcher runs, also for a while after the last run.
func HeapIsWatched() bool {
	heapWatcher.mu.Lock()
	defer heapWatcher.mu.Unlock()
	return heapWatcher.meters != nil
}

// WatchHeap watches a run that uses nothing, until stop is called.
func WatchHeap() (stop func()) { return watchHeap(&Meter{}) }
