package sequence

import "testing"

// TestLacksMemory finds a stream-ordered allocation that failed, on any device.
func TestLacksMemory(t *testing.T) {
	for call, want := range map[string]bool{"hipMallocAsync 64 0": false, "hipMallocAsync 64 2": true,
		"hipMallocAsync[1] 64 2": true, "hipMalloc 64 2": false} {
		a := Result{Status: "success", Calls: []string{"hipFree 0 0", call}}
		if a.LacksMemory() != want {
			t.Errorf("%s: %t", call, !want)
		}
	}
}
