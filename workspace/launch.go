package workspace

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
)

func (c *call) runSteps() error {
	if c.steps.Reduces && c.profile.Modelled() {
		if err := chunked(c.args); err != nil {
			return err
		}
	}
	var copied []byte
	if n := len(c.steps.List); n > 0 && c.steps.List[n-1].Do == behavior.CopyResult {
		copied = c.placeResults(&c.steps.List[n-1])
	}
	for i := 0; i < len(c.steps.List); i++ {
		var err error
		switch s := &c.steps.List[i]; s.Do {
		case behavior.Launch:
			err = c.launchOnDevices()
		case behavior.CopyAlpha:
			if err = c.copyScalars(c.args, []routine.Slot{routine.Alpha}); err == nil {
				c.makeSteps()
			}
		case behavior.WriteFactor:
			err = c.writeFactor()
		case behavior.ClearOffsets:
			err = c.clearOffsets()
		case behavior.CopyOffsets:
			err = c.copyOffsets()
		case behavior.ReturnLastError:
			err = c.returnLastError()
		case behavior.LosePointerMode:
			c.pointer = routine.PointerModeHost
		case behavior.RefuseNull:
			err = c.refused(status.InternalError, "A is null, and the solve multiplies by blocks of it")
		case behavior.Wait:
			first := i
			for i+1 < len(c.steps.List) && c.steps.List[i+1].Do == behavior.Wait {
				i++
			}
			err = c.makeWaits(c.steps.List[first : i+1])
		case behavior.SearchFactors:
			err = c.checkFactors()
		case behavior.SearchProduct:
			err = c.checkProduct()
		case behavior.SearchProducts:
			err = c.checkProducts()
		case behavior.CopyResult:
			err = c.copyResult(copied, s.WaitIgnored)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// placeResults returns host memory for copies from the device, or nil. The results of a reduction in host pointer mode
// are at the end of the first buffer, whose size rule includes an element for each of them. The number of eigenvalues
// has a buffer.
func (c *call) placeResults(s *behavior.Step) (copied []byte) {
	a, l := c.args, &c.launch
	if c.steps.Reduces {
		copied = make([]byte, s.ScalarBytes*a.Batch())
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

func (c *call) copyResult(copied []byte, waitIgnored bool) error {
	if copied == nil {
		return nil
	}
	defer c.setCause("result")()
	err := c.dev.ReadAsync(copied, c.launch.Result, c.stream)
	if err == nil {
		err = c.stream.Synchronize()
	}
	if waitIgnored && driver.CodeOf(err) == driver.ErrorCaptureUnsupported {
		return nil
	}
	return err
}

// writeFactor writes the factor 1 of y to the workspace.
func (c *call) writeFactor() error {
	defer c.setCause("scalars")()
	beta, _ := c.args.Routine.ParamAt(routine.Beta)
	at := c.launch.Buffer(buffer.ColumnSums).Ptr
	return c.dev.WriteAsync(at, make([]byte, c.args.ElementBytes(beta)), c.stream)
}

// launchOnDevices queues the routine, and makes the changes of the current device that the library makes meanwhile. A
// routine that is one solve with a vector runs on the handle's device. In others only parts do.
func (c *call) launchOnDevices() error {
	if c.steps.Vectors == 0 || c.dev.Current() == c.dev {
		return c.launchRoutine()
	}
	defer c.setCause("steps")()
	for range c.steps.Vectors - 1 {
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
	return c.launchError(err, before)
}

// launchError returns the error of a launch as the library returns it. before is the last error before the launch.
func (c *call) launchError(err error, before driver.Error) error {
	if err == nil {
		return nil
	}
	ignored, code := &c.steps.Launch, driver.CodeOf(err)
	if code < driver.ErrorCaptureUnsupported || code > driver.ErrorCaptureWrongThread { // no stream is captured
		return err
	}
	ignores := ignored.First
	if code == driver.ErrorCaptureInvalidated {
		ignores = ignored.Later
	}
	if ignores || ignored.Repeated && code == before {
		return nil
	}
	return err
}

// A library can return an error that it did not cause: HIP keeps the last error of a thread, and a library that reads
// it may find one that an earlier call left, of the script or of a library. With an error before the call, every
// routine of both releases was called in size queries and executed: since HIP 7.0, csrrf_splitlu returns it. Before
// that, the earlier calls to the routine, which succeed, have cleared the error.

// returnLastError returns and resets the last error, unless rocPRIM is given a null pointer.
func (c *call) returnLastError() error {
	if c.launch.Buffer(buffer.RowCounts).Ptr == 0 {
		return nil
	}
	code, left := c.dev.ReadLastError()
	if code == driver.Success {
		return nil
	}
	c.dev.ResetLastError()
	return &earlierError{code, left}
}

// offsetBytes are the bytes of an offset of a row of a sparse matrix.
const offsetBytes = 4

// offsetsOfFactors are the arguments with the offsets of the rows of L and U.
var offsetsOfFactors = [...]routine.Slot{routine.NnzA + 1, routine.NnzU + 1}

// clearOffsets sets the offsets of the rows of both factors to zero.
func (c *call) clearOffsets() error {
	for _, s := range offsetsOfFactors {
		n := offsetBytes * uint64(c.args.Int(routine.N)+1)
		if err := c.dev.FillAsync(driver.Ptr(c.args.Ptr(s)), 0, n, c.stream); err != nil {
			return err
		}
	}
	return nil
}

// copyOffsets copies the last offsets of both factors.
func (c *call) copyOffsets() error {
	for _, s := range offsetsOfFactors {
		at := driver.Ptr(c.args.Ptr(s)) + driver.Ptr(offsetBytes*c.args.Int(routine.N))
		if err := c.dev.CopyAsync(at, at, offsetBytes, c.stream); err != nil {
			return err
		}
	}
	return nil
}

// makeWaits copies to the host and waits. A step that fails ends, and so does a solve if its next kernel fails.
func (c *call) makeWaits(list []behavior.Step) error {
	defer c.setCause("steps")()
	failed, ended := false, 0 // the solve that ended
	for i := range list {
		s := &list[i]
		if s.Group != 0 && s.Group == ended {
			continue
		}
		if s.Starts && c.nextKernel() != nil {
			ended = s.Group
			continue
		}
		err := c.makeEqual(s)
		if err == nil {
			continue
		}
		if failed = true; c.steps.WaitsChecked || s.Fill.Checked {
			return err
		}
		if s.Kernel {
			err = c.nextKernel()
		}
		switch {
		case s.Kernel && err != nil && c.args.Routine.Library == routine.RocBLAS:
			return err
		case s.Group != 0 && (s.Fills && !s.Fill.Ignored || s.Kernel && err != nil):
			ended = s.Group
		}
	}
	if failed && c.args.Routine.Library == routine.RocSOLVER { // in rocBLAS no kernel follows
		c.nextKernel()
	}
	return nil
}

// nextKernel launches a kernel between the steps of a call whose capture is invalid, and returns its error as the
// library returns it.
func (c *call) nextKernel() error {
	if c.stream.CaptureStatus() != driver.CaptureInvalidated || c.steps.WaitsLast {
		return nil
	}
	before, _ := c.dev.ReadLastError()
	err := c.runsOn().Execute(c.stream, &c.launch)
	if c.profile.Release.RepeatedErrorsIgnored && driver.CodeOf(err) == before {
		return nil
	}
	return err
}

// makeEqual makes equal steps and returns the last error, or the first one if it ends the call.
func (c *call) makeEqual(s *behavior.Step) (last error) {
	for range s.Times {
		if err := c.makeStep(s); err != nil {
			if last = err; c.steps.WaitsChecked {
				break
			}
		}
	}
	return last
}

// makeStep sets memory to zero, or copies lists of addresses and waits, copies scalars and waits after each, and waits.
func (c *call) makeStep(s *behavior.Step) error {
	if s.Fills {
		if c.launch.FailedBytes != 0 && c.stream.CaptureStatus() != driver.CaptureInvalidated {
			return nil // the library ends the process
		}
		return c.dev.ClearAsync(c.launch.Buffer(s.Fill.ID).Ptr, s.Fill.Bytes, c.stream)
	}
	if s.ListBytes != 0 {
		if err := c.fetchLists(s); err != nil {
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
func (c *call) fetchLists(s *behavior.Step) error {
	if s.NullList {
		return c.dev.ReadAsync(make([]byte, s.ListBytes), 0, c.stream)
	}
	return c.fetch(behavior.CopiedLists, s.ListBytes)
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
