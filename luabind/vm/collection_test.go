package vm_test

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"testing/synctest"
	"time"

	"roclua/luabind/vm"
)

// TestCollectionBetweenRuns checks that a sequence of short runs does not change Go's percentage of garbage for
// scripts: each change collects garbage. After the last run, the percentage is restored.
func TestCollectionBetweenRuns(t *testing.T) {
	t.Setenv("GOGC", "")
	percent := func() uint64 {
		sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	waitFor := func(t *testing.T, want uint64) {
		t.Helper()
		for end := time.Now().Add(time.Minute); percent() != want; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the percentage stays %d, want %d", percent(), want)
			}
		}
	}
	for vm.HeapIsWatched() { // after runs of other tests, by a watcher outside of the bubble
		time.Sleep(time.Millisecond)
	}
	waitFor(t, 100)
	runtime.GC() // the garbage of other tests makes the heap large
	synctest.Test(t, func(t *testing.T) {
		for range 3 {
			vm.WatchHeap()()
			waitFor(t, vm.SmallPercent)
			time.Sleep(4 * vm.HeapWatchInterval)
			if have := percent(); have != vm.SmallPercent {
				t.Errorf("soon after a run the percentage is %d, want %d", have, vm.SmallPercent)
			}
		}
		waitFor(t, 100)
		stop := vm.CollectSeldom()
		waitFor(t, vm.SmallPercent)
		time.Sleep(2 * vm.HeapWatchIdle * vm.HeapWatchInterval)
		if have := percent(); have != vm.SmallPercent {
			t.Errorf("before stop is called the percentage is %d, want %d", have, vm.SmallPercent)
		}
		stop()
		waitFor(t, 100)
	})
}
