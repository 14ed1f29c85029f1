package luabind

import (
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// How the heap of a case is bounded. gopher-lua allocates from Go's heap, which all cases share and which nobody can divide
// among them from outside. What a case holds is known only by walking over its values, which is slow (see measure). So it is
// done when it can matter and not before:
//
//   - A case cannot hold more than the process, nor have gained more than the process has allocated since it was last measured.
//     Both numbers are cheap. A watch reads them every few milliseconds, and only a case that may be over its limit by both is
//     told to measure itself, before its next instruction. Ordinary cases are never measured.
//   - What one step could allocate beyond any measure, a string of a terabyte, is asked for before it is made: by the string
//     and table functions, by arrays, and for concatenations and table assignments by the meter.
//
// Other cases may make a case measure itself in vain; they cannot make it fail.

// largeAllocation is from where on an allocation is asked for before it is made, in bytes.
const largeAllocation = 1 << 20

// largestAllocation bounds one string or array of a case without a limit, so that a wrong size is an error and not the end of
// the program.
const largestAllocation = maxHostBytes

// heapGauge is what is known of the heap of one case.
type heapGauge struct {
	limit uint64        // bytes; 0 for none
	quiet atomic.Uint64 // nothing to fear until the process has allocated this many bytes
	rest  atomic.Int64  // no alarm before this time, so that a case does more than measure itself; in nanoseconds
	alarm atomic.Bool   // the case shall measure itself
	stop  func()        // takes the gauge off the watch
}

// begin puts a case under watch.
func (g *heapGauge) begin(m *meter) {
	g.stop = func() {}
	if g.limit == 0 {
		return
	}
	_, allocated := processHeap()
	g.quiet.Store(allocated + g.limit)
	g.stop = watchHeap(m)
}

// widen gives room beyond the limit. The watch reads the limit under its lock.
func (g *heapGauge) widen() {
	heapWatch.mu.Lock()
	defer heapWatch.mu.Unlock()
	if g.limit > 0 {
		g.limit += g.limit/2 + largeAllocation
	}
}

// mayExceed reports whether a case may hold more than its limit, given the process's heap.
func (g *heapGauge) mayExceed(live, allocated uint64) bool {
	return live > g.limit && allocated > g.quiet.Load()
}

// room makes sure that there is room for so many bytes more, or ends the case and raises its end.
func (s *State) room(l *lua.LState, bytes uint64) {
	g := &s.meter.heap
	switch {
	case s.ended() != nil:
		s.raiseIn(l, bytes)
		return
	case g.limit == 0:
		if bytes > largestAllocation {
			s.usage(l, "%d bytes are more than the 4 GiB that one value may have", bytes)
		}
		return
	case bytes > g.limit:
		s.exceed(l, limitHeap, g.limit, bytes)
		s.raiseIn(l, bytes)
		return
	}
	live, allocated := processHeap()
	if !g.mayExceed(live+bytes, allocated+bytes) {
		return
	}
	start := time.Now()
	own := s.measure()
	if own+bytes > g.limit {
		s.exceed(l, limitHeap, g.limit, own+bytes)
		s.raiseIn(l, bytes)
		return
	}
	// Measuring allocates, too, and other cases that measure themselves must not make this one do it again and again.
	_, allocated = processHeap()
	g.quiet.Store(allocated + max(g.limit-own, g.limit/8))
	g.rest.Store(time.Now().Add(time.Since(start)).UnixNano())
}

// raiseIn raises the end of the case where bytes were to be allocated; the machine raises it itself before its next
// instruction.
func (s *State) raiseIn(l *lua.LState, bytes uint64) {
	if bytes > 0 {
		s.raiseEnd(l)
	}
}

// processHeap returns the bytes of the process's heap in use, garbage not yet collected included, and those ever allocated.
func processHeap() (live, allocated uint64) {
	samples := [...]metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(samples[:])
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}

// heapWatch is the one watch over all cases of the process.
var heapWatch struct {
	mu     sync.Mutex
	meters map[*meter]bool
}

const heapWatchInterval = 3 * time.Millisecond

// watchHeap adds a case to the watch, which runs while there are any.
func watchHeap(m *meter) (stop func()) {
	w := &heapWatch
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.meters == nil {
		w.meters = map[*meter]bool{}
		go runHeapWatch()
	}
	w.meters[m] = true
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.meters, m)
	}
}

func runHeapWatch() {
	for range time.Tick(heapWatchInterval) {
		if !lookAtHeap() {
			return
		}
	}
}

// lookAtHeap tells the cases that may be over their limit; it reports whether there are any cases.
func lookAtHeap() bool {
	w := &heapWatch
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.meters) == 0 {
		w.meters = nil
		return false
	}
	live, allocated := processHeap()
	now := time.Now().UnixNano()
	for m := range w.meters {
		if m.heap.mayExceed(live, allocated) && now > m.heap.rest.Load() {
			m.heap.alarm.Store(true)
			m.due.Store(0)
		}
	}
	return true
}
