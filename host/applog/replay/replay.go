package replay

import (
	"context"
	"errors"
	"slices"
	"strings"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/trace"
	"roclua/host/recording"
	"roclua/workspace"
	"roclua/workspace/status"
)

// Options select the model.
type Options struct {
	Profile *workspace.Profile
	Archs   []string // architecture of each device

	// Need, if not nil, is called for every call of a routine that was executed, and returns the bytes that it needs.
	Need func(h *Handle, at Place, a *routine.Args) uint64
	// Step, if not nil, is called for every other step of a program that makes the same calls.
	Step func(Step)
}

// deviceBytes is the memory of the modelled device: whether an allocation fails is taken from the recording.
const deviceBytes = 1 << 46

// replay is the state of the replay of a process.
type replay struct {
	Options
	*Result
	rt      *hip.Runtime
	scalars []*scalars
	handles map[int]*handle
	// workspace of rocblas_device_malloc_alloc by the address of the library's object
	allocations map[uint64]*workspace.Allocation
	streams     map[int]*hip.Stream
	events      map[int]*hip.Event
	order       *order
	found       map[found]*Finding
	spaces      map[uint64]*space // user-owned workspaces, by address
	shared      map[int]*shared   // what a workspace for all handles would see, by device
	memory      map[uint64]block  // that the recording shows, by address
	score       *Agreement        // of the device whose handle the current call uses
	several     bool              // calls were made on several devices
	number      int64
	inLibrary   bool // the current call of HIP is made by a library
	outer       string
	initial     *uint64 // size that rocblas_device_malloc_set_default_memory_size set
}

// Run replays the calls of a recording.
func Run(ctx context.Context, f *recording.File, o Options) (*Result, error) {
	rt, err := hip.Open("cpu", driver.Config{Archs: o.Archs, MemoryBytes: deviceBytes, Unchecked: true,
		NoKernels: true, Recorded: true})
	if err != nil {
		return nil, err
	}
	defer rt.Close()
	r := &replay{Options: o, rt: rt, handles: map[int]*handle{},
		allocations: map[uint64]*workspace.Allocation{}, streams: map[int]*hip.Stream{},
		events: map[int]*hip.Event{}, order: newOrder(), found: map[found]*Finding{}, spaces: map[uint64]*space{},
		shared: map[int]*shared{}, memory: map[uint64]block{},
		Result: &Result{Process: f.Process, Profile: o.Profile.Name, NotModelled: map[string]int64{}}}
	for i, d := range rt.Devices() {
		rt.SetDevice(i)
		s, err := newScalars(d)
		if err != nil {
			return nil, err
		}
		r.scalars = append(r.scalars, s)
		r.Devices = append(r.Devices, &Device{Number: i, Arch: o.Archs[i]})
	}
	if release := o.Profile.Release; release != nil {
		rt.SetSuccessClearsError(release.SuccessClearsError)
	}
	for call := range f.Calls() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r.call(call)
	}
	r.Problems = f.Problems
	r.finish()
	return r.Result, nil
}

// call replays a call that the program or another library made.
func (r *replay) call(c *recording.Call) {
	switch {
	case strings.HasPrefix(c.Name, "rocblas_") || strings.HasPrefix(c.Name, "rocsolver_"):
		r.library(c)
	case strings.HasPrefix(c.Name, "hipblas") || strings.HasPrefix(c.Name, "hipsolver"):
		outer := r.outer
		r.outer = c.Name
		r.repeated(c)
		for _, inner := range c.Inside {
			r.call(inner)
		}
		r.outer = outer
	default:
		r.runtime(c)
	}
}

// place returns the place of the current call.
func (r *replay) place(c *recording.Call) Place {
	return Place{r.number, c.Start, c.Name, r.outer, c.Stream, r.device(c.Device)}
}

// device returns the number of a modelled device: the last one for those that the recording does not describe.
func (r *replay) device(number int) int { return min(number, len(r.Devices)-1) }

// library replays a call of rocBLAS or rocSOLVER.
func (r *replay) library(c *recording.Call) {
	r.number++
	r.Calls++
	r.judge(c)
	rt, known := routine.Lookup(c.Name)
	if !known {
		r.function(c)
		return
	}
	h := r.handleOf(c)
	if h == nil {
		return
	}
	h.used(c)
	r.sameTime(h, c)
	a := arguments(rt, c, r.scalars[r.device(h.Device)], h.model != nil && h.model.OnDevice())
	if a == nil || h.model == nil {
		r.NotModelled[c.Name]++
		r.grow(h, c, nil, false)
		return
	}
	querying := h.model.IsQuery()
	call := *a // the model can store values of scalars
	made, predicted := r.predict(c, func() (status.Status, bool, error) {
		out, err := h.model.Call(&call)
		if err == nil && querying && out.Unknown != "" {
			err = &workspace.Unknown{Func: c.Name, Reason: out.Unknown}
		}
		return out.Status, out.Unknown != "", err
	})
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
		need = r.Need(h.Handle, r.place(c), a)
	}
	r.shortage(h, c, need)
	r.use(h, c, need)
}

// predict makes a call on the model and compares the status. Allocations succeed or fail as in the recorded call. It
// returns the calls of HIP that the model made; known is false if the model does not know what the call needs.
func (r *replay) predict(c *recording.Call, call func() (status.Status, bool, error)) (made []trace.Call, known bool) {
	r.rt.SetDevice(r.device(c.Device))
	r.rt.Trace()
	r.rt.SetFaults(failures(c))
	st, unknown, err := call()
	r.rt.SetFaults(nil)
	made = r.rt.Trace()
	predicted, known := statusOf(st, err)
	if unknown || !known {
		r.Unknown++
	}
	if !known {
		return nil, false
	}
	recorded := status.Status(c.Status).Short()
	r.score.Statuses.add(predicted == recorded)
	if predicted != recorded {
		r.differs(c, "status", recorded, predicted)
	}
	return made, !unknown
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

// statusOf returns the status of a call of the model; known is false if the model does not know it.
func statusOf(st status.Status, err error) (name string, known bool) {
	var failed *workspace.Error
	var abort *workspace.Abort
	switch {
	case err == nil:
		return st.Short(), true
	case errors.As(err, &failed):
		return failed.Status.Short(), true
	case errors.As(err, &abort):
		return "the end of the process", true
	}
	return "", false
}

// failures returns the function that decides which allocations of a call fail: those that failed when it was recorded.
func failures(c *recording.Call) func(*trace.Call) string {
	var failed []bool
	for inner := range runtimeOf(c) {
		if allocates(inner.Name) {
			failed = append(failed, inner.Status != 0)
		}
	}
	return func(*trace.Call) string {
		if len(failed) == 0 {
			return ""
		}
		fail := failed[0]
		failed = failed[1:]
		if fail {
			return "recorded"
		}
		return ""
	}
}

func allocates(name string) bool {
	return name == "hipMalloc" || name == "hipMallocAsync" || name == "hipMallocManaged"
}

// mostDifferences bounds the differences that are listed.
const mostDifferences = 50

func (r *replay) differs(c *recording.Call, what, recorded, predicted string) {
	if len(r.Differences) < mostDifferences {
		r.Differences = append(r.Differences, Difference{r.place(c), what, recorded, predicted})
	}
}
