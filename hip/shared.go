package hip

import (
	"sync"
	"time"

	"roclua/hip/driver"
)

// host is what the threads of a runtime share: what is allocated and open, and a record of what was done.
type host struct {
	*Thread  // that makes calls now
	main     *Thread
	threader driver.Threader       // nil on a platform with one thread
	selector driver.DeviceSelector // nil on a platform that does not need the current device
	mu       sync.Mutex            // held by the thread that makes calls, while there are several
	several  bool

	platform  string
	opened    time.Time
	closed    bool
	reporters []driver.HazardReporter // the devices that detect hazards

	watch  func(driver.Site)  // called before every call; may be nil
	refuse func(*Call) string // called before every allocation, returns why it is made to fail; may be nil
	record recorder
	blocks ledger
	open   openObjects

	captures []*captureRecord    // that have not ended
	reserved map[driver.Ptr]bool // memory that is allocated in graphs
}

// captureRecord describes a capture for error messages: who began it, and which call invalidated it.
type captureRecord struct {
	begun       driver.Site
	invalidated *driver.Site
	ended       *driver.Site
}

// SetWatcher sets a function that is called before every call of HIP and of a routine.
func (s *host) SetWatcher(watch func(driver.Site)) { s.watch = watch }

// SetFaults sets a function that is called for every allocation of at least one byte whose other arguments are valid.
// When it returns a reason, the allocation fails with ErrorOutOfMemory; with "" the allocation is made. A captured
// hipMallocAsync becomes a node of a graph, and is not an allocation.
func (s *host) SetFaults(refuse func(*Call) string) { s.refuse = refuse }

// clock returns the time since the runtime was opened. It takes half as long as time.Now, which also reads the time of
// day.
func (s *host) clock() time.Duration { return time.Since(s.opened) }

// collectHazards records the hazards that the devices detected during the current call.
func (s *host) collectHazards() {
	for _, reporter := range s.reporters {
		for _, h := range reporter.Hazards() {
			s.addHazard(h)
		}
	}
}

func (s *host) addHazard(h driver.Hazard) {
	h.Memory = s.blocks.describeUsed(h.Ptr)
	r := &s.record
	r.hazards.add(Hazard{s.clock().Seconds(), h.Earlier, h.Later, h.Memory})
	if len(r.pending) < hazardLimit {
		r.pending = append(r.pending, h)
	}
}

// kernel is the record of a kernel. The platform sets its times.
type kernel struct {
	Kernel
	in *host
}

// Now implements driver.Timer.
func (k *kernel) Now() time.Duration { return k.in.clock() }

// Ran implements driver.Timer.
func (k *kernel) Ran(start, end time.Duration) {
	k.in.record.mu.Lock()
	defer k.in.record.mu.Unlock()
	k.Start, k.End = start.Seconds(), end.Seconds()
}

// reserve records memory that a node of a graph allocates: launches allocate it, and a node can free it.
func (s *host) reserve(p driver.Ptr) {
	if s.reserved == nil {
		s.reserved = map[driver.Ptr]bool{}
	}
	if p != 0 {
		s.reserved[p] = true
	}
}
