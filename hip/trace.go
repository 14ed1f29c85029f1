package hip

import (
	"slices"
	"time"

	"roclua/hip/driver"
)

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
		if len(rt.devices) > 1 {
			h.Capacities = append(h.Capacities, d.driver.Properties().MemoryBytes)
		}
	}
	return h
}

// Stats returns the counts so far; the maps are copies.
func (rt *Runtime) Stats() Stats {
	s := Stats{Counts: rt.record.total.counts(rt.blocks.total)}
	for i := range rt.record.devices {
		s.Devices = append(s.Devices, rt.record.devices[i].counts(rt.blocks.devices[i]))
	}
	s.Streams, s.Events = len(rt.open.numbers[streamKind]), len(rt.open.numbers[eventKind])
	if s.Devices != nil {
		for o := range rt.open.numbers[streamKind] {
			s.Devices[o.(*Stream).device.index].Streams++
		}
		for o := range rt.open.numbers[eventKind] {
			s.Devices[o.(*Event).device.index].Events++
		}
	}
	return s
}

// LibraryCounts returns how often the workspaces of handles have grown, and how often libraries made the host wait.
func (rt *Runtime) LibraryCounts() (growths, waits int) { return rt.record.growths, rt.record.waits }

// Marks returns the latest events in the lives of handles.
func (rt *Runtime) Marks() []Mark { return rt.record.marks.from(0) }

// Elapsed returns the time since the runtime was opened.
func (rt *Runtime) Elapsed() time.Duration { return rt.clock() }

// HeldBytes returns the bytes of device memory that are allocated now.
func (rt *Runtime) HeldBytes() uint64 { return rt.blocks.total.bytes }

// OpenStreams returns the number of streams that are open now.
func (rt *Runtime) OpenStreams() int { return len(rt.open.numbers[streamKind]) }

// Faults returns the first allocations that were made to fail, in order; Stats counts all.
func (rt *Runtime) Faults() []Call { return slices.Clone(rt.record.faults) }

// Hazards returns the unordered uses of memory that the devices detected since it was last called, in the order in
// which the later use was queued. It returns none on a platform that does not detect them.
func (rt *Runtime) Hazards() []driver.Hazard {
	rt.collectHazards()
	all := rt.record.pending
	rt.record.pending = nil
	return all
}
