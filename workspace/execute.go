package workspace

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace/argcheck"
	"roclua/workspace/sizing"
	"roclua/workspace/status"
)

// execute allocates the buffers and runs the routine in the handle's stream. When there is too little memory, it uses
// the smaller set of buffers of a routine that has one.
func (c *call) execute() (out Outcome, err error) {
	d, launch := &c.need, &c.launch
	*launch = driver.Launch{Args: c.args, OnDevice: c.OnDevice(), Work: launch.Work[:0]}
	out.Unknown = d.Unknown
	buffers := &d.Optimal
	if d.Executed.Differs {
		*buffers = sizing.Buffers{}
		if d.Executed.Buffer.Bytes > 0 {
			buffers.Add(d.Executed.Buffer)
		}
	}
	if d.Unreported.Bytes > 0 {
		buffers.Add(d.Unreported)
	}
	enough, err := c.allocate(buffers)
	if err == nil && !enough && d.CanDegrade {
		launch.Degraded, out.Status = true, status.PerfDegraded
		buffers = &d.Degraded
		enough, err = c.allocate(buffers)
	}
	if err != nil {
		return Outcome{}, err
	}
	if !enough {
		return Outcome{Status: status.MemoryError}, c.shortage()
	}
	defer func() { out, err = c.release(out, err) }()
	for i, span := range c.allocated.spans {
		launch.Work = append(launch.Work, driver.Work{ID: buffers.At(i).ID, Span: span})
	}
	if d.ShortInverse {
		out.Status = status.PerfDegraded
	}
	return c.compute(out)
}

// allocate allocates the buffers of the call, and reports whether there is enough memory.
func (c *call) allocate(b *sizing.Buffers) (enough bool, err error) {
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

// release releases the buffers. If that fails, so does a call that ended without an error.
func (c *call) release(out Outcome, err error) (Outcome, error) {
	switch e := c.allocated.Release().(type) {
	case *Abort:
		e.Func = c.args.Routine.CName()
		return Outcome{}, e
	case *Error:
		if e.Func = c.args.Routine.CName(); err == nil {
			return Outcome{Status: e.Status}, e
		}
	}
	return out, err
}

// shortage explains a memory_error: what the call needs, what its slower form needs, and what was available.
func (c *call) shortage() error {
	d := &c.need
	e := c.refusal(c.args.Routine.CName(), status.MemoryError, "")
	e.Sized, e.Required, e.Available = true, d.Optimal.Total(), c.size-c.inUse
	if c.owner == Managed {
		e.Available = c.dev.FreeBytes()
		if !c.streamOrdered {
			e.Reason = "a managed workspace grows to need + " + FormatBytes(c.target.DefaultBytes())
		}
	}
	if d.Unreported.Bytes > 0 {
		unreported := sizing.Round(d.Unreported.Bytes)
		e.Reason = "a size query of this call does not report " + FormatBytes(unreported) + " of it"
	}
	if d.CanDegrade && d.Degraded.Total() < e.Required {
		e.Reason = "its slower form needs " + FormatBytes(d.Degraded.Total())
	}
	return e
}

// compute runs the routine with the buffers of its launch.
func (c *call) compute(out Outcome) (Outcome, error) {
	if c.decision.Effect == argcheck.AfterAllocation {
		if err := c.listCopies(); err != nil {
			return c.failed(err)
		}
		return c.refused(c.decision.Status, c.decision.Reason())
	}
	if st, reason := c.policy.refuses(&c.launch); st != status.Success {
		return c.refused(st, reason)
	}
	if err := c.launchSteps(&out); err != nil {
		return c.failed(err)
	}
	return out, nil
}

// listCopies writes the array of addresses of the copies of x, as the batched tbmv does before it refuses an order.
func (c *call) listCopies() error {
	list := c.launch.Buffer(buffer.VectorCopyPointers)
	if list.Ptr == 0 {
		return nil
	}
	return c.dev.FillAsync(list.Ptr, 0, list.Bytes, c.stream)
}
