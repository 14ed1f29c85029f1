package hip

import "roclua/hip/driver"

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

// call makes one call of HIP by do, and records it with its cause, its place and its times.
func (t *host) call(c *Call, do func() error) error {
	c.Cause, c.Origin = t.cause, t.origin()
	t.site = driver.Site{Call: c.Name, Origin: c.Origin}
	if t.watch != nil {
		t.watch(t.site)
	}
	start := t.clock()
	t.last.stay()
	defer t.last.leave()
	var err error
	if t.closed || t.hostFunc != nil {
		err = t.permitted()
	} else {
		err = do()
	}
	c.Seconds, c.Duration = start.Seconds(), (t.clock() - start).Seconds()
	c.Result = driver.CodeOf(err)
	t.noteResult(c.Result)
	t.record.add(*c)
	t.collectHazards()
	return err
}

// permitted returns the error of every call after Close, and of every call in a function of LaunchHostFunc.
func (t *host) permitted() error {
	switch {
	case t.closed:
		return errClosed
	case t.hostFunc != nil:
		return driver.Faultf(driver.ErrorNotPermitted, "the function that %s queued cannot make calls of HIP",
			t.hostFunc.Queued)
	}
	return nil
}

// noteResult records the result of the current call as the last error. A function that a stream calls is not on the
// thread of the script.
func (t *host) noteResult(code driver.Error) {
	if t.hostFunc == nil {
		t.last.note(code, t.site)
	}
	if code != driver.Success && len(t.captures) > 0 {
		t.noteCaptures(code)
	}
}

var errClosed error = driver.Faultf(driver.ErrorDeinitialized, "the runtime is closed")

// setCause sets the cause of calls until restore is called.
func (t *host) setCause(cause string) (restore func()) {
	before := t.cause
	t.cause = cause
	return func() { t.cause = before }
}

// noteCaptures records that the current call invalidated captures, if its error says so.
func (t *host) noteCaptures(code driver.Error) {
	if code < driver.ErrorCaptureUnsupported || code > driver.ErrorCaptureWrongThread ||
		code == driver.ErrorCaptureInvalidated || code == driver.ErrorCaptureUnmatched {
		return
	}
	for _, c := range t.captures {
		if c.invalidated == nil {
			site := t.site
			c.invalidated = &site
		}
	}
}

// newKernel begins the record of a kernel, which the platform completes with its times.
func (t *host) newKernel(name string, s *Stream) *kernel {
	if u := t.record.unrecorded; u != nil {
		return &u.kernel
	}
	return t.record.addKernel(kernel{Kernel{Name: name, Device: s.device.index, Stream: s.ID(), Origin: t.site.Origin,
		Queued: t.clock().Seconds()}, t})
}

// runHostFunc runs a function during another call.
func (t *host) runHostFunc(run HostRun, f func(HostRun)) {
	t.hostFunc = &run
	defer func() { t.hostFunc, t.site = nil, run.Ran }()
	f(run)
}

// SetSuccessClearsError decides what LastError returns: the result of the latest call, as before HIP 7.0, or the error
// of the latest call that failed, which is the default.
func (t *Thread) SetSuccessClearsError(clears bool) { t.last.successClears = clears }

// LastError implements hipGetLastError: it returns the last error and resets it.
func (t *host) LastError() driver.Error {
	t.PeekAtLastError("hipGetLastError")
	return t.last.reset()
}

// PeekAtLastError implements hipPeekAtLastError, or another call that returns the error and leaves it.
func (t *host) PeekAtLastError(name string) driver.Error {
	before := t.last
	t.current.call(&Call{Name: name}, func() error { return nil })
	t.last.code, t.last.site = before.code, before.site
	return t.last.code
}
