package cpu

import (
	"slices"

	"roclua/hip/driver"
)

// hostFunction is a call of a function of the host in a stream. The stream's goroutine waits in the operation until the
// host has run the function; the host runs it when it waits for work that comes after it.
//
// Which functions run in a wait depends on the order of the operations only, not on timing: those that happen before
// what the host waits for, in the order in which they were queued. The first of them depends on no other, so the wait
// ends.
type hostFunction struct {
	*operation
	run      func(at driver.Site)
	reached  chan struct{} // closed by the stream
	returned chan struct{} // closed by the host
}

// LaunchHostFunc implements driver.HostLauncher.
func (d *device) LaunchHostFunc(s driver.Stream, run func(at driver.Site)) error {
	st, err := d.own(s)
	if err != nil {
		return err
	}
	if st.capture != nil {
		return st.add(&graphNode{kind: driver.NodeHost, site: d.runtime.locate(),
			replay: func(s *stream, _ func(driver.Site) driver.Timer) error { return d.queueHost(s, run) }})
	}
	return d.queueHost(st, run)
}

// queueHost queues a function.
func (d *device) queueHost(s *stream, run func(at driver.Site)) error {
	f := &hostFunction{run: run, reached: make(chan struct{}), returned: make(chan struct{})}
	f.operation = s.enqueue(d.runtime.locate(), nil, func() error {
		close(f.reached)
		<-f.returned
		return nil
	})
	d.runtime.hostFunctions = append(d.runtime.hostFunctions, f)
	return nil
}

// maxBlocked is how many operations may be queued after a function that has not run. The host runs it then, so that no
// queue is filled by work that waits for the host.
const maxBlocked = queueLength / 2

// makeRoom runs the functions if many operations were queued after the first of them.
func (rt *runtime) makeRoom() {
	if len(rt.hostFunctions) > 0 && rt.runningFunction == nil && rt.serial-rt.hostFunctions[0].serial >= maxBlocked {
		rt.runFunctions(func(*hostFunction) bool { return true })
	}
}

// awaitOperations makes the host wait for operations, and runs the functions that happen before them. A function cannot
// wait for work that comes after it or after another function: then awaitOperations returns without a wait.
func (rt *runtime) awaitOperations(list ...*operation) error {
	if len(rt.hostFunctions) > 0 {
		kept := slices.Clone(list) // the list does not escape, for waits without functions
		before := func(f *hostFunction) bool {
			return slices.ContainsFunc(kept, func(o *operation) bool { return f.before(o.clock) })
		}
		if rt.runningFunction == nil {
			if err := rt.runFunctions(before); err != nil {
				return err
			}
		} else if slices.ContainsFunc(rt.hostFunctions, before) {
			return nil
		}
	}
	for _, o := range list {
		if err := rt.awaitOperation(o); err != nil {
			return err
		}
	}
	return nil
}

// errFunctionEnded is the error of a wait in which a function took the rest of the time of the case. The device is not
// abandoned: it does not run anything that cannot be stopped.
var errFunctionEnded = driver.Faultf(driver.ErrorLaunchTimeOut,
	"the time limit of the case ended while a function of the host was running")

// runFunctions runs functions in the order in which they were queued, each when its stream has reached it.
func (rt *runtime) runFunctions(which func(*hostFunction) bool) error {
	for i := 0; i < len(rt.hostFunctions); {
		if !which(rt.hostFunctions[i]) {
			i++
			continue
		}
		if err := rt.await(rt.hostFunctions[i].reached); err != nil {
			return err
		}
		rt.runFunction(i)
		if rt.ctx.Err() != nil {
			return errFunctionEnded
		}
	}
	return nil
}

// runReached runs the functions before operations that their streams have reached, as a query finds them.
func (rt *runtime) runReached(list ...*operation) {
	if rt.runningFunction != nil {
		return
	}
	for i := 0; i < len(rt.hostFunctions); {
		f := rt.hostFunctions[i]
		if !slices.ContainsFunc(list, func(o *operation) bool { return f.before(o.clock) }) {
			i++
			continue
		}
		select {
		case <-f.reached:
			rt.runFunction(i)
		default:
			return
		}
	}
}

// runFunction runs function i, which its stream has reached. What happens before it is ordered for the function, but
// not for the host after it. As on a real device, it is not called after a fault of the device.
func (rt *runtime) runFunction(i int) {
	f, host := rt.hostFunctions[i], slices.Clone(rt.host)
	rt.host = rt.host.join(f.clock)
	rt.runningFunction = f
	defer func() {
		rt.host, rt.runningFunction = host, nil
		if i < len(rt.hostFunctions) { // otherwise the device was abandoned meanwhile
			rt.hostFunctions = slices.Delete(rt.hostFunctions, i, i+1)
			close(f.returned)
		}
	}()
	if !f.stream.device.faults.any(f.clock) {
		f.run(f.site)
	}
}

// dropFunctions lets streams continue without the functions that have not run.
func (rt *runtime) dropFunctions() {
	for _, f := range rt.hostFunctions {
		close(f.returned)
	}
	rt.hostFunctions = nil
}

// giveUp abandons the device.
func (rt *runtime) giveUp() {
	rt.givenUp.Store(true)
	rt.dropFunctions()
}
