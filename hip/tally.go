package hip

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

// counts returns the counts, and the memory that is held. The maps are copies.
func (t *tally) counts(h held) Counts {
	s := Counts{Calls: map[string]int{}, Syncs: map[string]int{}, Kernels: t.kernels, LiveBytes: h.bytes,
		PeakBytes: h.peak, LiveBlocks: h.blocks, Allocations: t.allocations, Injected: t.injected}
	maps.Copy(s.Calls, t.calls)
	maps.Copy(s.Syncs, t.syncs)
	return s
}

// count changes the counts of a device and of all.
func (r *recorder) count(device int, change func(*tally)) {
	change(&r.total)
	if r.devices != nil {
		change(&r.devices[device])
	}
}

// request counts a request for memory.
func (r *recorder) request(device int) { r.count(device, func(t *tally) { t.allocations++ }) }

// stream records the stream that the call names, and its device.
func (c *Call) stream(s *Stream) { c.Device, c.Stream, c.HasStream = s.device.index, s.ID(), true }

// Add adds the counts of another runtime. The most memory at one time is the larger of both.
func (s *Stats) Add(other Stats) {
	s.Counts.add(&other.Counts)
	for i := range other.Devices {
		if i == len(s.Devices) {
			s.Devices = append(s.Devices, Counts{})
		}
		s.Devices[i].add(&other.Devices[i])
	}
}

func (s *Counts) add(other *Counts) {
	if s.Calls == nil {
		s.Calls, s.Syncs = map[string]int{}, map[string]int{}
	}
	for name, n := range other.Calls {
		s.Calls[name] += n
	}
	for cause, n := range other.Syncs {
		s.Syncs[cause] += n
	}
	s.Kernels += other.Kernels
	s.LiveBytes += other.LiveBytes
	s.PeakBytes = max(s.PeakBytes, other.PeakBytes)
	s.LiveBlocks += other.LiveBlocks
	s.Streams += other.Streams
	s.Events += other.Events
	s.Allocations += other.Allocations
	s.Injected += other.Injected
}
