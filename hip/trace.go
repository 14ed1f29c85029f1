package hip

import (
	"time"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// Trace returns the calls since it was last called, in order. Of more than 262144 calls the oldest are dropped.
func (rt *Runtime) Trace() []trace.Call { return rt.record.Drain() }

// Recorder returns the records of the runtime's calls.
func (rt *Runtime) Recorder() *trace.Recorder { return &rt.record }

// Repeat begins calls in virtual time that were made before, until restore is called: kernels take their time and leave
// their results as they are. In the time of the machine they compute them again.
func (rt *Runtime) Repeat() (restore func()) {
	rt.repeats = rt.clock != nil
	return func() { rt.repeats = false }
}

// History returns the records so far, whether or not Trace returned it. Kernels that still run have no times yet.
func (rt *Runtime) History() trace.History {
	rt.collectHazards()
	h := rt.record.History()
	for _, d := range rt.devices {
		h.Capacity += d.driver.Properties().MemoryBytes
		if len(rt.devices) > 1 {
			h.Capacities = append(h.Capacities, d.driver.Properties().MemoryBytes)
		}
	}
	return h
}

// Stats returns the counts so far; the maps are copies.
func (rt *Runtime) Stats() trace.Stats {
	s := rt.record.Stats()
	rt.blocks.total.countIn(&s.Counts)
	s.Streams, s.Events = len(rt.open.numbers[streamKind]), len(rt.open.numbers[eventKind])
	for i := range s.Devices {
		rt.blocks.devices[i].countIn(&s.Devices[i])
	}
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

// Clock returns the virtual time of the host and its devices; nil if the time is the machine's.
func (rt *Runtime) Clock() driver.Clock { return rt.clock }

// Elapsed returns the time since the runtime was opened.
func (rt *Runtime) Elapsed() time.Duration { return rt.record.Clock() }

// HeldBytes returns the bytes of device memory that are allocated now.
func (rt *Runtime) HeldBytes() uint64 { return rt.blocks.total.bytes }

// OpenStreams returns the number of streams that are open now.
func (rt *Runtime) OpenStreams() int { return len(rt.open.numbers[streamKind]) }

// Misuses returns the calls that succeed in HIP, but that a library forbids: the destruction of streams that its
// handles use.
func (rt *Runtime) Misuses() []string { return rt.misuses }

// Hazards returns the unordered uses of memory that the devices detected since it was last called, in the order in
// which the later use was queued. It returns none on a platform that does not detect them.
func (rt *Runtime) Hazards() []driver.Hazard {
	rt.collectHazards()
	return rt.record.Hazards()
}
