package run

import (
	"runtime"
	"testing"
)

// TestThreadsOf multiplies cases with the processors of their calls: the product is at most the number of processors.
func TestThreadsOf(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for jobs, want := range map[int]int{1: 8, 2: 4, 3: 2, 8: 1, 9: 1} {
		if have := threadsOf(jobs); have != want {
			t.Errorf("%d cases at once: %d processors for a call, want %d", jobs, have, want)
		}
	}
}
