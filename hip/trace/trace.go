// Package trace has the records of work on devices, as plain data: HIP calls, kernels, marks of handles, hazards, and
// counts of them. A Recorder makes them for a runtime.
package trace

import (
	"maps"
	"time"

	"roclua/hip/driver"
)

const (
	// CauseScript is the cause of calls that the script makes itself, and not a library for it.
	CauseScript = "script"

	// CauseGrowth is the cause of calls that a library makes to enlarge the workspace of a handle.
	CauseGrowth = "growth"

	// CauseLibrary is the cause of calls that the runtime reports and that the vendor's library made.
	CauseLibrary = "library"
)

// Causes lists the causes of calls: the script, the vendor's library, and the activities of a modelled library.
var Causes = []string{CauseScript, CauseLibrary, CauseGrowth, "create_handle", "destroy_handle", "set_stream",
	"set_device_memory_size", "set_workspace", "workspace_allocation", "scalars", "steps", "result", "check_numerics"}

// Call is one HIP call in a trace. Calls of a library's routines are not included.
type Call struct {
	Name      string     `json:"name,omitempty"`       // as in C: "hipMalloc"
	Device    int        `json:"device,omitempty"`     // the number of the device that the call is for
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
	Handle        int    `json:"handle,omitempty"`        // number of the handle that a library made it for; 0 for none
	Synchronizing bool   `json:"synchronizing,omitempty"` // whether the host waited for the device
	Injected      string `json:"injected,omitempty"`      // why a fault was injected; "" when it was not
}

// Kernel is one routine that was queued for execution.
type Kernel struct {
	Name   string  `json:"name,omitempty"` // as in C: "rocblas_dgemm"
	Device int     `json:"device,omitempty"`
	Stream int     `json:"stream,omitempty"`
	Origin string  `json:"origin,omitempty"` // where the script was: "solve.lua:12"
	Queued float64 `json:"queued,omitempty"` // seconds from the opening of the runtime to the call
	Start  float64 `json:"start,omitempty"`  // when the device began, and ended; both 0 when it is not known
	End    float64 `json:"end,omitempty"`
}

// Mark is an event in the life of a handle that is not a HIP call.
type Mark struct {
	Device  int     `json:"device,omitempty"`  // number of the device of the handle
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
	Memory  string     `json:"memory,omitempty"` // which memory they use
}

// String describes the two uses: "hipMemsetAsync in stream 2 (x.lua:3) uses memory that hipMemcpyAsync in stream 1
// (x.lua:2) may still be using".
func (h Hazard) String() string {
	return driver.Hazard{Earlier: h.Earlier, Later: h.Later, Memory: h.Memory}.String()
}

// grows reports whether the call makes the workspace of a handle grow.
func (c *Call) grows() bool { return c.Cause == CauseGrowth && c.HasBytes }

// History has the records since the runtime was opened, up to historyLimit entries of each kind.
type History struct {
	Calls    []Call   `json:"calls,omitempty"`
	Kernels  []Kernel `json:"kernels,omitempty"`
	Marks    []Mark   `json:"marks,omitempty"`
	Hazards  []Hazard `json:"hazards,omitempty"`
	Capacity uint64   `json:"capacity,omitempty"` // bytes of device memory, all devices together

	Capacities []uint64 `json:"capacities,omitempty"` // of each device by its number; nil if there is one
}

// entries is a list that keeps its latest entries: when it has historyLimit of them, it drops the older half. It is in
// chunks, so that adding an entry neither copies the others nor moves them.
type entries[T any] struct {
	chunks [][]T
	n      int
}

// The capacities of the first and of the largest chunk. Each chunk has twice the capacity of the one before.
const (
	firstChunk   = 8
	largestChunk = 1 << 12
)

// add appends an entry and returns its place, where it stays, and how many of the oldest entries it dropped.
func (e *entries[T]) add(entry T) (place *T, dropped int) {
	place, dropped = e.next()
	*place = entry
	return place, dropped
}

// next is add for an entry that is zero.
func (e *entries[T]) next() (place *T, dropped int) {
	if e.n == historyLimit {
		dropped = historyLimit / 2
		e.drop(dropped)
	}
	last := len(e.chunks) - 1
	if last < 0 || len(e.chunks[last]) == cap(e.chunks[last]) {
		e.chunks = append(e.chunks, make([]T, 0, min(firstChunk<<min(len(e.chunks), 16), largestChunk)))
		last++
	}
	n := len(e.chunks[last])
	e.chunks[last] = e.chunks[last][:n+1]
	e.n++
	return &e.chunks[last][n], dropped
}

// drop removes the oldest entries. n is less than the length of the list.
func (e *entries[T]) drop(n int) {
	e.n -= n
	i := 0
	for ; n >= len(e.chunks[i]); i++ {
		n -= len(e.chunks[i])
	}
	e.chunks = append(e.chunks[:0:0], e.chunks[i:]...)
	e.chunks[0] = e.chunks[0][n:]
}

// removeLast removes the entry that was added last.
func (e *entries[T]) removeLast() {
	last := &e.chunks[len(e.chunks)-1]
	n := len(*last) - 1
	clear((*last)[n:])
	*last = (*last)[:n]
	e.n--
}

// from returns a copy of the entries from index i on.
func (e *entries[T]) from(i int) []T {
	if i >= e.n {
		return nil
	}
	list := make([]T, 0, e.n-i)
	for _, chunk := range e.chunks {
		list = append(list, chunk[min(i, len(chunk)):]...)
		i = max(0, i-len(chunk))
	}
	return list
}

// Stats contains counts since the runtime was opened.
type Stats struct {
	Counts
	Devices []Counts `json:"devices,omitempty"` // counts of each device by its number, if there are several
}

// Counts are the calls and the held memory of one device or of all.
type Counts struct {
	Calls     map[string]int `json:"calls,omitempty"` // calls by their names in C
	Syncs     map[string]int `json:"syncs,omitempty"` // calls that made the host wait, by cause
	Kernels   int            `json:"kernels"`         // routines that ran on the device
	PeakBytes uint64         `json:"peak_bytes"`      // peak device memory in use

	Allocations int `json:"allocations"`        // requests for device memory of at least one byte
	Injected    int `json:"injected,omitempty"` // requests that failed by injection

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

// note counts a call.
func (s *Counts) note(c *Call) {
	if s.Calls == nil {
		s.Calls, s.Syncs = map[string]int{}, map[string]int{}
	}
	s.Calls[c.Name]++
	if c.Synchronizing {
		s.Syncs[c.Cause]++
	}
	if c.Injected != "" {
		s.Injected++
	}
}

// copied returns the counts with copies of the maps.
func (s Counts) copied() Counts {
	s.Calls, s.Syncs = maps.Clone(s.Calls), maps.Clone(s.Syncs)
	return s
}

// Unrecorded counts the actions of libraries in calls that were not recorded.
type Unrecorded struct {
	Growths int            // allocations that made the workspace of a handle grow
	Waits   map[string]int // waits of the host that libraries made, by cause
	kernel  Timed
}

// Unrecord stops the recording of calls and kernels until restore is called, for calls that are made again and again
// to be measured: the counts and the history of a case do not depend on how often that was. Memory, open objects and
// hazards are still tracked.
func (r *Recorder) Unrecord() (seen *Unrecorded, restore func()) {
	before := r.unrecorded
	r.unrecorded = &Unrecorded{Waits: map[string]int{}, kernel: Timed{in: r}}
	return r.unrecorded, func() { r.unrecorded = before }
}

func (u *Unrecorded) note(c *Call) {
	if c.Cause == CauseScript {
		return
	}
	if c.Synchronizing {
		u.Waits[c.Cause]++
	}
	if c.grows() {
		u.Growths++
	}
}

// Timed is the record of a kernel that is queued or runs. The platform sets its times.
type Timed struct {
	Kernel
	in *Recorder
}

// Kernel begins the record of a kernel of a stream, which a call on a line of the script queues.
func (r *Recorder) Kernel(name string, device, stream int, origin string) *Timed {
	if r.unrecorded != nil {
		return &r.unrecorded.kernel
	}
	queued := r.Clock().Seconds()
	r.mu.Lock()
	r.total.Kernels++
	if r.devices != nil {
		r.devices[device].Kernels++
	}
	k, _ := r.kernels.next()
	k.Name, k.Device, k.Stream, k.Origin, k.Queued, k.in = name, device, stream, origin, queued, r
	r.mu.Unlock()
	return k
}

// NotLaunched removes the record of the last kernel, which could not be queued.
func (r *Recorder) NotLaunched(device int) {
	if r.unrecorded != nil {
		return
	}
	r.count(device, func(s *Counts) { s.Kernels-- })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kernels.removeLast()
}

func (k *Timed) Now() time.Duration { return k.in.Clock() }

func (k *Timed) Ran(start, end time.Duration) {
	k.in.mu.Lock()
	defer k.in.mu.Unlock()
	k.Start, k.End = start.Seconds(), end.Seconds()
}
