package vm

import (
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/memory"
)

// How the memory of a run is bounded. gopher-lua allocates from Go's heap, which all machines share and which cannot be
// divided among them from outside. The memory of one run is found by walking over its values, which is slow.
// So it is done only when it can matter:
//
//   - A run cannot hold more than the process holds. Nor can it have gained more than the process has allocated since
//     the run was last measured. Both numbers are cheap. A watcher reads them every few milliseconds. Only a run that
//     may be over its limit by both numbers measures itself, before its next instruction. Ordinary runs are never
//     measured.
//   - A single step could allocate far too much before the watcher sees it, for example a string of a terabyte. Such
//     steps reserve the memory first: string and table functions, host functions, and, through the meter,
//     concatenations and table assignments.
//
// Other runs may make a run measure itself without need. They cannot make it fail.

// LargeAllocation is the minimum size in bytes of allocations that are reserved.
const LargeAllocation = 1 << 20

// largestAllocation is the largest string or array of a run without a limit, so that a wrong size is an error of the
// script and does not end the process.
const largestAllocation = 4 << 30

// heapGauge estimates the memory of one run.
type heapGauge struct {
	limit uint64        // bytes; 0 for none
	held  uint64        // bytes when the run was last found over its limit
	quiet atomic.Uint64 // the run is within its limit until the process has allocated this many bytes
	rest  atomic.Int64  // no alarm before this time in nanoseconds, so that a run does not only measure itself
	alarm atomic.Bool   // the run must measure itself
	stop  func()        // removes the gauge from the watcher
}

// begin registers a run with the watcher.
func (g *heapGauge) begin(mt *Meter) {
	g.stop = func() {}
	if g.limit == 0 {
		return
	}
	_, allocated := processHeap()
	g.quiet.Store(allocated + g.limit)
	g.stop = watchHeap(mt)
}

// widen raises the limit by half. If the run held more than the limit, it adds half of the limit to the held bytes:
// growth in small steps may pass the limit before the watcher sees it. The watcher reads the limit under its lock.
func (g *heapGauge) widen() {
	heapWatcher.mu.Lock()
	defer heapWatcher.mu.Unlock()
	if g.limit > 0 {
		g.limit = max(g.limit, g.held) + g.limit/2 + LargeAllocation
	}
}

// mayExceed reports whether the run may hold more than its limit, given the heap of the process.
func (g *heapGauge) mayExceed(live, allocated uint64) bool {
	return live > g.limit && allocated > g.quiet.Load()
}

// Reserve checks that the run may allocate a number of bytes, and raises an error otherwise. A host function calls it
// before it allocates much for the script. Small sizes cost nothing: the watcher sees their sum.
func (mt *Meter) Reserve(l *lua.LState, bytes uint64) {
	if bytes >= LargeAllocation {
		mt.see(l)
		mt.fit(l, bytes)
	}
}

// fit ends the run and raises the error if the additional bytes exceed the limit, or if the run has ended.
func (mt *Meter) fit(l *lua.LState, bytes uint64) {
	g := &mt.heap
	switch {
	case mt.machine.Ended() != nil:
		mt.machine.raiseEnd(l)
		return
	case g.limit == 0:
		if bytes > largestAllocation {
			mt.machine.Raisef(l, "%d bytes are more than the 4 GiB that one value may have", bytes)
		}
		return
	case bytes > g.limit:
		mt.exceed(l, bounds.Heap, g.limit, bytes)
		mt.machine.raiseEnd(l)
		return
	}
	live, allocated := processHeap()
	if !g.mayExceed(live+bytes, allocated+bytes) {
		return
	}
	start := time.Now()
	held := mt.heapUsed(mt.machine.HeldBytes())
	if held+bytes > g.limit {
		if mt.budget == nil {
			g.held = held
		}
		mt.exceed(l, bounds.Heap, g.limit, held+bytes)
		mt.machine.raiseEnd(l)
		return
	}
	// Measuring allocates, too. Runs that measure themselves must not keep making each other measure.
	_, allocated = processHeap()
	g.quiet.Store(allocated + max(g.limit-held, g.limit/8))
	g.rest.Store(time.Now().Add(time.Since(start)).UnixNano())
}

// processHeap returns the bytes of the process's heap in use, including garbage, and those allocated since its start.
func processHeap() (live, allocated uint64) {
	samples := [...]metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(samples[:])
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}

// heapWatcher watches all runs of the process that have a limit. It runs while there are any, and a while longer: the
// next run often begins at once.
var heapWatcher struct {
	mu     sync.Mutex
	meters map[*Meter]bool // nil if no watcher runs
	idle   int             // how often there was no run
	usual  int             // the percentage of garbage to restore when no watcher runs; 0 while it is set
}

const (
	heapWatchInterval = 3 * time.Millisecond
	heapWatchIdle     = 30 // intervals without a run after which the watcher ends
)

// watchHeap adds a run to the watcher, until stop is called.
func watchHeap(mt *Meter) (stop func()) {
	w := &heapWatcher
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.meters == nil {
		w.meters, w.idle = map[*Meter]bool{}, 0
		go runHeapWatcher()
	}
	w.meters[mt] = true
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.meters, mt)
	}
}

func runHeapWatcher() {
	heapWatcher.mu.Lock()
	relaxCollection(true)
	heapWatcher.mu.Unlock()
	for range time.Tick(heapWatchInterval) {
		if !checkHeap() {
			return
		}
	}
}

// checkHeap makes the runs measure themselves that may be over their limit, and reports whether the watcher is still
// needed.
func checkHeap() bool {
	w := &heapWatcher
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle++
	if len(w.meters) > 0 {
		w.idle = 0
	}
	if w.idle > heapWatchIdle {
		w.meters = nil
		relaxCollection(false)
		return false
	}
	live, allocated := processHeap()
	now := time.Now().UnixNano()
	for mt := range w.meters {
		if mt.heap.mayExceed(live, allocated) && now > mt.heap.rest.Load() {
			mt.heap.alarm.Store(true)
			mt.expire()
		}
	}
	relaxCollection(live <= smallHeap)
	return true
}

// HeldBytes returns the memory that the run holds, approximately: everything that is reachable from its globals and
// registers, and the memory that the host holds for it. Its time is proportional to the number of values.
func (m *Machine) HeldBytes() uint64 {
	w := &memory.Walk{}
	g := m.lua.G
	w.Add(g.Registry)
	w.Add(g.Global)
	w.Add(m.lua) // coroutines that run are in the registers of those that resumed them
	w.Add(m.lua.GetMetatable(lua.LString("")))
	w.AddAll(m.kept)
	w.Finish()
	if m.opts.HeldBytes != nil {
		w.Bytes += m.opts.HeldBytes()
	}
	return w.Bytes + m.meter.output
}

// Go collects garbage when the heap has grown by a percentage of the memory in use. With small Lua states, the
// collections would take as long as the scripts. While the heap is small, it may therefore grow by more.
const (
	smallHeap    = 24 << 20 // bytes of the heap, garbage included
	smallPercent = 300
)

// relaxCollection sets the percentage, if the user has not set GOGC. The caller holds the lock of the watcher.
func relaxCollection(relaxed bool) {
	w := &heapWatcher
	switch {
	case relaxed == (w.usual > 0) || os.Getenv("GOGC") != "":
	case relaxed:
		w.usual = debug.SetGCPercent(smallPercent)
	default:
		debug.SetGCPercent(w.usual)
		w.usual = 0
	}
}

// CollectSeldom lets Go collect garbage as seldom as while scripts run, until stop is called. It is for work that
// allocates much and keeps little of it.
func CollectSeldom() (stop func()) {
	m := &Meter{}
	m.heap.limit = math.MaxUint64
	return watchHeap(m)
}
