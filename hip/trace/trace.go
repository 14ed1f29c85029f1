// Package trace has the records of what was done on devices, as plain data: calls of HIP, kernels, marks of handles,
// hazards, and counts of them. A Recorder makes them for a runtime.
package trace

import "roclua/hip/driver"

const (
	// CauseScript is the cause of calls that the script makes itself, and not a library for it.
	CauseScript = "script"

	// CauseGrowth is the cause of calls that a library makes to enlarge the workspace of a handle.
	CauseGrowth = "growth"

	// CauseLibrary is the cause of calls that the runtime reports and that the vendor's library made.
	CauseLibrary = "library"
)

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
	Handle        int    `json:"handle,omitempty"`        // number of the handle that a library made it for; 0 for none
	Synchronizing bool   `json:"synchronizing,omitempty"` // whether the host waited for the device
	Injected      string `json:"injected,omitempty"`      // why the call was made to fail; "" when it was not
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

// grows reports whether the call makes the workspace of a handle grow.
func (c *Call) grows() bool { return c.Cause == CauseGrowth && c.HasBytes }

// History is what was recorded since the runtime was opened, up to historyLimit entries of each kind.
type History struct {
	Calls    []Call   `json:"calls,omitempty"`
	Kernels  []Kernel `json:"kernels,omitempty"`
	Marks    []Mark   `json:"marks,omitempty"`
	Hazards  []Hazard `json:"hazards,omitempty"`
	Capacity uint64   `json:"capacity,omitempty"` // bytes of device memory, all devices together

	Capacities []uint64 `json:"capacities,omitempty"` // of each device by its number; nil if there is one
}
