package native

import (
	"maps"
	"slices"
	"sync"
	"time"

	"roclua/hip/dl"
	"roclua/hip/driver"
)

// The runtime calls functions of streams on its own threads. There the callback waits until the host has run the
// function on its goroutine. The host does that before the next call that may wait for the device, because such a call
// would never return: see WithDevice. Calls that only queue work use Device.queue.

// hostFunction is a function that was queued in a stream or captured in a graph.
type hostFunction struct {
	rt  *Runtime
	run func(at driver.Site)
}

// hostCall is a call of a function by the runtime.
type hostCall struct {
	function *hostFunction
	returned chan struct{}
}

// hostCalls are the calls of functions in the streams of a Runtime.
type hostCalls struct {
	requests chan hostCall
	closed   chan struct{}    // of the runtime: functions no longer run
	streams  map[*Stream]bool // streams whose functions may not have run
	queued   int              // calls that queued work since the first of them
	running  bool             // a function runs now
}

func newHostCalls() hostCalls {
	return hostCalls{requests: make(chan hostCall), closed: make(chan struct{}), streams: map[*Stream]bool{}}
}

// hostFunctions are the functions of all runtimes by the number that the callback receives.
var hostFunctions struct {
	mu       sync.Mutex
	next     uintptr
	byNumber map[uintptr]*hostFunction
	callback uintptr // the C function; 0 before the first use
}

// register returns the C function and its argument for a function.
func (f *hostFunction) register() (callback, number uintptr) {
	h := &hostFunctions
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.callback == 0 {
		h.callback, h.byNumber = dl.NewCallback(callHost), map[uintptr]*hostFunction{}
	}
	h.next++
	h.byNumber[h.next] = f
	return h.callback, h.next
}

// unregister removes functions: one that has run, or all of a runtime that is closed.
func unregister(which func(number uintptr, f *hostFunction) bool) {
	hostFunctions.mu.Lock()
	defer hostFunctions.mu.Unlock()
	maps.DeleteFunc(hostFunctions.byNumber, which)
}

// callHost is called by the runtime. It returns when the host has run the function.
func callHost(number uintptr) {
	hostFunctions.mu.Lock()
	f := hostFunctions.byNumber[number]
	hostFunctions.mu.Unlock()
	if f == nil {
		return
	}
	c := hostCall{f, make(chan struct{})}
	select {
	case f.rt.hosts.requests <- c:
	case <-f.rt.hosts.closed:
		return
	}
	select {
	case <-c.returned:
	case <-f.rt.hosts.closed:
	}
}

// LaunchHostFunc implements driver.Device. A captured function stays registered until the runtime is closed.
func (d *Device) LaunchHostFunc(s driver.Stream, run func(at driver.Site)) error {
	if d.rt.pause != nil {
		return driver.Faultf(driver.ErrorNotSupported,
			"streams of this platform call functions only while the host has one thread")
	}
	captured := d.Captures(s)
	f := &hostFunction{rt: d.rt}
	callback, number := f.register()
	remove := func() { unregister(func(n uintptr, _ *hostFunction) bool { return n == number }) }
	f.run = func(at driver.Site) {
		if !captured {
			remove()
		}
		run(at)
	}
	err := d.queued("LaunchHostFunc", handleOf(s), callback, number)
	switch {
	case err != nil:
		remove()
	case !captured:
		d.rt.hosts.streams[s.(*Stream)] = true
	}
	return err
}

// maxQueued is how many calls may queue work before functions run. A queue of the runtime has room for about a thousand
// kernels, and a call that finds it full waits.
const maxQueued = 100

// queue runs asynchronous calls, which only queue work.
func (d *Device) queue(do func() error) error {
	if h := &d.rt.hosts; len(h.streams) > 0 {
		if h.queued++; h.queued > maxQueued {
			return d.WithDevice(do)
		}
	}
	return d.OnDevice(do)
}

// The interval between two polls of streams whose functions have not been called: initial and longest.
const (
	firstLook = 20 * time.Microsecond
	lastLook  = time.Millisecond
)

// runHostFuncs runs the functions of all streams until none is left.
func (rt *Runtime) runHostFuncs() {
	h := &rt.hosts
	if len(h.streams) == 0 || h.running {
		return
	}
	for wait := firstLook; len(h.streams) > 0; wait = min(2*wait, lastLook) {
		if rt.runCalled(wait) {
			wait = firstLook
		}
		maps.DeleteFunc(h.streams, func(s *Stream, _ bool) bool { return !s.busy() })
	}
	h.queued = 0
}

// withFunctions runs a call that may not return before functions have run: CUDA waits in the launch of a graph for
// functions of an earlier launch, and, before a copy to memory of the host that is not locked, for functions queued
// before the copy. The call is made on another thread, while this one runs the functions.
func (d *Device) withFunctions(do func() error) (err error) {
	d.rt.runHostFuncs()
	returned := make(chan struct{})
	go func() {
		defer close(returned)
		err = d.OnDevice(do)
	}()
	for {
		select {
		case c := <-d.rt.hosts.requests:
			d.rt.runHost(c)
		case <-returned:
			return err
		}
	}
}

func (rt *Runtime) runHost(c hostCall) {
	rt.hosts.running = true
	c.function.run(driver.Site{})
	rt.hosts.running = false
	close(c.returned)
}

// runCalled runs the functions that the runtime calls within a time, and reports whether there was one.
func (rt *Runtime) runCalled(within time.Duration) (ran bool) {
	for timeout := time.After(within); ; ran = true {
		select {
		case c := <-rt.hosts.requests:
			rt.runHost(c)
		case <-timeout:
			return ran
		}
		if rt.closed {
			return ran
		}
	}
}

// busy reports whether a stream has work. After an error it is not busy, because the runtime calls no functions then.
// While streams are captured, a query of another one is only permitted in the relaxed mode.
func (s *Stream) busy() bool {
	d := s.device
	if len(d.rt.captures) > 0 {
		before, err := d.ExchangeCaptureMode(driver.CaptureRelaxed)
		if err == nil {
			defer d.ExchangeCaptureMode(before)
		}
	}
	err := d.ask("StreamQuery", s.handle)
	return driver.CodeOf(err) == driver.ErrorNotReady
}

// poll runs the functions that have been called, before a query.
func (rt *Runtime) poll() {
	if len(rt.hosts.streams) > 0 && !rt.hosts.running {
		rt.runCalled(firstLook)
	}
}

// closeHosts lets streams continue without functions that have not run.
func (rt *Runtime) closeHosts() {
	close(rt.hosts.closed)
	clear(rt.hosts.streams)
	unregister(func(_ uintptr, f *hostFunction) bool { return f.rt == rt })
}

// callsHost reports whether the nodes of a graph may call functions; graphs in it are not read.
func callsHost(nodes []driver.Node) bool {
	return slices.ContainsFunc(nodes, func(n driver.Node) bool {
		return n.Type == driver.NodeHost || n.Type == driver.NodeGraph
	})
}
