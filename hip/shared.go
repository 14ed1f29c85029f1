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

	captures captures
	reserved map[driver.Ptr]bool // memory that is allocated in graphs
}

// SetWatcher sets a function that is called before every call of HIP and of a routine.
func (s *host) SetWatcher(watch func(driver.Site)) { s.watch = watch }

// SetFaults sets a function that is called for every allocation of at least one byte whose other arguments are valid.
// When it returns a reason, the allocation fails with ErrorOutOfMemory; with "" the allocation is made. A captured
// hipMallocAsync becomes a node of a graph, and is not an allocation.
func (s *host) SetFaults(refuse func(*trace.Call) string) { s.refuse = refuse }

// collectHazards records the hazards that the devices detected during the current call.
func (s *host) collectHazards() {
	for _, reporter := range s.reporters {
		for _, h := range reporter.Hazards() {
			s.addHazard(h)
		}
	}
}

func (s *host) addHazard(h driver.Hazard) {
	h.Memory = s.blocks.describeUsed(h.Ptr)
	s.record.Hazard(h)
}

// reserve records memory that a node of a graph allocates: launches allocate it, and a node can free it.
func (s *host) reserve(p driver.Ptr) {
	if s.reserved == nil {
		s.reserved = map[driver.Ptr]bool{}
	}
	if p != 0 {
		s.reserved[p] = true
	}
}

// call makes one call of HIP by do, and records it with its cause, its place and its times.
func (t *host) call(c *trace.Call, do func() error) error {
	c.Cause, c.Origin = t.cause, t.origin()
	t.site = driver.Site{Call: c.Name, Origin: c.Origin}
	if t.watch != nil {
		t.watch(t.site)
	}
	start := t.record.Clock()
	t.last.stay()
	defer t.last.leave()
	var err error
	if t.closed || t.hostFunc != nil {
		err = t.permitted()
	} else {
		err = do()
	}
	c.Seconds, c.Duration = start.Seconds(), (t.record.Clock() - start).Seconds()
	c.Result = driver.CodeOf(err)
	t.noteResult(c.Result)
	t.record.Call(*c)
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
	if code != driver.Success {
		t.captures.failed(code, t.site)
	}
}

var errClosed error = driver.Faultf(driver.ErrorDeinitialized, "the runtime is closed")

// setCause sets the cause of calls until restore is called.
func (t *host) setCause(cause string) (restore func()) {
	before := t.cause
	t.cause = cause
	return func() { t.cause = before }
}

// runHostFunc runs a function during another call.
func (t *host) runHostFunc(run HostRun, f func(HostRun)) {
	t.hostFunc = &run
	defer func() { t.hostFunc, t.site = nil, run.Ran }()
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
func (t *host) created(k kind, o opened) { t.open.add(k, o, t.site, t.cause) }

// destroy destroys an object on the platform, by the current call.
func (t *host) destroy(k kind, o opened, driven interface{ Destroy() error }) error {
	return t.open.destroy(k, o, driven, t.site)
}
