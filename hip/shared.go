package hip

import (
	"sync"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// host is what the threads of a runtime share: what is allocated and open, and a record of what was done.
type host struct {
	*Thread  // that makes calls now
	main     *Thread
	threader driver.Threader       // nil on a platform with one thread
	selector driver.DeviceSelector // nil on a platform that does not need the current device
	mu       sync.Mutex            // held by the thread that makes calls, while there are several
	several  bool

	platform  string
	closed    bool
	reporters []driver.HazardReporter // the devices that detect hazards

	watch  func(driver.Site)        // called before every call; may be nil
	refuse func(*trace.Call) string // called before every allocation, returns why it is made to fail; may be nil
	record trace.Recorder
	blocks ledger
	open   openObjects

	misuses  []string // see Runtime.Misuses
	captures captures
	reserved map[driver.Ptr]bool // memory that is allocated in graphs
}

// SetWatcher sets a function that is called before every call of HIP and of a routine.
func (h *host) SetWatcher(watch func(driver.Site)) { h.watch = watch }

// SetFaults sets a function that is called for every allocation of at least one byte whose other arguments are valid.
// When it returns a reason, the allocation fails with ErrorOutOfMemory; with "" the allocation is made. A captured
// hipMallocAsync becomes a node of a graph, and is not an allocation.
func (h *host) SetFaults(refuse func(*trace.Call) string) { h.refuse = refuse }

// collectHazards records the hazards that the devices detected during the current call.
func (h *host) collectHazards() {
	for _, reporter := range h.reporters {
		for _, hazard := range reporter.Hazards() {
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

// call makes one call of HIP by do, and records it with its cause, its place and its times.
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
		return driver.Faultf(driver.ErrorNotPermitted, "the function that %s queued cannot make calls of HIP",
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

// setCause sets the cause of calls, and the number of the handle that they are for, until restore is called.
func (h *host) setCause(cause string, handle int) (restore func()) {
	causeBefore, handleBefore := h.cause, h.handle
	h.cause, h.handle = cause, handle
	return func() { h.cause, h.handle = causeBefore, handleBefore }
}

// runHostFunc runs a function during another call.
func (h *host) runHostFunc(run HostRun, f func(HostRun)) {
	h.hostFunc = &run
	defer func() { h.hostFunc, h.site = nil, run.Ran }()
	f(run)
}

// checkNumber returns an error if there is no device with a number.
func (h *host) checkNumber(i int) error {
	if n := len(h.blocks.devices); i < 0 || i >= n {
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
