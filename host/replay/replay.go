// Package replay makes the calls in a recording on simulated devices and modelled handles, whose kernels claim memory
// and do not compute. The devices report the same hazards as for scripts: unordered uses, uses after a free, captures,
// graphs, and exhausted memory. The replay compares the statuses, the bytes of size queries and the growths with the
// recorded ones.
//
// One goroutine makes all calls, in the order of their effects. Each recorded thread has its own current device, last
// error and mode of captures. A wait of one thread counts for all, because a recording does not show how threads wait
// for one another. Each rocBLAS and rocSOLVER call that another library or the program made has a number, from 1.
package replay

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/hip/trace"
	"roclua/host/recording"
	"roclua/workspace"
	"roclua/workspace/status"
	"roclua/workspace/tuning"
)

// Options select the model.
type Options struct {
	Profile *workspace.Profile
	Tuning  tuning.Libraries

	// Recorded: the profile is the release that wrote the recording. Allocations then succeed and fail as recorded.
	// On another release they fail when the devices have no memory.
	Recorded bool

	// Faults, if not nil, chooses allocations that fail, see hip.Runtime.SetFaults.
	Faults func(*trace.Call) string

	// Scheme, if it is not "", gives each handle the memory of a scheme, with Bytes as in workspace.Open, and ignores
	// the settings of the program. Settings of hipSOLVER stay.
	Scheme string
	Bytes  uint64

	// OneWorkspace gives all handles of a device one workspace, and ignores the settings of the program.
	OneWorkspace bool

	// Need, if not nil, is called for every routine call that was executed, and returns the bytes that it needs.
	Need func(h *Handle, at Place, a *routine.Args) uint64
}

// replaces reports whether the memory that the program, or the library outer, sets for a handle is ignored.
func (o *Options) replaces(outer string) bool {
	return o.OneWorkspace || o.Scheme != "" && !strings.HasPrefix(outer, "hipsolver")
}

// deviceBytes is the memory of a modelled device whose own does not matter.
const deviceBytes = 1 << 46

// replay is the state of the replay of a process.
type replay struct {
	Options
	*Result
	rt      *hip.Runtime
	threads map[int]*hip.Thread
	thread  int // that makes calls now
	handles map[int]*handle
	created []*handle // by the number in the runtime, from 1
	// workspace of rocblas_device_malloc_alloc by the address of the library's object
	allocations map[uint64]*workspace.Allocation
	streams     map[int]*hip.Stream
	recorded    map[int]int // numbers of streams in the recording, by those in the runtime
	events      map[int]*hip.Event
	values      map[uint64]written // that streams wrote, by the recorded addresses
	graphs      map[int][]*part
	into        map[*hip.Stream]int // graphs to which captures are added
	execs       map[int][]*hip.GraphExec
	memory      memory
	workspaces  map[driver.Span]bool // that the program set, on the devices
	captured    []captured
	found       map[found]*Finding
	shared      map[int]*shared // one workspace for all handles, by device
	held        map[driver.Ptr]uint64
	holding     uint64     // bytes of all handles now
	results     []bool     // whether the allocations of the current call failed when it was recorded
	score       *Agreement // of the device whose handle the current call uses
	several     bool       // calls were made on several devices
	number      int64
	now         time.Duration
	origin      string // of the current call
	outer       string
	layer       *recording.Call // of this function of hipBLAS or hipSOLVER; nil for none
	buffers     *buffers        // of hipSOLVER on another release; nil on the recorded one
	file        *recording.File
	modes       []driver.CaptureMode // that the next calls exchange; nil before the first
	initial     *uint64              // size that rocblas_device_malloc_set_default_memory_size set
	versions    *release.Versions    // see workspace.Config
}

// Config returns the devices that replay a recording.
func Config(archs []string) driver.Config {
	return driver.Config{Archs: archs, MemoryBytes: deviceBytes, Unchecked: true, Kernels: driver.KernelsClaim,
		RealTime: true}
}

// Run replays the calls in a recording on devices whose kernels only claim memory.
func Run(ctx context.Context, f *recording.File, rt *hip.Runtime, o Options) (*Result, error) {
	r := &replay{Options: o, rt: rt, file: f, handles: map[int]*handle{}, threads: map[int]*hip.Thread{},
		allocations: map[uint64]*workspace.Allocation{}, streams: map[int]*hip.Stream{},
		recorded: map[int]int{}, events: map[int]*hip.Event{}, graphs: map[int][]*part{},
		into: map[*hip.Stream]int{}, execs: map[int][]*hip.GraphExec{}, values: map[uint64]written{},
		found: map[found]*Finding{}, shared: map[int]*shared{},
		held: map[driver.Ptr]uint64{}, workspaces: map[driver.Span]bool{},
		Result: &Result{Process: f.Process, Profile: o.Profile.Name, NotModelled: map[string]int64{},
			NotFollowed: map[string]int64{},
			Statuses:    map[string]int{}}}
	if written, unmodelled := Source(&f.Process); unmodelled == nil && written.Profile == o.Profile {
		r.versions = written.Versions
	}
	for i, d := range rt.Devices() {
		r.Devices = append(r.Devices, &Device{Number: i, Arch: d.Arch()})
	}
	if release := o.Profile.Release; release != nil {
		rt.SetSuccessClearsError(release.SuccessClearsError)
	}
	r.findBuffers(f)
	rt.SetFaults(r.refuse)
	rt.SetOrigin(func() string { return r.origin })
	clock := rt.Clock()
	if clock == nil {
		rt.Recorder().SetClock(func() time.Duration { return r.now })
	}
	threads := threadTimes{clock: clock, of: map[int]threadTime{}}
	for call := range inEffect(f.Calls()) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r.use(call.Thread)
		threads.begin(call)
		r.call(call)
		if clock != nil {
			r.Times.Total = max(r.Times.Total, threads.end(call))
		}
	}
	for _, c := range f.Running() {
		if h := r.handles[c.Handle]; h != nil {
			h.used(c.Thread)
			r.sameTime(h, &recording.Call{Function: c.Function, Thread: c.Thread, Start: c.Start, End: math.MaxInt64})
		}
	}
	r.Problems = f.Problems
	r.Notes = append(r.Notes, r.buffers.note()...)
	r.finish()
	return r.Result, nil
}

// use makes a thread of the recording the one that makes the calls.
func (r *replay) use(thread int) {
	if thread == r.thread {
		return
	}
	t := r.threads[thread]
	switch {
	case t == nil && r.thread == 0:
		t = r.rt.Main()
	case t == nil:
		t = r.rt.Imitate()
	}
	r.threads[thread], r.thread = t, thread
	t.Use()
}

// call replays a call that the program or another library made.
func (r *replay) call(c *recording.Call) {
	r.now = c.Start
	switch {
	case strings.HasPrefix(c.Name, "rocblas_") || strings.HasPrefix(c.Name, "rocsolver_"):
		r.library(c)
	case strings.HasPrefix(c.Name, "hipblas") || strings.HasPrefix(c.Name, "hipsolver"):
		outer, layer := r.outer, r.layer
		r.outer, r.layer = c.Name, c
		r.repeated(c)
		if r.buffers != nil {
			r.answered(c)
		}
		r.inside(c)
		r.outer, r.layer = outer, layer
	default:
		r.origin = "after call " + strconv.FormatInt(r.number, 10)
		r.runtime(c)
		r.hazards(nil, c)
	}
}

// inside replays the calls that were made inside one that the model does not have.
func (r *replay) inside(c *recording.Call) {
	for _, inner := range c.Inside {
		r.call(inner)
	}
}

func (r *replay) place(c *recording.Call) Place {
	return Place{Call: r.number, Time: c.Start, Name: c.Name, Outer: r.outer, Thread: c.Thread, Stream: c.Stream,
		Device: r.device(c.Device)}
}

// device returns the number of a modelled device: the last one for those that the recording does not describe.
func (r *replay) device(number int) int { return min(number, len(r.Devices)-1) }

// library replays a rocBLAS or rocSOLVER call.
func (r *replay) library(c *recording.Call) {
	r.number++
	r.Calls++
	r.origin = "call " + strconv.FormatInt(r.number, 10)
	r.judge(c)
	rt, known := routine.Lookup(c.Name)
	if !known {
		r.function(c)
		r.hazards(r.handles[c.Handle], c)
		return
	}
	h := r.handleOf(c)
	if h == nil {
		return
	}
	h.used(c.Thread)
	r.sameTime(h, c)
	a := r.arguments(rt, c, h)
	if a == nil || h.model == nil {
		if h.model == nil {
			r.NotMade++
		} else {
			r.NotModelled[c.Name]++
		}
		r.grow(h, c, nil, false)
		return
	}
	if c.Stream != h.stream { // the recording does not have the call that set it
		r.setStream(h, c.Stream, r.device(c.Device))
	}
	querying := h.model.IsQuery()
	call := *a // the model can store values of scalars
	made, st, predicted := r.predict(c, func() (status.Status, bool, error) {
		out, err := h.model.Call(&call)
		if err == nil && querying && out.Unknown != "" {
			err = &workspace.Unknown{Func: c.Name, Reason: out.Unknown}
		}
		return out.Status, out.Unknown != "", err
	})
	r.hazards(h, c)
	if querying {
		h.Queried++
		return
	}
	h.Calls++
	if !slices.Contains(h.Streams, c.Stream) {
		h.Streams = append(h.Streams, c.Stream)
	}
	if !status.Status(c.Status).OK() {
		h.Failed++
	}
	r.grow(h, c, made, predicted)
	need := uint64(0)
	if r.Need != nil {
		at := r.place(c)
		at.State = workspace.DefectState(h.model)
		need = r.Need(h.Handle, at, a)
	}
	if h.set != 0 {
		h.uses(StreamWorkspace{c.Stream, h.Workspace, need, r.number, c.Name})
	}
	r.shortage(h, c, a, st, need)
	r.capturedBy(h, c)
	r.share(h, c, need)
}

// predict makes a call on the model and compares the status, which it returns: the recorded one if the model does not
// know it. It returns the HIP calls that the model made; known is false if the model does not know the call's need.
func (r *replay) predict(c *recording.Call, call func() (status.Status, bool, error)) (
	made []trace.Call, st status.Status, known bool,
) {
	if d := r.device(c.Device); r.rt.Device().Index() != d {
		r.rt.SetDevice(d)
	}
	r.Times.add(r.rt.Trace())
	r.expect(c)
	st, unknown, err := call()
	made = r.rt.Trace()
	r.Times.add(made)
	r.hold(made)
	predicted, known := statusOf(&st, err)
	if unknown || !known {
		r.Unknown++
	}
	recorded := status.Status(c.Status)
	if !known {
		return nil, recorded, false
	}
	r.compareStatus(c, recorded.Short(), predicted, recorded.OK(), st.OK() && predicted != abort, err)
	return made, st, !unknown
}

func (r *replay) compareStatus(c *recording.Call, recorded, predicted string, succeeded, succeeds bool, err error) {
	r.score.Statuses.add(predicted == recorded)
	if predicted != recorded {
		r.differs(c, "status", recorded, predicted)
	}
	if !succeeds {
		r.failed(c, recorded, predicted, succeeded, err)
	}
	if !isRuntime(c.Name) {
		r.Statuses[c.Name+"."+predicted]++
	}
}

// hold follows the memory of the handles, by the HIP calls that the libraries made.
func (r *replay) hold(made []trace.Call) {
	before, most := r.holding, r.holding
	for i := range made {
		m := &made[i]
		device, _ := allocates(m.Name)
		switch {
		case m.Result != driver.Success || m.Ptr == 0 || m.Cause == trace.CauseScript:
			continue
		case device:
			r.held[m.Ptr] = m.Bytes
			r.holding += m.Bytes
		case m.Name == "hipFree" || m.Name == "hipFreeAsync":
			r.holding -= r.held[m.Ptr]
			delete(r.held, m.Ptr)
		}
		if most = max(most, r.holding); r.holding > r.Memory.PeakBytes {
			r.Memory = Peak{r.holding, len(r.handles)}
		}
	}
	if most > max(before, r.holding) {
		r.History = append(r.History, Holding{r.number, most})
	}
	if r.holding != before {
		r.History = append(r.History, Holding{r.number, r.holding})
	}
	if len(r.History) > mostHistory {
		for i := range mostHistory / 2 { // the larger one of two, so that no peak is lost
			a, b := r.History[2*i], r.History[2*i+1]
			if r.History[i] = b; a.Bytes > b.Bytes {
				r.History[i] = a
			}
		}
		r.History = append(r.History[:mostHistory/2], r.History[mostHistory:]...)
	}
}

// judge chooses the device whose score counts the predictions of a call: its handle's, or the current one.
func (r *replay) judge(c *recording.Call) {
	d := c.Device
	r.several = r.several || d > 0
	if h := r.handles[c.Handle]; h != nil {
		d = h.Device
	}
	r.score = &r.Devices[r.device(d)].Agreement
}

// abort is the prediction for a call that makes the library end the process.
const abort = "the end of the process"

// statusOf returns the name of the status of a call of the model, and sets the status of one that failed; known is
// false if the model does not know it.
func statusOf(st *status.Status, err error) (name string, known bool) {
	var failed *workspace.Error
	var aborted *workspace.Abort
	switch {
	case err == nil:
		return st.Short(), true
	case errors.As(err, &failed):
		*st = failed.Status
		return failed.Status.Short(), true
	case errors.As(err, &aborted):
		return abort, true
	}
	return "", false
}

// expect notes which allocations of a call failed when it was recorded.
func (r *replay) expect(c *recording.Call) {
	r.results = r.results[:0]
	if !r.Recorded {
		return
	}
	if device, _ := allocates(c.Name); device {
		r.results = append(r.results, c.Status != 0)
	}
	for inner := range runtimeOf(c) {
		if device, _ := allocates(inner.Name); device {
			r.results = append(r.results, inner.Status != 0)
		}
	}
}

// refuse makes allocations fail: those that failed in the recorded call, and those that the options choose.
func (r *replay) refuse(c *trace.Call) string {
	failed := false
	if len(r.results) > 0 {
		failed, r.results = r.results[0], r.results[1:]
	}
	switch {
	case failed:
		return "recorded"
	case r.Faults != nil:
		return r.Faults(c)
	}
	return ""
}

const (
	mostDifferences = 50
	mostFailures    = 1000
)

func (r *replay) differs(c *recording.Call, kind, recorded, predicted string) {
	if len(r.Differences) < mostDifferences {
		r.Differences = append(r.Differences, Difference{r.place(c), kind, recorded, predicted})
	}
}

// failed lists a call that fails on the devices.
func (r *replay) failed(c *recording.Call, recorded, predicted string, succeeded bool, err error) {
	r.Broken.All++
	if succeeded {
		r.Broken.New++
	}
	if len(r.Failures) < mostFailures {
		text := predicted
		if err != nil {
			text = err.Error()
		}
		r.Failures = append(r.Failures, Failure{r.place(c), recorded, predicted, succeeded, text})
	}
}
