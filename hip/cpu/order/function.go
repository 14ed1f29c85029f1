package order

import (
	"slices"

	"roclua/hip/driver"
)

// function is a call of a function of the host in a stream. The stream's goroutine waits in the operation until the
// host has run the function; the host runs it when it waits for work that comes after it.
//
// Which functions run in a wait depends only on the order of the operations, not on timing: the functions that happen
// before what the host waits for, in the order of queueing. The first of them depends on no other, so the wait ends.
type function struct {
	*Operation
	call     func(at driver.Site)
	reached  chan struct{} // closed by the stream
	returned chan struct{} // closed by the host
}

// EnqueueFunction queues a function of the host.
func (s *Stream) EnqueueFunction(site driver.Site, call func(at driver.Site)) {
	f := &function{call: call, reached: make(chan struct{}), returned: make(chan struct{})}
	f.Operation = s.Enqueue(site, func() error {
		close(f.reached)
		<-f.returned
		return nil
	})
	host := s.group.host
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
		h.runFunctions(func(*function) bool { return true })
	}
}

// AwaitOperations makes the host wait for operations, and runs the functions that happen before them. It does not
// change what counts as waited for. Inside a function it returns without a wait if the operations come after this
// function or another one.
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

// runFunctions runs functions in the order of queueing, each when its stream has reached it.
func (h *Host) runFunctions(which func(*function) bool) error {
	for i := 0; i < len(h.functions); {
		if !which(h.functions[i]) {
			i++
			continue
		}
		if err := h.Await(h.functions[i].reached); err != nil {
			return err
		}
		h.runFunction(i)
		if h.ctx.Err() != nil {
			return errFunctionEnded
		}
	}
	return nil
}

// Reached reports whether operations are done, as a query finds them: it runs the functions before them that their
// streams have reached.
func (h *Host) Reached(list ...*Operation) bool {
	h.runReached(list)
	return !slices.ContainsFunc(list, func(o *Operation) bool { return !o.Done() })
}

func (h *Host) runReached(list []*Operation) {
	if h.running != nil {
		return
	}
	for i := 0; i < len(h.functions); {
		f := h.functions[i]
		if !slices.ContainsFunc(list, f.Before) {
			i++
			continue
		}
		select {
		case <-f.reached:
			h.runFunction(i)
		default:
			return
		}
	}
}

// runFunction runs function i, which its stream has reached. What happens before it is ordered for the function, but
// not for the host after it. As on a real device, it is not called after a fault of the device.
func (h *Host) runFunction(i int) {
	f, before := h.functions[i], slices.Clone(h.clock)
	h.clock = h.clock.join(f.clock)
	h.running = f
	defer func() {
		h.clock, h.running = before, nil
		if i < len(h.functions) { // otherwise the device was abandoned meanwhile
			h.functions = slices.Delete(h.functions, i, i+1)
			close(f.returned)
		}
	}()
	if !f.stream.group.Faults.any(f.clock) {
		f.call(f.Site)
	}
}

// DropFunctions lets streams continue without the functions that have not run.
func (h *Host) DropFunctions() {
	for _, f := range h.functions {
		close(f.returned)
	}
	h.functions = nil
}
