package order

import (
	"slices"

	"roclua/hip/driver"
)

// function is a call of a function of the host in a stream. The stream's goroutine waits in the operation until the
// host has run the function; the host runs it when it waits for work that comes after it.
//
// Which functions run in a wait depends only on the order of the operations, not on timing: the functions that happen
// before the work that the host waits for, in the order of queueing. The first of them depends on no other, so the wait
// ends.
//
// The thread that queued a function runs it: when it waits for the function, or when another thread does.
type function struct {
	*Operation
	thread   *Thread
	wanted   bool // another thread waits for it
	call     func(at driver.Site)
	reached  chan struct{} // closed by the stream
	returned chan struct{} // closed by the host
}

// EnqueueFunction queues a function of the host.
func (s *Stream) EnqueueFunction(site driver.Site, call func(at driver.Site)) {
	host := s.group.host
	thread := host.Thread
	f := &function{thread: thread, call: call, reached: make(chan struct{}), returned: make(chan struct{})}
	f.Operation = s.Enqueue(site, func() error {
		close(f.reached)
		thread.alert()
		<-f.returned
		return nil
	})
	host.functions = append(host.functions, f)
}

// Functions returns the number of functions that have not run.
func (h *Host) Functions() int { return len(h.functions) }

// MaxBlocked is how many operations may be queued after a function that has not run. Then the host runs the function,
// so that work that waits for the host does not fill a queue.
const MaxBlocked = QueueLength / 2

// makeRoom runs the functions if many operations were queued after the first of them.
func (h *Host) makeRoom() {
	if len(h.functions) > 0 && h.running == nil && h.serial-h.functions[0].serial >= MaxBlocked {
		h.RunFunctions()
	}
}

// AwaitOperations makes the host wait for operations, and runs the functions that happen before them. It does not
// change the clock of the host. Inside a function it returns without a wait if the operations come after this function
// or another one.
func (h *Host) AwaitOperations(list ...*Operation) error {
	if len(h.functions) > 0 {
		kept := slices.Clone(list) // the list does not escape, for waits without functions
		before := func(f *function) bool { return slices.ContainsFunc(kept, f.Before) }
		if h.running == nil {
			if err := h.runFunctions(before); err != nil {
				return err
			}
		} else if slices.ContainsFunc(h.functions, before) {
			return nil
		}
	}
	for _, o := range list {
		if err := h.await(o); err != nil {
			return err
		}
	}
	return nil
}

// errFunctionEnded is the error of a wait during which a function used up the time of the case. The device is not
// abandoned: it does not run anything that cannot be stopped.
var errFunctionEnded = driver.Faultf(driver.ErrorLaunchTimeOut,
	"the time limit of the case ended while a function of the host was running")

// runFunctions runs functions of the current thread in the order of queueing, each when its stream has reached it.
// Other threads run theirs.
func (h *Host) runFunctions(which func(*function) bool) error {
	for _, f := range h.functions {
		if f.thread != h.Thread && !f.wanted && which(f) {
			f.wanted = true
			f.thread.alert()
			if h.time != nil {
				h.time.errandFor(f.thread)
			}
		}
	}
	for f := h.next(which); f != nil; f = h.next(which) {
		if err := h.Await(f.reached); err != nil {
			return err
		}
		h.runFunction(f)
		if h.ctx.Err() != nil {
			return errFunctionEnded
		}
	}
	return nil
}

// next returns the first of some functions of the current thread; nil for none.
func (h *Host) next(which func(*function) bool) *function {
	i := slices.IndexFunc(h.functions, func(f *function) bool { return f.thread == h.Thread && which(f) })
	if i < 0 {
		return nil
	}
	return h.functions[i]
}

// RunFunctions runs the functions that the current thread has queued.
func (h *Host) RunFunctions() error { return h.runFunctions(func(*function) bool { return true }) }

// Reached reports whether operations are done, as a query finds them: it runs the functions before them that their
// streams have reached.
func (h *Host) Reached(list ...*Operation) bool {
	if h.time != nil {
		return h.time.reached(list) && h.AwaitOperations(list...) == nil
	}
	h.runReached(func(f *function) bool { return slices.ContainsFunc(list, f.Before) })
	return !slices.ContainsFunc(list, func(o *Operation) bool { return !o.Done() })
}

// runWanted runs the functions that other threads wait for and that their streams have reached.
func (h *Host) runWanted() {
	h.runReached(func(f *function) bool { return f.thread == h.Thread && f.wanted })
}

// runReached runs some functions until it finds one that its stream has not reached, or that is another thread's.
func (h *Host) runReached(which func(*function) bool) {
	for h.running == nil {
		i := slices.IndexFunc(h.functions, which)
		if i < 0 {
			return
		}
		f := h.functions[i]
		if f.thread != h.Thread {
			f.wanted = true
			f.thread.alert()
			return
		}
		select {
		case <-f.reached:
			h.runFunction(f)
		default:
			return
		}
	}
}

// runFunction runs a function that its stream has reached, unless it has run. Work before it is ordered for the
// function, but not for the host after it. As on a real device, it is not called after a fault of the device.
func (h *Host) runFunction(f *function) {
	if !slices.Contains(h.functions, f) {
		return
	}
	thread, before := h.Thread, slices.Clone(h.clock)
	h.clock = h.clock.join(f.clock)
	h.running = f
	defer func() {
		thread.clock, thread.running = before, nil
		if i := slices.Index(h.functions, f); i >= 0 { // otherwise the device was abandoned meanwhile
			h.functions = slices.Delete(h.functions, i, i+1)
			close(f.returned)
		}
	}()
	if !f.stream.group.Faults.any(f.clock) {
		f.call(f.Site)
	}
}

// DropFunctions lets streams continue without the functions that have not run.
func (h *Host) DropFunctions() { h.drop(func(*function) bool { return true }) }

func (h *Host) drop(which func(*function) bool) {
	for _, f := range h.functions {
		if which(f) {
			close(f.returned)
		}
	}
	h.functions = slices.DeleteFunc(h.functions, which)
}
