package trace

import "maps"

// tally counts what was done, on one device or on all.
type tally struct {
	calls       map[string]int // by C name
	syncs       map[string]int // synchronizing calls by cause
	kernels     int
	allocations int // requests for memory of at least one byte
	injected    int // requests that were made to fail
}

func (t *tally) add(c *Call) {
	if t.calls == nil {
		t.calls, t.syncs = map[string]int{}, map[string]int{}
	}
	t.calls[c.Name]++
	if c.Synchronizing {
		t.syncs[c.Cause]++
	}
	if c.Injected != "" {
		t.injected++
	}
}

// counts returns the counts. The maps are copies.
func (t *tally) counts() Counts {
	s := Counts{Calls: map[string]int{}, Syncs: map[string]int{}, Kernels: t.kernels, Allocations: t.allocations,
		Injected: t.injected}
	maps.Copy(s.Calls, t.calls)
	maps.Copy(s.Syncs, t.syncs)
	return s
}
