package vm

import (
	"math"
	"os"
	"runtime/debug"
	"sync"
)

// Go collects garbage when the heap has grown by a percentage of the memory in use. With small Lua states, the
// collections would take as long as the scripts. While the heap is small, it may therefore grow by more.
const (
	smallHeap    = 24 << 20 // bytes of the heap, garbage included
	smallPercent = 300
)

// collector sets how often Go collects garbage while scripts run. If the user has set GOGC, it does nothing.
type collector struct {
	mu      sync.Mutex
	usual   int // the percentage before scripts ran
	relaxed bool
}

var collection collector

// choose sets the percentage for a heap of a size in bytes.
func (c *collector) choose(heap uint64) { c.relax(heap <= smallHeap) }

// reset sets the percentage that was set before scripts ran.
func (c *collector) reset() { c.relax(false) }

func (c *collector) relax(relaxed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case relaxed == c.relaxed || os.Getenv("GOGC") != "":
		return
	case relaxed:
		c.usual = debug.SetGCPercent(smallPercent)
	default:
		debug.SetGCPercent(c.usual)
	}
	c.relaxed = relaxed
}

// CollectSeldom lets Go collect garbage as seldom as while scripts run, until stop is called. It is for work that
// allocates much and keeps little of it.
func CollectSeldom() (stop func()) {
	m := &Meter{}
	m.heap.limit = math.MaxUint64
	return watchHeap(m)
}
