package hip

import (
	"maps"
	"sync"
	"time"

	"roclua/hip/driver"
)

// CauseScript is the cause of calls that the script makes itself, as opposed to those a library makes for it.
const CauseScript = "script"

// Call is one call of HIP in a trace. Calls of a library's routines are not included.
type Call struct {
	Name      string     `json:"name,omitempty"`       // as in C: "hipMalloc"
	Bytes     uint64     `json:"bytes,omitempty"`      // the size that the call names
	HasBytes  bool       `json:"has_bytes,omitempty"`  // whether the call names a size
	Ptr       driver.Ptr `json:"ptr,omitempty"`        // the address that the call returned or was given; 0 for none
	Stream    int        `json:"stream,omitempty"`     // the number of the stream that the call names
	HasStream bool       `json:"has_stream,omitempty"` // whether the call names a stream

	Result   driver.Error `json:"result,omitempty"`
	Seconds  float64      `json:"seconds,omitempty"`  // from the opening of the runtime to the start of the call
	Duration float64      `json:"duration,omitempty"` // seconds that the host spent in the call

	Cause         string `json:"cause,omitempty"`         // "script", or why a library made the call: "growth"
	Origin        string `json:"origin,omitempty"`        // where the script was: "solve.lua:12"
	Synchronizing bool   `json:"synchronizing,omitempty"` // whether the host waited for the device
	Injected      string `json:"injected,omitempty"`      // why the call was made to fail; "" when it was not
}

// Stats contains counts since the runtime was opened.
type Stats struct {
	Calls      map[string]int // calls by C name
	Syncs      map[string]int // calls for which the host waited for the device, by cause
	Kernels    int            // routines queued for execution
	LiveBytes  uint64         // device memory held now
	PeakBytes  uint64         // the most device memory held at one time
	LiveBlocks int            // blocks of device memory held now
	Streams    int            // streams open now, without the null streams
	Events     int            // events open now

	Allocations int // requests for device memory of at least one byte, successful or not
	Injected    int // those of them that were made to fail
}

// Kernel is one routine that was queued for execution.
type Kernel struct {
	Name   string  `json:"name,omitempty"` // as in C: "rocblas_dgemm"
	Stream int     `json:"stream,omitempty"`
	Origin string  `json:"origin,omitempty"` // where the script was: "solve.lua:12"
	Queued float64 `json:"queued,omitempty"` // seconds from the opening of the runtime to the call
	Start  float64 `json:"start,omitempty"`  // when the device began, and ended; both 0 when it is not known
	End    float64 `json:"end,omitempty"`
}

// Mark is an event in the life of a handle that is not a call of HIP.
type Mark struct {
	Handle  int     `json:"handle,omitempty"`  // number of the handle in the runtime, in order of creation, from 1
	Seconds float64 `json:"seconds,omitempty"` // from the opening of the runtime
	Bytes   uint64  `json:"bytes,omitempty"`   // the memory that the handle holds from now on
	Text    string  `json:"text,omitempty"`    // error of a call that failed; "" when the memory changed
	Origin  string  `json:"origin,omitempty"`  // where the script was
}

// Hazard is an unordered use of memory that a device detected.
type Hazard struct {
	Seconds float64    `json:"seconds,omitempty"` // from the opening of the runtime to the later use
	Earlier driver.Use `json:"earlier"`
	Later   driver.Use `json:"later"`
}

// String describes the two uses: "hipMemsetAsync in stream 2 (x.lua:3) uses memory that hipMemcpyAsync in stream 1
// (x.lua:2) may still be using".
func (h Hazard) String() string { return driver.Hazard{Earlier: h.Earlier, Later: h.Later}.String() }

// History is what was recorded since the runtime was opened, up to historyLimit entries of each kind.
type History struct {
	Calls    []Call   `json:"calls,omitempty"`
	Kernels  []Kernel `json:"kernels,omitempty"`
	Marks    []Mark   `json:"marks,omitempty"`
	Hazards  []Hazard `json:"hazards,omitempty"`
	Capacity uint64   `json:"capacity,omitempty"` // bytes of device memory, all devices together
}

// historyLimit is the number of calls, kernels and marks that are kept. A script that makes millions of them would
// otherwise hold hundreds of megabytes. Statistics still count all.
const historyLimit = 1 << 18

// recorder keeps calls, kernels and marks, and counts them. Kernels end on goroutines of the platform; all else is used
// by the host thread only.
type recorder struct {
	calls   entries[Call]
	drained int // calls that Trace has already returned
	marks   entries[Mark]
	hazards entries[Hazard]
	pending []driver.Hazard // hazards that Hazards has not returned yet
	handles int
	count   map[string]int
	syncs   map[string]int
	queued  int

	allocations int    // requests for memory of at least one byte
	injected    int    // those that were made to fail
	faults      []Call // the first faultsKept of these

	mu      sync.Mutex // guards kernels and their times
	kernels entries[kernel]
}

// kernel is the record of a kernel. The platform sets its times.
type kernel struct {
	Kernel
	rt *Runtime
}

// Now implements driver.Timer.
func (k *kernel) Now() time.Duration { return k.rt.clock() }

// Ran implements driver.Timer.
func (k *kernel) Ran(start, end time.Duration) {
	k.rt.record.mu.Lock()
	defer k.rt.record.mu.Unlock()
	k.Start, k.End = start.Seconds(), end.Seconds()
}

func (r *recorder) add(c Call) {
	if r.count == nil {
		r.count, r.syncs = map[string]int{}, map[string]int{}
	}
	r.count[c.Name]++
	if c.Synchronizing {
		r.syncs[c.Cause]++
	}
	if c.Injected != "" {
		r.injected++
		if len(r.faults) < faultsKept {
			r.faults = append(r.faults, c)
		}
	}
	_, dropped := r.calls.add(c)
	r.drained = max(0, r.drained-dropped)
}

// hazardLimit is the number of hazards that are kept until Hazards is called, like those of a device.
const hazardLimit = 4096

// collectHazards records the hazards that the devices detected during the current call.
func (rt *Runtime) collectHazards() {
	for _, d := range rt.devices {
		if d.hazards == nil {
			continue
		}
		for _, h := range d.hazards.Hazards() {
			rt.addHazard(h)
		}
	}
}

func (rt *Runtime) addHazard(h driver.Hazard) {
	r := &rt.record
	r.hazards.add(Hazard{rt.clock().Seconds(), h.Earlier, h.Later})
	if len(r.pending) < hazardLimit {
		r.pending = append(r.pending, h)
	}
}

// newKernel begins the record of a kernel, which the platform completes with its times.
func (rt *Runtime) newKernel(name string, stream int) *kernel {
	k := kernel{Kernel{Name: name, Stream: stream, Origin: rt.site.Origin, Queued: rt.clock().Seconds()}, rt}
	r := &rt.record
	r.mu.Lock()
	defer r.mu.Unlock()
	place, _ := r.kernels.add(k)
	return place
}

// notLaunched removes the record of the last kernel, which could not be queued.
func (r *recorder) notLaunched() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kernels.removeLast()
}

// clock returns the time since the runtime was opened. It takes half as long as time.Now, which also reads the time of
// day.
func (rt *Runtime) clock() time.Duration { return time.Since(rt.opened) }

// Trace returns the calls since it was last called, in order. Of more than 262144 calls the oldest are dropped.
func (rt *Runtime) Trace() []Call {
	r := &rt.record
	trace := r.calls.from(r.drained)
	r.drained = r.calls.n
	return trace
}

// Untraced returns how many calls Trace would return.
func (rt *Runtime) Untraced() int { return rt.record.calls.n - rt.record.drained }

// History returns what was recorded so far, whether or not Trace returned it. Kernels that still run have no times yet.
func (rt *Runtime) History() History {
	rt.collectHazards()
	r := &rt.record
	r.mu.Lock()
	defer r.mu.Unlock()
	h := History{Calls: r.calls.from(0), Marks: r.marks.from(0), Hazards: r.hazards.from(0)}
	for _, k := range r.kernels.from(0) {
		h.Kernels = append(h.Kernels, k.Kernel)
	}
	for _, d := range rt.devices {
		h.Capacity += d.driver.Properties().MemoryBytes
	}
	return h
}

// Stats returns the counts so far; the maps are copies.
func (rt *Runtime) Stats() Stats {
	s := Stats{Calls: map[string]int{}, Syncs: map[string]int{}, Kernels: rt.record.queued,
		LiveBytes: rt.blocks.bytes, PeakBytes: rt.blocks.peak, LiveBlocks: len(rt.blocks.live),
		Streams: len(rt.open.streams), Events: len(rt.open.events),
		Allocations: rt.record.allocations, Injected: rt.record.injected}
	maps.Copy(s.Calls, rt.record.count)
	maps.Copy(s.Syncs, rt.record.syncs)
	return s
}
