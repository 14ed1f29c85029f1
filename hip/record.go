package hip

import (
	"maps"
	"slices"
	"sync"
	"time"

	"roclua/hip/driver"
)

// CauseScript is the cause of calls that the script makes itself, as opposed to those a library makes for it.
const CauseScript = "script"

// Call is one call of HIP as a trace shows it. Calls of the routines of a library are not among them.
type Call struct {
	Name      string     `json:"name,omitempty"`       // spelt as in C: "hipMalloc"
	Bytes     uint64     `json:"bytes,omitempty"`      // the size that the call names
	HasBytes  bool       `json:"has_bytes,omitempty"`  // whether the call names a size
	Ptr       driver.Ptr `json:"ptr,omitempty"`        // the address that the call returned or was given; 0 for none
	Stream    int        `json:"stream,omitempty"`     // the number of the stream that the call names
	HasStream bool       `json:"has_stream,omitempty"` // whether the call names a stream

	Result   driver.Error `json:"result,omitempty"`
	Seconds  float64      `json:"seconds,omitempty"`  // from the opening of the runtime to the start of the call
	Duration float64      `json:"duration,omitempty"` // seconds that the host spent in the call

	Cause         string `json:"cause,omitempty"`         // "script", or why a library made the call: "growth", "create_handle"
	Origin        string `json:"origin,omitempty"`        // where the script was: "solve.lua:12"
	Synchronizing bool   `json:"synchronizing,omitempty"` // whether the host waited for the device
	Injected      string `json:"injected,omitempty"`      // why the call was made to fail, "allocation 3 of the case (nth = 3)"; "" when it was not
}

// Stats are counts since the runtime was opened.
type Stats struct {
	Calls      map[string]int // calls by C name
	Syncs      map[string]int // calls for which the host waited for the device, by cause
	Kernels    int            // routines queued for execution
	LiveBytes  uint64         // device memory held now
	PeakBytes  uint64         // the most device memory held at one time
	LiveBlocks int            // blocks of device memory held now
	Streams    int            // streams open now, without the null streams
	Events     int            // events open now

	Allocations int // requests for device memory, of at least a byte, whether or not they were met
	Injected    int // those of them that were made to fail
}

// Kernel is one routine that was queued for execution.
type Kernel struct {
	Name   string  `json:"name,omitempty"` // as in C: "rocblas_dgemm"
	Stream int     `json:"stream,omitempty"`
	Origin string  `json:"origin,omitempty"` // where the script was: "solve.lua:12"
	Queued float64 `json:"queued,omitempty"` // seconds from the opening of the runtime to the call
	Start  float64 `json:"start,omitempty"`  // when the device began with it, and was done; both 0 when the platform does not tell
	End    float64 `json:"end,omitempty"`
}

// Mark is a moment in the life of a handle that no call of HIP shows.
type Mark struct {
	Handle  int     `json:"handle,omitempty"`  // handles of the runtime in the order of their making, from 1
	Seconds float64 `json:"seconds,omitempty"` // from the opening of the runtime
	Bytes   uint64  `json:"bytes,omitempty"`   // the memory that the handle holds from now on
	Text    string  `json:"text,omitempty"`    // what was refused, and why; "" when the memory changed and nothing went wrong
	Origin  string  `json:"origin,omitempty"`  // where the script was
}

// History is everything that happened since the runtime was opened, as far as it is kept.
type History struct {
	Calls    []Call   `json:"calls,omitempty"`
	Kernels  []Kernel `json:"kernels,omitempty"`
	Marks    []Mark   `json:"marks,omitempty"`
	Capacity uint64   `json:"capacity,omitempty"` // bytes of device memory, all devices together
}

// historyLimit bounds the calls, kernels and marks that are kept. A script that makes some millions of them would otherwise
// hold hundreds of megabytes; counts go on either way.
const historyLimit = 1 << 18

// recorder keeps what happened, and counts it. Kernels end on goroutines of the platform; the rest is the host thread's.
type recorder struct {
	calls   []Call
	drained int // calls that Trace has given already
	marks   []Mark
	handles int
	count   map[string]int
	syncs   map[string]int
	queued  int

	allocations int    // requests for memory, of at least a byte
	injected    int    // those that were made to fail
	faults      []Call // the first faultsKept of these

	mu      sync.Mutex // guards kernels and their times
	kernels []*Kernel
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
	before := len(r.calls)
	r.calls = latest(r.calls, c)
	if dropped := before + 1 - len(r.calls); dropped > 0 {
		r.drained = max(0, r.drained-dropped)
	}
}

// latest appends to a list that keeps the last historyLimit entries at most.
func latest[T any](list []T, entry T) []T {
	if len(list) >= historyLimit {
		list = append(list[:0:0], list[historyLimit/2:]...)
	}
	return append(list, entry)
}

// launched counts a kernel that was queued.
func (r *recorder) launched(k *Kernel) {
	r.queued++
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kernels = latest(r.kernels, k)
}

// newKernel begins the record of a kernel; ran is what the platform tells its times to.
func (rt *Runtime) newKernel(name string, stream int) (k *Kernel, ran func(start, end time.Time)) {
	k = &Kernel{Name: name, Stream: stream, Origin: rt.site.Origin, Queued: rt.since(time.Now())}
	return k, func(start, end time.Time) {
		rt.record.mu.Lock()
		defer rt.record.mu.Unlock()
		k.Start, k.End = rt.since(start), rt.since(end)
	}
}

func (rt *Runtime) since(t time.Time) float64 { return t.Sub(rt.opened).Seconds() }

// NewHandleNumber numbers a handle for its marks.
func (d *Device) NewHandleNumber() int {
	d.rt.record.handles++
	return d.rt.record.handles
}

// Mark keeps a moment in the life of a handle; its time and place are those of now.
func (d *Device) Mark(m Mark) {
	m.Seconds, m.Origin = d.rt.since(time.Now()), d.rt.origin()
	d.rt.record.marks = latest(d.rt.record.marks, m)
}

// Trace drains the calls made since it was last called, in order. Of more than 262144 calls the oldest are dropped.
func (rt *Runtime) Trace() []Call {
	r := &rt.record
	trace := slices.Clone(r.calls[r.drained:])
	r.drained = len(r.calls)
	return trace
}

// History returns what happened so far, whether or not it was drained. Kernels that still run have no times yet.
func (rt *Runtime) History() History {
	r := &rt.record
	r.mu.Lock()
	defer r.mu.Unlock()
	h := History{Calls: slices.Clone(r.calls), Marks: slices.Clone(r.marks)}
	for _, k := range r.kernels {
		h.Kernels = append(h.Kernels, *k)
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
