package hip

import (
	"roclua/hip/driver"
	"roclua/hip/trace"
)

// Thread is a thread of the host that makes calls. HIP keeps a current device and a last error for each.
//
// A runtime has one thread at first, and may have others: see Runtime.NewThread. They take turns: a thread that makes
// calls has the lock of the runtime from Enter to Leave. A wait for a device gives it to other threads, and kernels run
// without it.
type Thread struct {
	host   *host
	driven driver.Thread // nil on a platform with one thread
	depth  int           // of nested Enter

	current  *gpu        // the current device, device 0 at first
	site     driver.Site // the current call, for the platform's hazards and faults
	cause    string      // the cause of the current calls
	handle   int         // the number of the handle that a library makes the current calls for; 0 for none
	origin   func() string
	hostFunc *HostRun // the function of LaunchHostFunc that runs now; nil otherwise
	last     lastError
	streams  map[*gpu]**Stream // StreamPerThread of the devices; nil before the first one
}

// Enter begins calls of the thread, by the goroutine that made the thread. Calls of Enter can be nested.
func (t *Thread) Enter() {
	if !t.host.several {
		return
	}
	if t.depth++; t.depth == 1 {
		t.host.mu.Lock()
		t.use()
	}
}

// Leave ends what Enter began.
func (t *Thread) Leave() {
	if !t.host.several {
		return
	}
	if t.depth--; t.depth == 0 {
		t.host.mu.Unlock()
	}
}

// Several reports whether the runtime has several threads, so that their calls need Enter and Leave.
func (t *Thread) Several() bool { return t.host.several }

// Use makes the thread the one that makes the calls, among those of Runtime.Imitate.
func (t *Thread) Use() { t.use() }

func (t *Thread) use() {
	t.host.Thread = t
	t.driven.Enter()
}

// Outside runs something that makes no calls, or begins and ends its own, while other threads make calls.
func (t *Thread) Outside(do func()) {
	if !t.host.several || t.depth == 0 {
		do()
		return
	}
	depth := t.depth
	t.depth = 0
	t.host.mu.Unlock()
	defer func() {
		t.host.mu.Lock()
		t.use()
		t.depth = depth
	}()
	do()
}

// perThread returns the place of the thread's own stream of a device.
func (t *Thread) perThread(d *gpu) **Stream {
	if t.streams == nil {
		t.streams = map[*gpu]**Stream{}
	}
	if t.streams[d] == nil {
		t.streams[d] = new(*Stream)
	}
	return t.streams[d]
}

// RunHostFuncs runs the functions of LaunchHostFunc that the thread has queued.
func (t *Thread) RunHostFuncs() error {
	if t.driven == nil {
		return nil
	}
	return t.driven.RunHostFuncs()
}

// Moment returns what the thread has done so far: see driver.Thread.
func (t *Thread) Moment() driver.Moment {
	t.Enter()
	defer t.Leave()
	return t.driven.Moment()
}

// Follows reports whether the thread has waited for what another one did before a moment: see driver.Thread.
func (t *Thread) Follows(m driver.Moment) bool {
	t.Enter()
	defer t.Leave()
	return t.driven.Follows(m)
}

// Close ends a thread that NewThread made. The goroutine that made it calls Close, without Enter.
func (t *Thread) Close() {
	t.Enter()
	t.last.reset()
	t.driven.Close()
	for _, s := range t.streams {
		if *s != nil {
			(*s).destroyed = &driver.Site{Call: "the end of the thread"}
		}
	}
	t.Leave()
}

// HostRun says where a function was passed to LaunchHostFunc, and which call waited for the stream and ran it.
type HostRun struct{ Queued, Ran driver.Site }

// SetOrigin sets the function that returns the current line of the script, "solve.lua:12". It is called at every call.
func (t *Thread) SetOrigin(origin func() string) { t.origin = origin }

// SetSuccessClearsError decides what LastError returns: the result of the latest call, as before HIP 7.0, or the error
// of the latest call that failed, which is the default.
func (t *Thread) SetSuccessClearsError(clears bool) { t.last.successClears = clears }

// LastError implements hipGetLastError: it returns the last error and resets it.
func (h *host) LastError() driver.Error {
	h.PeekAtLastError("hipGetLastError")
	return h.last.reset()
}

// PeekAtLastError implements hipPeekAtLastError, or another call that returns the error and leaves it.
func (h *host) PeekAtLastError(name string) driver.Error {
	before := h.last
	h.current.call(&trace.Call{Name: name}, func() error { return nil })
	h.last.code, h.last.site = before.code, before.site
	return h.last.code
}
