package workspace

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace/sizing"
)

// launchSteps queues the routine and waits for results in host memory. Those of a reduction in host pointer mode are at
// the end of the first buffer, whose size rule includes an element for each of them. The number of eigenvalues has a
// buffer.
func (c *call) launchSteps() error {
	a, l := c.args, &c.launch
	_, reduction := a.Routine.ParamAt(routine.Result)
	if reduction {
		if err := c.policy.computes(a); err != nil {
			return err
		}
	}
	fetch := reduction && !l.OnDevice
	if fetch {
		bytes := uint64(resultBytes(a) * a.Batch())
		l.Result = l.Work[0].Ptr + driver.Ptr(l.Work[0].Bytes-bytes)
		c.out.Results = make([]byte, bytes)
	}
	if count := l.Buffer(buffer.EigenvalueCount); count.Ptr != 0 {
		fetch, l.Result, c.out.Results = true, count.Ptr, make([]byte, count.Bytes)
		a.SetPtr(routine.Nev, uint64(count.Ptr))
	}
	if a.LaunchesNothing() {
		return nil
	}
	if l.OnDevice && c.policy.copiesAlpha(a) {
		if err := c.FetchScalars(a, []routine.Slot{routine.Alpha}); err != nil {
			return err
		}
	}
	err := c.launchOnDevices()
	if err != nil {
		return err
	}
	if c.pointer != routine.PointerModeHost && c.policy.losesPointerMode(a) {
		c.pointer = routine.PointerModeHost
	}
	if err := c.waitBetweenSteps(); err != nil || !fetch {
		return err
	}
	defer c.setCause("result")()
	err = c.dev.ReadAsync(c.out.Results, l.Result, c.stream)
	if err == nil {
		err = c.stream.Synchronize()
	}
	return c.policy.resultError(a, err)
}

// launchOnDevices queues the routine, and makes the changes of the current device that the library makes meanwhile, see
// sizing.VectorSolves. A routine that is one such solve runs on the handle's device. In others only parts do.
func (c *call) launchOnDevices() error {
	solves := int64(0)
	if c.dev.Current() != c.dev && c.profile.Modelled() {
		solves = sizing.VectorSolves(c.args)
	}
	if solves == 0 {
		return c.launchRoutine()
	}
	defer c.setCause("steps")()
	for range solves - 1 {
		c.enter()()
	}
	leave := c.enter()
	if c.args.Routine.Library == routine.RocSOLVER {
		leave()
		return c.launchRoutine()
	}
	defer leave()
	return c.launchRoutine()
}

// launchRoutine queues the routine and returns the error that the library returns.
func (c *call) launchRoutine() error {
	before, _ := c.dev.ReadLastError()
	err := c.runsOn().Execute(c.stream, &c.launch)
	c.repeated = driver.CodeOf(err) == before
	if err != nil {
		if err = c.policy.launchError(&c.launch, err, before); err != nil {
			return err
		}
	}
	if !c.policy.readsLastError(&c.launch) {
		return nil
	}
	code, left := c.dev.ReadLastError()
	if code == driver.Success {
		return nil
	}
	c.dev.ResetLastError()
	return &earlierError{code, left}
}

// waitBetweenSteps makes the waits of a routine that waits between its steps, and then checks the arrays of products.
func (c *call) waitBetweenSteps() error {
	if !sizing.MayWait(c.args.Routine) {
		return nil
	}
	wait := c.waits()
	if err := c.makeWaits(&wait); err != nil || c.numerics == 0 {
		return err
	}
	return c.checkProducts(wait.Waits)
}

// makeWaits waits. Before a wait the routine copies something to the host, which fails in a capture that is invalid,
// and then it does not wait. Solves in blocks copy nothing, and each waits once.
func (c *call) makeWaits(wait *hostWaits) error {
	if wait.Count == 0 {
		return nil
	}
	defer c.setCause("steps")()
	for i, n := int64(0), wait.Count; i < n; i++ {
		if c.stream.CaptureStatus() == driver.CaptureInvalidated && i >= wait.Solves {
			break
		}
		if err := c.stream.Synchronize(); err != nil {
			if wait.errors == checked {
				return err
			}
			n = wait.Failing
		}
	}
	if c.stream.CaptureStatus() == driver.CaptureNone || endsWithWait(c.args) {
		return nil
	}
	before, _ := c.dev.ReadLastError()
	err := c.runsOn().Execute(c.stream, &c.launch) // the next kernel
	if wait.errors == ignored || wait.repeatedIgnored && driver.CodeOf(err) == before {
		return nil
	}
	return err
}
