package trace

// Stats contains counts since the runtime was opened.
type Stats struct {
	Counts
	Devices []Counts // of each device by its number; nil if there is one
}

// Counts are what was done, and what is held, on one device or on all.
type Counts struct {
	Calls      map[string]int // calls by C name
	Syncs      map[string]int // synchronizing calls by cause
	Kernels    int            // routines queued for execution
	LiveBytes  uint64         // device memory held now
	PeakBytes  uint64         // the most device memory held at one time
	LiveBlocks int            // blocks of device memory held now
	Streams    int            // streams open now, without the null streams
	Events     int            // events open now

	Allocations int // requests for device memory of at least one byte, successful or not
	Injected    int // requests that were made to fail
}

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
