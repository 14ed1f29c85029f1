// Package hip is the HIP runtime that the rest of the program uses. Like database/sql it has concrete types over the
// interfaces of a driver package, hip/driver, which platforms implement. A platform registers itself when its package
// is imported; Open starts a Runtime on it:
//
//	import _ "roclua/hip/cpu"
//
//	rt, err := hip.Open("cpu", driver.Config{})
//
// The package has the parts that all platforms share. It records calls under their C names with their cause, keeps
// statistics, and tracks live memory, streams and events with the place that created them. Misuse that is undefined
// behavior in a vendor's runtime, such as a destroyed stream or a block freed twice, is an error with HIP's code and an
// explanation.
//
// A Runtime is used by one goroutine, the host thread of its case, or by several that take turns: see Thread.
package hip

import (
	"context"
	goruntime "runtime"
	"sync"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// Runtime is a platform as one case uses it: its devices, and the threads of the host that make calls.
type Runtime struct {
	*host
}

func newRuntime(platform string, d driver.Runtime) *Runtime {
	h := &host{driver: d, can: d.Capabilities(), platform: platform}
	h.record.Start(len(d.Devices()))
	if h.clock = d.Clock(); h.clock != nil {
		h.record.SetClock(h.clock.Now)
	}
	h.main = newThread(h)
	h.Thread = h.main
	rt := &Runtime{host: h}
	for i, dev := range d.Devices() {
		rt.devices = append(rt.devices, newDevice(h, i, dev))
	}
	h.current = rt.devices[0]
	h.blocks.devices = make([]held, len(rt.devices))
	if h.can.KeepsErrors {
		h.last.keeper = d
	}
	h.driven = d.Thread()
	d.SetLocator(func() driver.Site { return h.site })
	return rt
}

func newThread(h *host) *Thread {
	return &Thread{host: h, cause: trace.CauseScript, origin: func() string { return "" }}
}

// Main returns the first thread of the runtime.
func (rt *Runtime) Main() *Thread { return rt.main }

// Share lets several threads make calls until Unshare is called: each between Enter and Leave, the first one as well.
func (rt *Runtime) Share() error {
	if rt.main.driven == nil {
		return driver.Faultf(driver.ErrorNotSupported, "platform %s has one thread of the host", rt.platform)
	}
	rt.several = true
	return nil
}

// Unshare lets the first thread make calls alone. All others are closed.
func (rt *Runtime) Unshare() {
	rt.several = false
	rt.main.use()
}

// NewThread makes a thread for the goroutine that calls it, while the runtime is shared. Device 0 is its current one.
// All that the first thread has waited for is done for the new one, too, and it has the same context. In virtual time
// the goroutine is the first one, or one that Clock.Go runs.
func (rt *Runtime) NewThread() *Thread {
	h := rt.host
	h.mu.Lock()
	defer h.mu.Unlock()
	h.main.use()
	t := newThread(h)
	t.current, t.last.keeper, t.last.successClears = rt.devices[0], h.last.keeper, h.last.successClears
	t.driven = h.driver.NewThread(func(wait func()) { h.Thread.Outside(wait) })
	return t
}

// Imitate makes a thread of a recorded program. The goroutine of the first thread makes its calls, too, after Use. It
// has a current device, a last error and a mode of captures, and shares with the other threads the waits of the host: a
// recording does not show how they wait for one another.
func (rt *Runtime) Imitate() *Thread {
	t := newThread(rt.host)
	t.current, t.last.successClears, t.origin = rt.devices[0], rt.main.last.successClears, rt.main.origin
	t.driven = rt.driver.NewThread(nil)
	return t
}

// Platform returns the name under which the platform is registered.
func (rt *Runtime) Platform() string { return rt.platform }

// DeviceCount implements hipGetDeviceCount.
func (rt *Runtime) DeviceCount() int {
	rt.current.call(&trace.Call{Name: "hipGetDeviceCount"}, func() error { return nil })
	return len(rt.devices)
}

// SetDevice implements hipSetDevice: it makes a device the current one.
func (rt *Runtime) SetDevice(i int) error {
	if err := rt.checkNumber(i); err != nil {
		return rt.current.call(&trace.Call{Name: "hipSetDevice"}, func() error {
			rt.driver.SetDevice(i)
			return err
		})
	}
	return rt.devices[i].setCurrent()
}

// Numbered returns a device by its number, for a call that names it. If there is none, the call is recorded and fails.
func (rt *Runtime) Numbered(call string, i int) (*Device, error) {
	if err := rt.checkNumber(i); err != nil {
		return nil, rt.current.call(&trace.Call{Name: call}, func() error { return err })
	}
	return rt.devices[i], nil
}

// Devices returns all devices. It is not a HIP call.
func (rt *Runtime) Devices() []*Device { return rt.devices }

// Device returns the current device, device 0 at first.
func (rt *Runtime) Device() *Device { return rt.devices[rt.current.index] }

// SetContext bounds the time that the host waits for the devices, on platforms that can interrupt a wait. When the
// context ends during a wait, all further calls of the devices return ErrorLaunchTimeOut.
func (rt *Runtime) SetContext(ctx context.Context) { rt.driver.SetContext(ctx) }

// StagedBytes returns the host memory that queued copies hold.
func (rt *Runtime) StagedBytes() uint64 { return rt.driver.StagedBytes() }

// UnwrittenReads returns the reads of device memory that nothing had written, since it was last called, device by
// device. It returns none on a platform that does not check memory.
func (rt *Runtime) UnwrittenReads() []driver.UnwrittenRead {
	var all []driver.UnwrittenRead
	for _, d := range rt.devices {
		all = append(all, d.driver.UnwrittenReads()...)
	}
	return all
}

// EndCaptures ends the captures that have not ended, without a call that is recorded, and returns the calls that began
// them. Their graphs are destroyed.
func (rt *Runtime) EndCaptures() []driver.Site {
	var open []driver.Site
	for _, o := range rt.open.sorted(streamKind) {
		s := o.(*Stream)
		if s.capture == nil || s.capture.ended != nil || rt.closed {
			continue
		}
		open = append(open, s.capture.begun)
		rt.site = driver.Site{Call: "the end of the case"}
		if g, err := s.device.driver.EndCapture(s.driver); err == nil {
			g.Destroy()
		}
		s.endCapture(nil)
	}
	return open
}

// Close waits for running kernels and frees everything that is still open. Calls after it fail with ErrorDeinitialized.
// A second Close does nothing.
func (rt *Runtime) Close() error {
	if rt.closed {
		return nil
	}
	rt.closed = true
	rt.last.stay()
	defer rt.last.leave()
	defer rt.last.reset() // the next case may use the thread
	return rt.driver.Close()
}

// host is the state that the threads of a runtime share: memory, open objects, and a record of calls.
type host struct {
	*Thread // that makes calls now
	main    *Thread
	mu      sync.Mutex // held by the thread that makes calls, while there are several
	several bool

	driver   driver.Runtime
	clock    driver.Clock // nil if the time is the machine's
	can      driver.Capabilities
	devices  []*Device
	platform string
	closed   bool

	watch   func(driver.Site)        // called before every call; may be nil
	repeats bool                     // calls were made before: see Runtime.Repeat
	refuse  func(*trace.Call) string // called before every allocation, returns why a fault is injected; may be nil
	record  trace.Recorder
	blocks  ledger
	open    openObjects

	misuses  []string // see Runtime.Misuses
	captures captures
	reserved map[driver.Ptr]bool // memory that is allocated in graphs
}

// SetWatcher sets a function that is called before every HIP call and every routine call.
func (h *host) SetWatcher(watch func(driver.Site)) { h.watch = watch }

// SetFaults sets a function that is called for every allocation of at least one byte whose other arguments are valid.
// When it returns a reason, the allocation fails with ErrorOutOfMemory; with "" the allocation is made. A captured
// hipMallocAsync becomes a node of a graph, and is not an allocation.
func (h *host) SetFaults(refuse func(*trace.Call) string) { h.refuse = refuse }

// collectHazards records the hazards that the devices detected during the current call.
func (h *host) collectHazards() {
	if !h.can.Hazards {
		return
	}
	for _, d := range h.devices {
		for _, hazard := range d.driver.Hazards() {
			h.addHazard(hazard)
		}
	}
}

func (h *host) addHazard(hazard driver.Hazard) {
	hazard.Memory = h.blocks.describeUsed(hazard.Ptr)
	h.record.Hazard(hazard)
}

// reserve records memory that a node of a graph allocates: launches allocate it, and a node can free it.
func (h *host) reserve(p driver.Ptr) {
	if h.reserved == nil {
		h.reserved = map[driver.Ptr]bool{}
	}
	if p != 0 {
		h.reserved[p] = true
	}
}

// call makes one HIP call by do, and records it with its cause, its place and its times.
func (h *host) call(c *trace.Call, do func() error) error {
	c.Cause, c.Origin, c.Handle = h.cause, h.origin(), h.handle
	h.site = driver.Site{Call: c.Name, Origin: c.Origin, Handle: c.Handle}
	if h.watch != nil {
		h.watch(h.site)
	}
	start := h.record.Clock()
	h.last.stay()
	defer h.last.leave()
	var err error
	if h.closed || h.hostFunc != nil {
		err = h.permitted()
	} else {
		err = do()
	}
	c.Seconds, c.Duration = start.Seconds(), (h.record.Clock() - start).Seconds()
	c.Result = driver.CodeOf(err)
	h.noteResult(c.Result)
	h.record.Call(*c)
	h.collectHazards()
	return err
}

// permitted returns the error of every call after Close, and of every call in a function of LaunchHostFunc.
func (h *host) permitted() error {
	switch {
	case h.closed:
		return errClosed
	case h.hostFunc != nil:
		return driver.Faultf(driver.ErrorNotPermitted, "the function that %s queued cannot call HIP",
			h.hostFunc.Queued)
	}
	return nil
}

// noteResult records the result of the current call as the last error. A function that a stream calls is not on the
// thread of the script.
func (h *host) noteResult(code driver.Error) {
	if h.hostFunc == nil {
		h.last.note(code, &h.site)
	}
	if code != driver.Success {
		h.captures.failed(code, h.site)
	}
}

var errClosed error = driver.Faultf(driver.ErrorDeinitialized, "the runtime is closed")

// runHostFunc runs a function during another call.
func (h *host) runHostFunc(run HostRun, f func(HostRun)) {
	h.hostFunc = &run
	defer func() { h.hostFunc, h.site = nil, run.Ran }()
	f(run)
}

// checkNumber returns an error if there is no device with a number.
func (h *host) checkNumber(i int) error {
	if n := len(h.devices); i < 0 || i >= n {
		return driver.Faultf(driver.ErrorInvalidDevice, "there is no device %d, the devices are 0 to %d", i, n-1)
	}
	return nil
}

// created records an object that the current call made.
func (h *host) created(k kind, o opened) { h.open.add(k, o, h.site, h.cause) }

// destroy destroys an object on the platform, by the current call.
func (h *host) destroy(k kind, o opened, driven interface{ Destroy() error }) error {
	return h.open.destroy(k, o, driven, h.site)
}

// Thread is a thread of the host that makes calls. HIP keeps a current device and a last error for each.
//
// A runtime has one thread at first, and may have others: see Runtime.NewThread. They take turns: a thread that makes
// calls has the lock of the runtime from Enter to Leave. A wait for a device gives it to other threads, and kernels run
// without it.
type Thread struct {
	host   *host
	driven driver.Thread // nil on a platform with one thread
	depth  int           // of nested Enter

	current  *Device     // the current device, device 0 at first
	site     driver.Site // the current call, for the platform's hazards and faults
	cause    string      // the cause of the current calls
	handle   int         // the number of the handle that a library makes the current calls for; 0 for none
	origin   func() string
	hostFunc *HostRun // the function of LaunchHostFunc that runs now; nil otherwise
	last     lastError
	streams  map[*Device]**Stream // StreamPerThread of the devices; nil before the first one
}

// Enter begins calls of the thread, by the goroutine that made the thread. Calls of Enter can be nested.
func (t *Thread) Enter() {
	if !t.host.several {
		return
	}
	if t.depth == 0 && t.host.clock != nil {
		t.host.clock.Turn()
	}
	if t.depth++; t.depth == 1 {
		t.host.mu.Lock()
		t.use()
	}
}

// Leave ends the calls of the latest Enter.
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

// Use makes a thread of Runtime.Imitate the one that makes the calls.
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
func (t *Thread) perThread(d *Device) **Stream {
	if t.streams == nil {
		t.streams = map[*Device]**Stream{}
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

// Moment returns the current point of the thread: see driver.Thread.
func (t *Thread) Moment() driver.Moment {
	t.Enter()
	defer t.Leave()
	return t.driven.Moment()
}

// Follows reports whether the thread has waited for the work before a moment: see driver.Thread.
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

// SetSuccessClearsError decides the result of LastError: the result of the latest call, as before HIP 7.0, or the error
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

// lastError is the last error of the host's thread, which hipGetLastError returns and resets. HIP has one for each
// thread, and a case makes its calls in one.
//
// Before HIP 7.0 it is the result of the latest call, which may be a success. Since then it is the error of the latest
// call that failed, until hipGetLastError is called: by the script or by a library, which returns it for its own call.
//
// AMD's runtime also has the result of the latest call, for hipExtGetLastError, which no function of the module
// returns. After a fault of a device it returns the fault from every call, although it was reset.
type lastError struct {
	code          driver.Error
	site          driver.Site // the call that left it
	successClears bool        // as before HIP 7.0

	// On a platform whose runtime keeps the last error too, its libraries read and change it there.
	keeper driver.Runtime // nil on other platforms
	kept   driver.Error   // by the runtime after the latest call
	pinned bool           // the host stays on its thread, because the runtime keeps an error of it
}

// note records the result of a call.
func (e *lastError) note(code driver.Error, site *driver.Site) {
	failed := code != driver.Success && code != driver.ErrorNotReady
	if failed || e.successClears {
		e.code, e.site = code, *site
	}
	if e.keeper != nil && (failed || e.pinned) {
		e.keep(e.keeper.LastError(false))
	}
}

// noteLibrary records the error that a call of the vendor's library left. An error that only this package detected,
// such as the use of a destroyed stream, is not known to the vendor's runtime and stays.
func (e *lastError) noteLibrary() {
	if e.keeper == nil {
		return
	}
	before := e.kept
	e.keep(e.keeper.LastError(false))
	if e.kept != before || e.successClears {
		e.code, e.site = e.kept, driver.Site{}
	}
}

// keep records the last error of the vendor's runtime. While that is an error of its thread, the host stays on the
// thread.
func (e *lastError) keep(code driver.Error) {
	e.kept = code
	switch failed := code != driver.Success; {
	case failed && !e.pinned:
		goruntime.LockOSThread()
	case !failed && e.pinned:
		goruntime.UnlockOSThread()
	}
	e.pinned = code != driver.Success
}

// reset returns the last error and resets it, also in the vendor's runtime.
func (e *lastError) reset() driver.Error {
	code := e.code
	e.code, e.site = driver.Success, driver.Site{}
	if e.keeper != nil {
		e.keeper.LastError(true)
		e.keep(driver.Success)
	}
	return code
}

// stay keeps the host on its thread until leave is called, so that the last error is read from the thread that made a
// call.
func (e *lastError) stay() {
	if e.keeper != nil {
		goruntime.LockOSThread()
	}
}

func (e *lastError) leave() {
	if e.keeper != nil {
		goruntime.UnlockOSThread()
	}
}
