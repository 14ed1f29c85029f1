package hip

import (
	"maps"

	"roclua/hip/driver"
)

// CauseScript is the cause of calls that the script makes itself, as opposed to those a library makes for it.
const CauseScript = "script"

// Call is one call of HIP as a trace shows it. Calls of the routines of a library are not among them.
type Call struct {
	Name      string     // spelt as in C: "hipMalloc"
	Bytes     uint64     // the size that the call names
	HasBytes  bool       // whether the call names a size
	Ptr       driver.Ptr // the address that the call returned or was given; 0 for none
	Stream    int        // the number of the stream that the call names
	HasStream bool       // whether the call names a stream

	Result   driver.Error
	Seconds  float64 // from the opening of the runtime to the start of the call
	Duration float64 // seconds that the host spent in the call

	Cause         string // "script", or why a library made the call: "growth", "create_handle"
	Origin        string // where the script was: "solve.lua:12"
	Synchronizing bool   // whether the host waited for the device
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
}

// traceLimit bounds the calls that wait to be drained. A script that never asks for its trace would otherwise hold
// hundreds of megabytes after some million calls; counts go on either way.
const traceLimit = 1 << 18

// recorder keeps the calls since the last drain, and counts all of them.
type recorder struct {
	trace   []Call
	calls   map[string]int
	syncs   map[string]int
	kernels int
}

func (r *recorder) add(c Call) {
	if r.calls == nil {
		r.calls, r.syncs = map[string]int{}, map[string]int{}
	}
	r.calls[c.Name]++
	if c.Synchronizing {
		r.syncs[c.Cause]++
	}
	if len(r.trace) >= traceLimit {
		r.trace = append(r.trace[:0:0], r.trace[traceLimit/2:]...)
	}
	r.trace = append(r.trace, c)
}

// Trace drains the calls made since it was last called, in order. Of more than 262144 calls the oldest are dropped.
func (rt *Runtime) Trace() []Call {
	trace := rt.record.trace
	rt.record.trace = nil
	return trace
}

// Stats returns the counts so far; the maps are copies.
func (rt *Runtime) Stats() Stats {
	s := Stats{Calls: map[string]int{}, Syncs: map[string]int{}, Kernels: rt.record.kernels,
		LiveBytes: rt.blocks.bytes, PeakBytes: rt.blocks.peak, LiveBlocks: len(rt.blocks.live),
		Streams: len(rt.open.streams), Events: len(rt.open.events)}
	maps.Copy(s.Calls, rt.record.calls)
	maps.Copy(s.Syncs, rt.record.syncs)
	return s
}
