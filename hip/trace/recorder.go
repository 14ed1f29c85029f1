package trace

import (
	"slices"
	"sync"
	"time"

	"roclua/hip/driver"
)

// historyLimit is the number of calls, kernels and marks that are kept. A script that makes millions of them would
// otherwise hold hundreds of megabytes. Statistics still count all.
const historyLimit = 1 << 18

// hazardLimit is the number of hazards that are kept until Hazards is called. A device has the same limit.
const hazardLimit = 4096

// faultsKept is the number of injected failures that a recorder keeps.
const faultsKept = 32

// Recorder keeps calls, kernels and marks, and counts them. Kernels end on goroutines of the platform; all else is used
// by the thread that makes calls.
type Recorder struct {
	opened  time.Time
	clock   func() time.Duration // instead of the time since opened; nil for that
	calls   entries[Call]
	drained int // calls that Drain has already returned
	marks   entries[Mark]
	hazards entries[Hazard]
	pending []driver.Hazard // hazards that Hazards has not returned yet
	handles int
	total   Counts
	devices []Counts // of each device; nil if there is one

	growths int    // allocations that made the workspace of a handle grow
	waits   int    // of the host, that libraries made
	faults  []Call // the first faultsKept requests that failed by injection

	unrecorded *Unrecorded // instead of the above, while calls are not recorded; nil otherwise

	mu      sync.Mutex // guards kernels and their times
	kernels entries[Timed]
}

// Start starts the clock of a recorder of a number of devices.
func (r *Recorder) Start(devices int) {
	r.opened = time.Now()
	if devices > 1 {
		r.devices = make([]Counts, devices)
	}
}

// Clock returns the time since Start. It takes half as long as time.Now, which also reads the time of day.
func (r *Recorder) Clock() time.Duration {
	if r.clock != nil {
		return r.clock()
	}
	return time.Since(r.opened)
}

// SetClock sets the clock of a recorder, which a recorded program has.
func (r *Recorder) SetClock(clock func() time.Duration) { r.clock = clock }

// Call records a call.
func (r *Recorder) Call(c Call) {
	if r.unrecorded != nil {
		r.unrecorded.note(&c)
		return
	}
	r.total.note(&c)
	if r.devices != nil {
		r.devices[c.Device].note(&c)
	}
	if c.Cause != CauseScript {
		r.noteLibrary(&c)
	}
	if c.Injected != "" && len(r.faults) < faultsKept {
		r.faults = append(r.faults, c)
	}
	_, dropped := r.calls.add(c)
	r.drained = max(0, r.drained-dropped)
}

func (r *Recorder) noteLibrary(c *Call) {
	if c.Synchronizing {
		r.waits++
	}
	if c.grows() {
		r.growths++
	}
}

// count changes the counts of a device and of all.
func (r *Recorder) count(device int, change func(*Counts)) {
	change(&r.total)
	if r.devices != nil {
		change(&r.devices[device])
	}
}

// Request counts a request for memory, and returns how many there were on all devices.
func (r *Recorder) Request(device int) int {
	r.count(device, func(s *Counts) { s.Allocations++ })
	return r.total.Allocations
}

// NewHandle returns the number of a new handle for its marks.
func (r *Recorder) NewHandle() int {
	r.handles++
	return r.handles
}

// Mark records an event in the life of a handle.
func (r *Recorder) Mark(m Mark) { r.marks.add(m) }

// Hazard records a hazard.
func (r *Recorder) Hazard(h driver.Hazard) {
	r.hazards.add(Hazard{r.Clock().Seconds(), h.Earlier, h.Later, h.Memory})
	if len(r.pending) < hazardLimit {
		r.pending = append(r.pending, h)
	}
}

// Hazards returns the hazards since it was last called.
func (r *Recorder) Hazards() []driver.Hazard {
	all := r.pending
	r.pending = nil
	return all
}

// Drain returns the calls since it was last called, in order. Of more than 262144 calls the oldest are dropped.
func (r *Recorder) Drain() []Call {
	calls := r.calls.from(r.drained)
	r.drained = r.calls.n
	return calls
}

// Undrained returns how many calls Drain would return.
func (r *Recorder) Undrained() int { return r.calls.n - r.drained }

// Marks returns the latest events in the lives of handles.
func (r *Recorder) Marks() []Mark { return r.marks.from(0) }

// Faults returns the first requests for memory that failed by injection, in order.
func (r *Recorder) Faults() []Call { return slices.Clone(r.faults) }

// LibraryCounts returns how often the workspaces of handles have grown, and how often libraries made the host wait.
func (r *Recorder) LibraryCounts() (growths, waits int) { return r.growths, r.waits }

// History returns the records so far. Kernels that still run have no times yet.
func (r *Recorder) History() History {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := History{Calls: r.calls.from(0), Marks: r.marks.from(0), Hazards: r.hazards.from(0)}
	for _, k := range r.kernels.from(0) {
		h.Kernels = append(h.Kernels, k.Kernel)
	}
	return h
}

// Stats returns the counts so far, without held memory; the maps are copies.
func (r *Recorder) Stats() Stats {
	s := Stats{Counts: r.total.copied()}
	for i := range r.devices {
		s.Devices = append(s.Devices, r.devices[i].copied())
	}
	return s
}
