package workspace

import (
	"math"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
)

// launchSteps queues the routine and waits for results in host memory.
func (c *call) launchSteps() error {
	a, l := c.args, &c.launch
	if _, reduction := a.Routine.ParamAt(routine.Result); reduction {
		if err := c.policy.computes(a); err != nil {
			return err
		}
	}
	copied := c.placeResults()
	if a.LaunchesNothing() {
		return nil
	}
	if l.OnDevice && c.policy.copiesAlpha(a) {
		if err := c.copyScalars(a, []routine.Slot{routine.Alpha}); err != nil {
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
	if err := c.waitBetweenSteps(); err != nil || copied == nil {
		return err
	}
	defer c.setCause("result")()
	err = c.dev.ReadAsync(copied, l.Result, c.stream)
	if err == nil {
		err = c.stream.Synchronize()
	}
	return c.policy.resultError(a, err)
}

// placeResults returns host memory for what is copied from the device, or nil. The results of a reduction in host
// pointer mode are at the end of the first buffer, whose size rule includes an element for each of them. The number of
// eigenvalues has a buffer.
func (c *call) placeResults() (copied []byte) {
	a, l := c.args, &c.launch
	if _, reduction := a.Routine.ParamAt(routine.Result); reduction && !l.OnDevice {
		copied = make([]byte, c.copiedBytes()*a.Batch())
		l.Result = l.Work[0].Ptr + driver.Ptr(l.Work[0].Bytes-uint64(len(copied)))
		c.out.Results = copied[:resultBytes(a)*a.Batch()]
	}
	if count := l.Buffer(buffer.EigenvalueCount); count.Ptr != 0 {
		copied = make([]byte, count.Bytes)
		l.Result, c.out.Results = count.Ptr, copied
		a.SetPtr(routine.Nev, uint64(count.Ptr))
	}
	return copied
}

// copyFactor copies the factor 1 of y to the workspace, as a gemv does in device pointer mode if it computes in pieces
// because of a dimension beyond 32 bits. Without workspace the copy fails.
func (c *call) copyFactor() error {
	a := c.args
	switch a.Routine.Family.ID {
	default:
		return nil
	case routine.Gemv, routine.HalfGemv, routine.HalfSingleGemv:
	}
	if !c.profile.Modelled() || !c.launch.OnDevice || max(a.Int(routine.M), a.Int(routine.N)) <= math.MaxInt32 {
		return nil
	}
	defer c.setCause("scalars")()
	beta, _ := a.Routine.ParamAt(routine.Beta)
	return c.dev.WriteAsync(c.launch.Buffer(buffer.ColumnSums).Ptr, make([]byte, a.ElementBytes(beta)), c.stream)
}

// launchOnDevices queues the routine, and makes the changes of the current device that the library makes meanwhile, see
// behavior.VectorSolves. A routine that is one such solve runs on the handle's device. In others only parts do.
func (c *call) launchOnDevices() error {
	solves := int64(0)
	if c.dev.Current() != c.dev && c.profile.Modelled() {
		solves = behavior.VectorSolves(c.args)
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
	if err := c.fillRows(); err != nil {
		return err
	}
	before, _ := c.dev.ReadLastError()
	err := c.runsOn().Execute(c.stream, &c.launch)
	c.repeated = driver.CodeOf(err) == before
	if err != nil {
		if err = c.policy.launchError(&c.launch, err, before); err != nil {
			return err
		}
	}
	if c.policy.readsLastError(&c.launch) {
		if code, left := c.dev.ReadLastError(); code != driver.Success {
			c.dev.ResetLastError()
			return &earlierError{code, left}
		}
	}
	return c.copyCounts()
}

// The offsets of rows that csrrf_splitlu computes are sums. It sets them to zero first, and last copies the two sums of
// all elements in device memory.

// offsetBytes are the bytes of an offset.
const offsetBytes = 4

// offsetsOfFactors are the arguments with the offsets of the rows of L and U.
var offsetsOfFactors = [...]routine.Slot{routine.NnzA + 1, routine.NnzU + 1}

// fillRows sets the offsets of the rows of both factors to zero.
func (c *call) fillRows() error {
	if !c.profile.Modelled() || !sumsRows(c.args) {
		return nil
	}
	for _, s := range offsetsOfFactors {
		n := offsetBytes * uint64(c.args.Int(routine.N)+1)
		if err := c.dev.FillAsync(driver.Ptr(c.args.Ptr(s)), 0, n, c.stream); err != nil {
			return err
		}
	}
	return nil
}

// copyCounts copies the last offsets of both factors.
func (c *call) copyCounts() error {
	if !c.profile.Modelled() || !sumsRows(c.args) {
		return nil
	}
	for _, s := range offsetsOfFactors {
		at := driver.Ptr(c.args.Ptr(s)) + driver.Ptr(offsetBytes*c.args.Int(routine.N))
		if err := c.dev.CopyAsync(at, at, offsetBytes, c.stream); err != nil {
			return err
		}
	}
	return nil
}

// waitBetweenSteps makes the waits of a routine that waits between its steps, and then checks the arrays of products.
func (c *call) waitBetweenSteps() error {
	if !behavior.MayWait(c.args.Routine) {
		return nil
	}
	wait := c.waits()
	if err := c.makeWaits(&wait); err != nil || c.numerics == 0 {
		return err
	}
	return c.checkProducts(wait.Waits)
}

// makeWaits copies to the host and waits. A step that fails ends, and so does a solve if its next kernel fails.
func (c *call) makeWaits(wait *hostWaits) error {
	if wait.NullFactor {
		return c.refused(status.InternalError, "A is null, and the solve multiplies by blocks of it")
	}
	if len(wait.Steps) == 0 {
		return nil
	}
	defer c.setCause("steps")()
	failed, ended := false, 0 // the solve that ended
	for i := range wait.Steps {
		s := &wait.Steps[i]
		if s.Group != 0 && s.Group == ended {
			continue
		}
		if s.Starts && c.nextKernel(wait) != nil {
			ended = s.Group
			continue
		}
		err := c.makeSteps(s, wait.errors == checked)
		if err == nil {
			continue
		}
		if failed = true; wait.errors == checked || s.Fill.Checked {
			return err
		}
		if s.Kernel {
			err = c.nextKernel(wait)
		}
		switch {
		case s.Kernel && err != nil && c.args.Routine.Library == routine.RocBLAS:
			return err
		case s.Group != 0 && (s.Fills && !s.Fill.Ignored || s.Kernel && err != nil):
			ended = s.Group
		}
	}
	if failed && c.args.Routine.Library == routine.RocSOLVER { // in rocBLAS no kernel follows
		c.nextKernel(wait)
	}
	return nil
}

// nextKernel launches a kernel between the steps of a call whose capture is invalid, and returns its error as the
// library returns it.
func (c *call) nextKernel(wait *hostWaits) error {
	if c.stream.CaptureStatus() != driver.CaptureInvalidated || endsWithWait(c.args) {
		return nil
	}
	before, _ := c.dev.ReadLastError()
	err := c.runsOn().Execute(c.stream, &c.launch)
	if wait.repeatedIgnored && driver.CodeOf(err) == before {
		return nil
	}
	return err
}

// makeSteps makes equal steps and returns the last error, or the first one if it ends the call.
func (c *call) makeSteps(s *behavior.WaitingStep, firstEnds bool) (last error) {
	for range s.Times {
		if err := c.makeStep(s); err != nil {
			if last = err; firstEnds {
				break
			}
		}
	}
	return last
}

// makeStep sets memory to zero, or copies lists of addresses and waits, copies scalars and waits after each, and waits.
func (c *call) makeStep(s *behavior.WaitingStep) error {
	if s.Fills {
		if c.launch.FailedBytes != 0 && c.stream.CaptureStatus() != driver.CaptureInvalidated {
			return nil // the library ends the process
		}
		return c.dev.ClearAsync(c.launch.Buffer(s.Fill.ID).Ptr, s.Fill.Bytes, c.stream)
	}
	if s.ListBytes != 0 {
		if err := c.fetchLists(s.ListBytes); err != nil {
			return err
		}
	}
	for range s.Scalars {
		if err := c.fetch(1, s.ScalarBytes); err != nil {
			return err
		}
	}
	for range s.Waits {
		if err := c.stream.Synchronize(); err != nil {
			return err
		}
	}
	return nil
}

// fetchLists copies lists of addresses to the host, the list of A first, and waits.
func (c *call) fetchLists(bytes int64) error {
	if solves(c.args) && c.args.Null(routine.A) {
		return c.dev.ReadAsync(make([]byte, bytes), 0, c.stream)
	}
	return c.fetch(behavior.CopiedLists, bytes)
}

// fetch makes copies of some bytes to the host and waits. Nothing depends on the numbers, which are the first ones of
// the workspace or of A.
func (c *call) fetch(copies int, bytes int64) error {
	from := c.source(uint64(bytes))
	if from != 0 || c.stream.CaptureStatus() == driver.CaptureInvalidated {
		buffer := make([]byte, bytes)
		for range copies {
			if err := c.dev.ReadAsync(buffer, from, c.stream); err != nil {
				return err
			}
		}
	}
	return c.stream.Synchronize()
}

// source returns device memory of some bytes that the call uses. It is null if the allocation of the workspace failed:
// the library then ends the process.
func (c *call) source(bytes uint64) driver.Ptr {
	if c.launch.FailedBytes != 0 {
		return 0
	}
	for _, w := range c.launch.Work {
		if w.Ptr != 0 && w.Bytes >= bytes {
			return w.Ptr
		}
	}
	return driver.Ptr(c.args.Ptr(routine.A))
}
