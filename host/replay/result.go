package replay

import (
	"time"

	"roclua/hip/arch"
	"roclua/hip/defect"
	"roclua/host/recording"
	"roclua/luabind/record"
)

// Result describes a replayed recording, and how much of it the model predicted.
type Result struct {
	Process     recording.Process
	Problems    []string  // parts of the file that could not be read
	Profile     string    // release that wrote the recording
	Devices     []*Device // all that the process could use
	Calls       int64     // of rocBLAS and rocSOLVER
	Last        int64     // the number of the last call
	Handles     []*Handle
	Differences []Difference // the first ones
	Failures    []Failure    // calls that fail on the devices, the first ones
	Broken      Broken
	Memory      Peak
	History     []Holding      // memory of all handles together, over the calls
	Left        uint64         // bytes of the program and of its handles that are allocated at its end
	Statuses    map[string]int // calls by function and status: "rocsolver_dgetrf.success"
	Notes       []string       // about the recording
	Findings    []*Finding
	Sharing     []*Sharing       // for each device: whether its handles could share a workspace
	Defects     record.Defects   // known ones that concern calls
	NotModelled map[string]int64 // calls of functions that the model does not have
	NotFollowed map[string]int64 // calls of functions of HIP that the replay does not follow, with the reason
	NotMade     int64            // calls of handles that could not be created
	Unknown     int64            // calls whose needs the model does not know
	Times       Times
}

// Device is a device of the recorded process, and the predictions for its handles.
type Device struct {
	Number  int
	Arch    string
	Handles int
	Agreement
}

// Fails reports whether a finding makes a case fail: memory is used wrongly, and not only slowly.
func (f *Finding) Fails() bool {
	return f.Code != Degraded && f.Code != Short && f.Code != NoMemory && f.Code != Repeated && f.Code != Reallocated
}

// Used returns the devices that have handles, or the first one.
func (r *Result) Used() (list []*Device) {
	for _, d := range r.Devices {
		if d.Handles > 0 {
			list = append(list, d)
		}
	}
	if list == nil {
		list = r.Devices[:1]
	}
	return list
}

// Agreement returns the predictions for the handles of all devices.
func (r *Result) Agreement() (sum Agreement) {
	for _, d := range r.Devices {
		sum.Add(d.Agreement)
	}
	return sum
}

// Label describes the devices that have handles: see [arch.Label].
func (r *Result) Label() string {
	var archs []string
	for _, d := range r.Used() {
		archs = append(archs, d.Arch)
	}
	return arch.Label(archs)
}

// Score counts predictions.
type Score struct {
	Right int64 `json:"right"` // that are as recorded
	All   int64 `json:"all"`   // that are recorded or predicted
}

func (s *Score) add(right bool) {
	s.All++
	if right {
		s.Right++
	}
}

// Agreement is how much of the recordings the model predicts.
type Agreement struct {
	Growths  Score `json:"growths"`  // of managed handles
	Statuses Score `json:"statuses"` // of calls
	Queries  Score `json:"queries"`  // bytes of size queries
}

// Add adds the predictions of another device or recording.
func (a *Agreement) Add(b Agreement) {
	for _, s := range []struct{ to, from *Score }{{&a.Growths, &b.Growths}, {&a.Statuses, &b.Statuses},
		{&a.Queries, &b.Queries}} {
		s.to.Right += s.from.Right
		s.to.All += s.from.All
	}
}

// Difference is a wrong prediction.
type Difference struct {
	Place
	What      string `json:"what"`      // "status", "growth" or "size query"
	Recorded  string `json:"recorded"`  // in the recording
	Predicted string `json:"predicted"` // by the model
}

// Failure is a call that fails on the devices.
type Failure struct {
	Place
	Recorded, Predicted string // statuses
	Succeeded           bool   // when it was recorded
	Text                string // why it fails
}

// Broken counts calls that fail on the devices, and those that succeeded when they were recorded.
type Broken struct{ All, New int64 }

// Peak is the most memory that the handles hold at once.
type Peak struct {
	PeakBytes uint64 `json:"peak_bytes"`      // bytes
	Handles   int    `json:"handles_at_peak"` // handles that exist then
}

// Holding is the memory of all handles after a call.
type Holding struct {
	Call  int64
	Bytes uint64
}

// mostHistory bounds the history of the memory. A longer one loses every second change.
const mostHistory = 2000

// Place is a call in a recording.
type Place struct {
	Call  int64         `json:"call"`     // number of the call
	Time  time.Duration `json:"-"`        // its start, since the recording began
	Name  string        `json:"function"` // C name
	Outer string        `json:"-"`        // function of hipBLAS or hipSOLVER that made it; "" for none

	Thread int `json:"-"` // that made it
	Stream int `json:"-"` // of a routine call
	Device int `json:"-"` // that was the current one

	State defect.State `json:"-"` // of the handle, for Options.Need
}

// Handle is one rocblas_handle.
type Handle struct {
	Number, Device int
	Threads        []int // that used it, in the order of their first use
	Streams        []int // of its routine calls, in the order of their first use
	Calls, Failed  int64 // of routines, without size queries
	Queried        int64 // calls inside size queries
	Workspace      uint64
	Workspaces     []StreamWorkspace // that the program set, by stream
	Growths        []Growth          // predicted
	Recorded       []Growth
	Held           uint64 // bytes at the end of the recording, or before the handle was destroyed

	Begin, End int64 // the calls that created and destroyed it; 0 if the recording does not have them
}

// StreamWorkspace is a workspace that the program set, at the call on a stream that it is tightest for.
type StreamWorkspace struct {
	Stream    int    `json:"stream"`          // number of the stream; 0 is the null stream
	Bytes     uint64 `json:"workspace_bytes"` // that the program set
	NeedBytes uint64 `json:"needs_bytes"`     // need of the call
	Call      int64  `json:"call"`            // its number
	Name      string `json:"function"`        // its C name
}

// Growth is a growth of a managed handle.
type Growth struct {
	Place
	From, To uint64 // bytes
}

// The codes of findings.
const (
	Unordered   = "unordered_workspace"    // two streams use a workspace, and neither waits for the other
	Threads     = "handle_in_two_threads"  // calls on a handle at the same time
	Captured    = "workspace_in_capture"   // freed or replaced during a capture that uses it
	Freed       = "workspace_freed"        // used after it was freed
	GraphFreed  = "graph_memory_freed"     // a launched graph uses memory that is freed or that its handle has left
	Arrays      = "unordered_memory"       // two streams use an array, and neither waits for the other
	ArrayFreed  = "memory_freed"           // an array is used after it was freed
	Beyond      = "workspace_beyond_block" // it ends behind the memory that was allocated
	Degraded    = "perf_degraded"          // the call fell back for lack of memory
	Short       = "memory_error"           // the call failed for lack of memory
	NoMemory    = "out_of_memory"          // an allocation of the program no longer fits in the device
	Repeated    = "repeated_by_hipblas"    // hipBLAS repeats a call that failed
	Reallocated = "hipsolver_buffer_freed" // after hipSOLVER unbound its buffer, a call allocated memory
)

// Finding is a use of a handle that can be wrong or slow, with its first place.
type Finding struct {
	Code   string
	Handle int
	Place
	Times int64
	Text  string // about the first place
	bytes uint64 // that it concerns
}
