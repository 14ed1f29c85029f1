package trace

// Stats contains counts since the runtime was opened.
type Stats struct {
	Counts
	Devices []Counts `json:"devices,omitempty"` // counts of each device by its number, if there are several
}

// Counts are what was done, and what is held, on one device or on all.
type Counts struct {
	Calls     map[string]int `json:"calls,omitempty"` // calls by their names in C
	Syncs     map[string]int `json:"syncs,omitempty"` // calls that made the host wait, by cause
	Kernels   int            `json:"kernels"`         // routines that ran on the device
	PeakBytes uint64         `json:"peak_bytes"`      // peak device memory in use

	Allocations int `json:"allocations"`        // requests for device memory of at least one byte
	Injected    int `json:"injected,omitempty"` // requests that were made to fail

	LiveBytes  uint64 `json:"-"` // device memory held now
	LiveBlocks int    `json:"-"` // blocks of device memory held now
	Streams    int    `json:"-"` // streams open now, without the null streams
	Events     int    `json:"-"` // events open now
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
