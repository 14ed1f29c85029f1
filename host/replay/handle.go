package replay

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/host/recording"
	"roclua/workspace"
	"roclua/workspace/status"
)

// handle is a handle with its model, which is nil if the model could not create it.
type handle struct {
	*Handle
	model     workspace.Handle
	blocks    map[uint64]uint64 // recorded memory that its calls allocated: bytes by address
	busyUntil time.Duration     // end of the latest call
	busyIn    *recording.Call
	unbound   *Place     // where hipSOLVER unbound its buffer
	stream    int        // in the recording
	set       driver.Ptr // the workspace that the program set; 0 for none
}

func (h *handle) used(thread int) {
	if !slices.Contains(h.Threads, thread) {
		h.Threads = append(h.Threads, thread)
	}
}

// uses notes a call in a workspace of the program. Of each stream the tightest is kept.
func (h *handle) uses(w StreamWorkspace) {
	i := slices.IndexFunc(h.Workspaces, func(x StreamWorkspace) bool { return x.Stream == w.Stream })
	if i < 0 {
		h.Workspaces = append(h.Workspaces, w)
	} else if x := &h.Workspaces[i]; int64(w.Bytes-w.NeedBytes) < int64(x.Bytes-x.NeedBytes) {
		*x = w
	}
}

// handleOf returns the handle of a call, and nil for the null pointer. A handle whose creation is missing from the
// recording is created as usual.
func (r *replay) handleOf(c *recording.Call) *handle {
	if c.Handle == 0 {
		return nil
	}
	if h := r.handles[c.Handle]; h != nil {
		return h
	}
	return r.create(c, c.Handle, r.environment(nil))
}

func (r *replay) create(c *recording.Call, number int, environment map[string]string) *handle {
	h := &handle{Handle: &Handle{Number: number, Device: r.device(c.Device), Begin: r.number},
		blocks: map[uint64]uint64{}}
	r.handles[number] = h
	r.created = append(r.created, h)
	r.Handles = append(r.Handles, h.Handle)
	r.Devices[h.Device].Handles++
	r.predict(c, func() (status.Status, bool, error) {
		model, err := r.open(workspace.Config{Profile: r.Options.Profile, Environment: environment,
			DefaultBytes: r.initial, Tuning: r.Tuning, Found: r.Defects.Count, Versions: r.versions,
			UnknownScalars: true})
		if err == nil {
			h.model = model
		}
		if err == nil && r.OneWorkspace {
			r.bindShared(h)
		}
		return status.Success, c.Name != "rocblas_create_handle", err
	})
	return h
}

// open creates a handle with the memory of the program, or of the scheme.
func (r *replay) open(c workspace.Config) (workspace.Handle, error) {
	if r.Scheme == "" {
		return workspace.Create(r.rt.Device(), c)
	}
	delete(c.Environment, workspace.EnvDeviceMemorySize)
	delete(c.Environment, workspace.EnvStreamOrderAlloc)
	c.DefaultBytes = nil
	return workspace.Open(r.rt.Device(), c, r.Scheme, r.Bytes)
}

// environment returns the variables of the recorded program for a new handle. Recordings without them show the size of
// the memory by the allocation of the call that creates the handle.
func (r *replay) environment(c *recording.Call) map[string]string {
	list := map[string]string{}
	for _, name := range workspace.HandleVariables() {
		if value, ok := r.Process.Facts["env."+name]; ok {
			list[name] = value
		}
	}
	if len(list) > 0 || c == nil {
		return list
	}
	for inner := range runtimeOf(c) {
		if bytes, ok := sizeOf(inner); inner.Name == "hipMalloc" && ok &&
			bytes != r.written(c) && r.initial == nil {
			list[workspace.EnvDeviceMemorySize] = strconv.FormatUint(bytes, 10)
		}
	}
	return list
}

// written returns the size of a new handle on the release that wrote the recording.
func (r *replay) written(c *recording.Call) uint64 {
	w, _ := Source(&r.Process)
	return w.Profile.DefaultBytes(w.Archs[min(c.Device, len(w.Archs)-1)])
}

// function replays a function that is not a routine.
func (r *replay) function(c *recording.Call) {
	switch c.Name {
	case "rocblas_create_handle":
		if number, ok := c.Result(0); ok && c.Status == 0 && number != 0 {
			h := r.create(c, int(number), r.environment(c))
			h.used(c.Thread)
			r.allocated(h, c)
		}
		return
	case "rocblas_device_malloc_free":
		r.deviceFree(c)
		return
	case "rocblas_device_malloc_set_default_memory_size":
		size := uint64(arg(c, 0).Int)
		r.initial = &size
		return
	}
	operation, ok := functions[c.Name]
	h := r.handleOf(c)
	if h != nil && h.model != nil {
		h.used(c.Thread)
		r.sameTime(h, c)
	}
	if !ok {
		r.inside(c)
		if c.Waits > 0 { // it copies a vector or a matrix
			r.streamOf(c).Synchronize()
		}
		return
	}
	if h == nil || h.model == nil {
		return
	}
	made, _, known := r.predict(c, func() (status.Status, bool, error) {
		st, err := operation(r, h, c)
		return st, false, err
	})
	if c.Name == deviceMalloc {
		r.grow(h, c, made, known)
	} else {
		r.allocated(h, c)
	}
}

// functions replay the functions of handles. Other functions do not matter to memory.
var functions map[string]func(*replay, *handle, *recording.Call) (status.Status, error)

// The functions of hipSOLVER, or of a program with its own routines, that report and allocate workspace.
const (
	setOptimal   = "rocblas_set_optimal_device_memory_size_impl"
	deviceMalloc = "rocblas_device_malloc_alloc"
)

func init() {
	functions = map[string]func(*replay, *handle, *recording.Call) (status.Status, error){
		setOptimal: func(_ *replay, h *handle, c *recording.Call) (status.Status, error) {
			return h.model.SetOptimalDeviceMemorySize(uint64(arg(c, 2).Int))
		},
	}
	for name, operation := range map[string]func(*replay, *handle, *recording.Call) error{
		"rocblas_destroy_handle": (*replay).destroy,
		"rocblas_set_stream": func(r *replay, h *handle, c *recording.Call) error {
			return r.setStream(h, int(arg(c, 1).Int), r.device(c.Device))
		},
		"rocblas_set_pointer_mode":       setter(workspace.Handle.SetPointerMode),
		"rocblas_set_atomics_mode":       setter(workspace.Handle.SetAtomicsMode),
		"rocblas_set_math_mode":          setter(workspace.Handle.SetMathMode),
		"rocblas_set_performance_metric": setter(workspace.Handle.SetPerformanceMetric),
		"rocsolver_set_alg_mode": func(r *replay, h *handle, c *recording.Call) error {
			return h.model.SetAlgMode(arg(c, 1).Int, arg(c, 2).Int)
		},
		"rocblas_start_device_memory_size_query": func(r *replay, h *handle, c *recording.Call) error {
			return h.model.StartQuery()
		},
		"rocblas_stop_device_memory_size_query": (*replay).stopQuery,
		"rocblas_set_device_memory_size":        (*replay).setSize,
		"rocblas_set_workspace":                 (*replay).setWorkspace,
		deviceMalloc:                            (*replay).deviceMalloc,
	} {
		functions[name] = func(r *replay, h *handle, c *recording.Call) (status.Status, error) {
			return status.Success, operation(r, h, c)
		}
	}
}

// deviceMalloc allocates workspace. The library returns success also if there is too little.
func (r *replay) deviceMalloc(h *handle, c *recording.Call) error {
	a, err := h.model.DeviceMalloc(uint64(arg(c, 3).Int))
	if object, ok := c.Result(1); ok && a != nil {
		r.allocations[object] = a
	}
	return err
}

// deviceFree releases workspace of deviceMalloc.
func (r *replay) deviceFree(c *recording.Call) {
	object := uint64(arg(c, 0).Int)
	if a := r.allocations[object]; a != nil {
		r.predict(c, func() (status.Status, bool, error) { return status.Success, false, a.Release() })
		delete(r.allocations, object)
	}
}

func setter(set func(workspace.Handle, int64) error) func(*replay, *handle, *recording.Call) error {
	return func(_ *replay, h *handle, c *recording.Call) error { return set(h.model, arg(c, 1).Int) }
}

func (r *replay) setStream(h *handle, number, device int) error {
	err := h.model.SetStream(r.stream(number, device))
	if err == nil {
		h.stream = number
	}
	return err
}

func (r *replay) destroy(h *handle, c *recording.Call) error {
	h.End, h.Held = r.number, h.sum()
	delete(r.handles, c.Handle)
	return h.close()
}

// close destroys the handle in the model, and frees the memory that its scheme has.
func (h *handle) close() error {
	err := h.model.Destroy()
	if o, ok := h.model.(*workspace.Opened); ok && err == nil {
		err = o.Close()
	}
	return err
}

// stopQuery compares the answer of a size query.
func (r *replay) stopQuery(h *handle, c *recording.Call) error {
	bytes, err := h.model.StopQuery(arg(c, 1).Null)
	recorded, ok := c.Result(1)
	var unknown *workspace.Unknown
	if ok && c.Status == 0 && (err == nil || errors.As(err, &unknown)) {
		r.compare(&r.score.Queries, c, "size query", recorded, bytes, err == nil)
	}
	return err
}

// compare compares a recorded number of bytes with the predicted one. One that the model does not know is wrong.
func (r *replay) compare(s *Score, c *recording.Call, kind string, recorded, predicted uint64, known bool) {
	right, text := known && recorded == predicted, "unknown"
	if known {
		text = fmt.Sprint(predicted)
	}
	s.add(right)
	if !right {
		r.differs(c, kind, fmt.Sprint(recorded), text)
	}
}

func (r *replay) setSize(h *handle, c *recording.Call) error {
	if r.replaces(r.outer) {
		return nil
	}
	err := h.model.SetDeviceMemorySize(uint64(arg(c, 1).Int))
	if err == nil {
		h.set = 0
	}
	return err
}

func (r *replay) setWorkspace(h *handle, c *recording.Call) error {
	if r.replaces(r.outer) {
		return nil
	}
	address, bytes := uint64(arg(c, 1).Int), uint64(arg(c, 2).Int)
	var p driver.Ptr
	if address != 0 && bytes != 0 {
		p, bytes = r.workspaceAt(h, c, address, bytes)
	}
	err := h.model.SetWorkspace(p, bytes)
	if err == nil {
		h.set = p
	}
	if p != 0 && err == nil {
		h.Workspace = bytes
	}
	r.bound(h, c, address)
	return err
}

// allocated follows the memory that a call on a handle allocated and freed.
func (r *replay) allocated(h *handle, c *recording.Call) (growth uint64) {
	for inner := range runtimeOf(c) {
		if inner.Status != 0 {
			continue
		}
		switch inner.Name {
		case "hipMalloc":
			bytes, _ := sizeOf(inner)
			if address, ok := inner.Result(0); ok && address != 0 {
				h.blocks[address] = bytes
				growth = bytes
				r.memory.forget(address, bytes)
			}
		case "hipFree":
			delete(h.blocks, uint64(arg(inner, 0).Int))
		}
	}
	return growth
}

func (h *handle) sum() (bytes uint64) {
	for _, b := range h.blocks {
		bytes += b
	}
	return bytes
}

// grow compares the growth of a call with the prediction. made are the HIP calls of the model, if they are
// known.
func (r *replay) grow(h *handle, c *recording.Call, made []trace.Call, known bool) {
	from := h.sum()
	recorded := r.allocated(h, c)
	predicted := uint64(0)
	for _, m := range made {
		if m.Name == "hipMalloc" && m.Result == driver.Success && m.Ptr != 0 {
			predicted = m.Bytes
		}
	}
	if recorded > 0 {
		h.Recorded = append(h.Recorded, Growth{r.place(c), from, recorded})
	}
	if predicted > 0 {
		h.Growths = append(h.Growths, Growth{r.place(c), from, predicted})
	}
	if recorded+predicted > 0 {
		r.compare(&r.score.Growths, c, "growth", recorded, predicted, known)
	}
	if recorded > 0 && h.unbound != nil {
		r.find(Reallocated, h, c, recorded, fmt.Sprintf("hipSOLVER unbound its buffer after call %d (%s); this "+
			"call then allocates %d bytes, which the next bound call frees", h.unbound.Call, h.unbound.Outer, recorded))
	}
}

// finish completes the handles that were not destroyed.
func (r *replay) finish() {
	r.Left, r.Last = r.holding, r.number
	for _, b := range r.memory {
		if !b.freed && !b.standIn {
			r.Left += b.size
		}
	}
	for _, h := range r.handles {
		h.Held = h.sum()
		if h.model != nil && !h.model.Destroyed() {
			h.close()
		}
	}
}
