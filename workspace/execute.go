package workspace

import (
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/internal/units"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
	"roclua/workspace/tuning"
)

// execute allocates the buffers and runs the routine in the handle's stream. When there is too little memory, it uses
// the smaller set of buffers of a routine that has one.
func (c *call) execute(d *behavior.Decision) error {
	if !c.prepared && (c.plan == nil || !c.plan.reuses(c)) {
		if st, err := c.prepare(); err != nil {
			c.end(st)
			return err
		}
	}
	c.out.Unknown, c.out.Kernel = c.need.Unknown, c.need.Kernel
	if c.launch.Degraded || c.need.ShortInverse {
		c.out.Status = status.PerfDegraded
	}
	if err := c.compute(d); err != nil {
		return c.failed(err)
	}
	return nil
}

// prepare allocates the buffers of the call, which run releases.
func (c *call) prepare() (status.Status, error) {
	need, launch := c.need, &c.launch
	*launch = driver.Launch{Args: c.args, OnDevice: c.OnDevice(), Handle: c.number, Work: c.work[:0]}
	need.Execute()
	buffers := &need.Optimal
	enough, err := c.allocate(buffers)
	if err == nil && !enough && need.CanDegrade {
		launch.Degraded = true
		degraded := need.Degraded()
		buffers = &degraded
		enough, err = c.allocate(buffers)
	}
	if err != nil {
		return status.Success, err
	}
	if !enough {
		return status.MemoryError, c.shortage()
	}
	if c.allocated.stream != nil && c.allocated.async == 0 {
		launch.FailedBytes = c.allocated.total
	}
	if c.allocated.stream == nil && c.allocated.total > 0 {
		launch.Lent = driver.Span{Ptr: c.start, Bytes: c.size}
	}
	for i, span := range c.allocated.spans {
		launch.Work = append(launch.Work, driver.Work{ID: buffers.At(i).ID, Span: span})
	}
	c.prepared, c.work = true, launch.Work
	if c.plan != nil {
		c.plan.keepPlace(c)
	}
	return status.Success, nil
}

// release releases the buffers of the call, if it allocated any, and returns the error of the call.
func (c *call) release(err error) error {
	if !c.prepared {
		return err
	}
	if failed := c.allocated.Release(); failed != nil {
		return c.notReleased(failed, err)
	}
	return err
}

// allocate allocates the buffers of the call, and reports whether there is enough memory.
func (c *call) allocate(b *behavior.Buffers) (enough bool, err error) {
	c.sizes = c.sizes[:0]
	for i := range b.Len() {
		c.sizes = append(c.sizes, b.At(i).Bytes)
	}
	r := c.args.Routine
	f := byBuffers // also for a family of rocSOLVER that never needs memory: it requests none, not 0 bytes
	if r.Library == routine.RocSOLVER && len(r.Family.Buffers) > 0 {
		f = byCount
	}
	enough, err = c.allocateBuffers(&c.allocated, c.sizes, f)
	if abort, ok := err.(*Abort); ok {
		abort.Func = r.CName()
	}
	return enough, err
}

// notReleased returns the error of a call whose buffers could not be released: it fails, also if it has succeeded.
func (c *call) notReleased(failed, err error) error {
	switch e := failed.(type) {
	case *Abort:
		e.Func = c.args.Routine.CName()
		c.end(status.Success)
		return e
	case *Error:
		if e.Func = c.args.Routine.CName(); err == nil {
			c.end(e.Status)
			return e
		}
	}
	return err
}

// shortage explains a memory_error: the bytes of the call, of its slower form, and those available.
func (c *call) shortage() error {
	d := c.need
	e := c.refusal(c.args.Routine.CName(), status.MemoryError, "")
	e.Sized, e.Required, e.Available = true, d.Optimal.Total(), c.size-c.inUse
	if c.owner == Managed {
		e.Available = c.dev.FreeBytes()
		if !c.streamOrdered {
			e.Reason = "a managed workspace grows to need + " + units.FormatBytes(c.target.DefaultBytes())
		}
	}
	if d.Unreported.Bytes > 0 {
		unreported := behavior.Round(d.Unreported.Bytes)
		e.Reason = "a size query of this call does not report " + units.FormatBytes(unreported) + " of it"
	}
	if degraded := d.Degraded(); d.CanDegrade && degraded.Total() < e.Required {
		e.Reason = "its slower form needs " + units.FormatBytes(degraded.Total())
	}
	return e
}

// compute runs the routine with the buffers of its launch.
func (c *call) compute(d *behavior.Decision) (err error) {
	refused := d.Effect == behavior.AfterAllocation
	if refused || c.checks.Before != nil {
		err = c.listCopies()
	}
	if err == nil && !d.Checked && d.Status != status.NotImplemented { // datatypes are checked before numbers
		err = c.checkBefore()
	}
	if err == nil && refused {
		return c.refused(d.Status, d.Reason())
	}
	if err == nil && c.profile.Modelled() && refusesNull(&c.launch) {
		return c.refused(status.InvalidPointer, "the workspace for the copy of x is a null pointer: "+
			"with stream-ordered allocation a size from the environment has no memory")
	}
	if err == nil {
		c.makeSteps()
		err = c.runSteps()
	}
	if err == nil && !d.Checked && c.checksResult() {
		err = c.checkAfter()
	}
	return err
}

// listCopies writes the array of addresses of parts of the workspace, as the batched tbmv does before it refuses an
// order, and trtri before it checks numbers.
func (c *call) listCopies() error {
	list := c.launch.Buffer(buffer.VectorCopyPointers)
	if c.launch.Buffer(buffer.InverseProducts).Bytes != 0 {
		list = c.launch.Buffer(buffer.InverseProductPointers)
	}
	if list.Ptr == 0 {
		return nil
	}
	c.makeSteps()
	before, _ := c.dev.ReadLastError()
	return c.launchError(c.dev.FillByKernel(list.Ptr, 0, list.Bytes, c.stream), before)
}

// FetchScalars copies the scalars that decide about the call to the host.
func (c *call) FetchScalars(a *routine.Args, list []routine.Slot, allocates bool) error {
	if allocates && c.profile.Modelled() {
		if err := c.setNeed(a, c.need); err != nil {
			return err
		}
		if _, err := c.prepare(); err != nil {
			return err
		}
	}
	return c.copyScalars(a, list)
}

// offer gives the size rules the memory that GEMM kernels may use.
func (c *call) offer() {
	p := &c.target.Products
	p.Executes, p.Free = !c.querying, c.size-c.inUse
	p.Deterministic, p.XF32 = c.atomics == routine.AtomicsNotAllowed, c.math == routine.XF32Math
	p.Metric = tuning.DeviceEfficiency
	if c.metric == routine.CUEfficiency {
		p.Metric = tuning.CUEfficiency
	}
}

// ChooseKernel returns the kernel that an executed gemm or gemm_ex would use now, with the free bytes of the handle, or
// in a size query with any number. Arrays and scalars that are null count as given: the result of a product then
// replaces C. The error is that of the call. Without tuning files the kernel is unknown.
func (h *Model) ChooseKernel(a *routine.Args) (behavior.Choice, error) {
	if err := h.check(a.Routine.CName()); err != nil {
		return behavior.Choice{}, err
	}
	given := *a
	a = &given
	mode := behavior.Mode{DevicePointers: h.OnDevice(), Scalars: &h.current}
	if a.Null(routine.Alpha) && a.Null(routine.Beta) {
		a.SetScalar(routine.Alpha, 1)
		a.SetScalar(routine.Beta, 0)
		mode = behavior.Mode{}
	}
	for _, s := range [...]routine.Slot{routine.A, routine.B, routine.C} {
		if a.Null(s) {
			a.SetPtr(s, routine.ArrayAddress(s))
		}
	}
	if a.Null(routine.D) {
		a.PlaceResult()
	}
	h.current.offer()
	return ChooseKernel(&h.target, a, mode)
}

// ChooseKernel returns the kernel that the library uses for an executed gemm or gemm_ex on a target. The error is that
// of the call.
func ChooseKernel(t *behavior.Target, a *routine.Args, mode behavior.Mode) (c behavior.Choice, err error) {
	name := a.Routine.CName()
	if st, reason := lacks(t, a.Routine); st != status.Success {
		return c, &Error{Status: st, Func: name, Reason: reason}
	}
	roundScalars(a)
	switch d := behavior.Decide(a, mode); {
	case d.Effect == behavior.Failed:
		return c, &Error{Status: statusOf(d.Err), Func: name, Cause: d.Err}
	case d.Refused():
		return c, &Error{Status: d.Status, Func: name, Reason: d.Reason()}
	case d.Ends():
		c.None = "there is nothing to compute: " + d.Reason()
		return c, nil
	case t.Products.Tuning == nil:
		c.Unknown = behavior.NeedsFiles
		return c, nil
	}
	if c = behavior.Choose(t, a); c.Missing() {
		err = &Error{Status: status.NotImplemented, Func: name, Reason: noKernel}
	}
	return c, err
}

const noKernel = "the tuning files have no kernel for this product"

// roundScalars rounds scalars in host memory to their datatypes, as the library reads them. 1e-50 is zero in float, and
// with a factor of zero the library needs no arrays.
func roundScalars(a *routine.Args) {
	for _, s := range [...]routine.Slot{routine.Alpha, routine.Beta} {
		if param, ok := a.Routine.ParamAt(s); ok && a.Int(s) == routine.Host {
			a.SetFetched(s, number.Round(a.Datatype(param), a.Scalar(s)))
		}
	}
}

// copyScalars copies scalars to the host, and waits for the stream after each copy.
func (c *call) copyScalars(a *routine.Args, list []routine.Slot) error {
	c.fetched = true
	defer c.setCause("scalars")()
	for _, s := range list {
		param, _ := a.Routine.ParamAt(s)
		value := make([]byte, a.ElementBytes(param))
		if err := c.dev.ReadAsync(value, driver.Ptr(a.Ptr(s)), c.stream); err != nil {
			return err
		}
		if err := c.stream.Synchronize(); err != nil {
			return err
		}
		if c.unknownScalars {
			number.Store(a.Datatype(param), value, 1)
		}
		a.SetFetched(s, number.Load(a.Datatype(param), value))
	}
	return nil
}
