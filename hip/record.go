package hip

import (
	"sync"

	"roclua/hip/driver"
)

// CauseScript is the cause of calls that the script makes itself, and not a library for it.
const CauseScript = "script"

// CauseGrowth is the cause of calls that a library makes to enlarge the workspace of a handle.
const CauseGrowth = "growth"

// Causes lists the causes of calls: the script, the vendor's library, and what a modelled library was doing.
var Causes = []string{CauseScript, CauseLibrary, CauseGrowth, "create_handle", "destroy_handle", "set_stream",
	"set_device_memory_size", "set_workspace", "workspace_allocation", "scalars", "steps", "result", "check_numerics"}

// Call is one call of HIP in a trace. Calls of a library's routines are not included.
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
	Synchronizing bool   `json:"synchronizing,omitempty"` // whether the host waited for the device
	Injected      string `json:"injected,omitempty"`      // why the call was made to fail; "" when it was not
}

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

// Mark is an event in the life of a handle that is not a call of HIP.
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

// History is what was recorded since the runtime was opened, up to historyLimit entries of each kind.
type History struct {
	Calls    []Call   `json:"calls,omitempty"`
	Kernels  []Kernel `json:"kernels,omitempty"`
	Marks    []Mark   `json:"marks,omitempty"`
	Hazards  []Hazard `json:"hazards,omitempty"`
	Capacity uint64   `json:"capacity,omitempty"` // bytes of device memory, all devices together

	Capacities []uint64 `json:"capacities,omitempty"` // of each device by its number; nil if there is one
}

// historyLimit is the number of calls, kernels and marks that are kept. A script that makes millions of them would
// otherwise hold hundreds of megabytes. Statistics still count all.
const historyLimit = 1 << 18

// recorder keeps calls, kernels and marks, and counts them. Kernels end on goroutines of the platform; all else is used
// by the thread that makes calls.
type recorder struct {
	calls   entries[Call]
	drained int // calls that Trace has already returned
	marks   entries[Mark]
	hazards entries[Hazard]
	pending []driver.Hazard // hazards that Hazards has not returned yet
	handles int
	total   tally
	devices []tally // of each device; nil if there is one

	growths int    // allocations that made the workspace of a handle grow
	waits   int    // of the host, that libraries made
	faults  []Call // the first faultsKept requests that were made to fail

	unrecorded *Unrecorded // instead of the above, while calls are not recorded; nil otherwise

	mu      sync.Mutex // guards kernels and their times
	kernels entries[kernel]
}

func (r *recorder) add(c Call) {
	if r.unrecorded != nil {
		r.unrecorded.note(&c)
		return
	}
	r.total.add(&c)
	if r.devices != nil {
		r.devices[c.Device].add(&c)
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

// noteLibrary counts what a library did.
func (r *recorder) noteLibrary(c *Call) {
	if c.Synchronizing {
		r.waits++
	}
	if c.grows() {
		r.growths++
	}
}

// grows reports whether the call makes the workspace of a handle grow.
func (c *Call) grows() bool { return c.Cause == CauseGrowth && c.HasBytes }

// hazardLimit is the number of hazards that are kept until Hazards is called. A device has the same limit.
const hazardLimit = 4096

// addKernel begins the record of a kernel.
func (r *recorder) addKernel(k kernel) *kernel {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count(k.Device, func(t *tally) { t.kernels++ })
	place, _ := r.kernels.add(k)
	return place
}

// notLaunched removes the record of the last kernel, which could not be queued.
func (r *recorder) notLaunched(device int) {
	if r.unrecorded != nil {
		return
	}
	r.count(device, func(t *tally) { t.kernels-- })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kernels.removeLast()
}

// faultsKept is the number of injected failures that a runtime keeps.
const faultsKept = 32
