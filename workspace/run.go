package workspace

import (
	"fmt"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
)

// run decides about the call from its arguments or its plan, and answers the size query or executes it.
func (c *call) run(a *routine.Args, p *Plan) error {
	c.args, c.out, c.prepared, c.fetched, c.plan, c.need = a, Outcome{}, false, false, p, &c.demand
	c.offer()
	if p != nil {
		c.need = &p.need
		if p.holds(c) {
			return c.release(c.execute(&behavior.Decision{}))
		}
		p.forget()
	}
	if st, reason := c.policy.lacks(a.Routine); st != status.Success {
		return c.refused(st, reason)
	}
	roundScalars(a)
	mode := behavior.Mode{Query: c.querying, DevicePointers: c.OnDevice(),
		SymmetricOfAnyOrder: c.profile.Release.SymmetricOfAnyOrder, Scalars: c}
	if c.numerics != 0 {
		if c.checks = behavior.NumbersOf(a, c.OnDevice()); c.checks.Before != nil {
			mode.CheckNumbers = c.checkBefore
		}
	}
	d := behavior.Decide(a, mode)
	err := c.release(c.follow(&d))
	if d.Checked && (err == nil && c.checksResult() || err != nil && c.checks.AfterErrors) {
		if err := c.checkAfter(); err != nil {
			return c.failed(err)
		}
	}
	return err
}

// follow ends the call as was decided, answers the size query or executes the call.
func (c *call) follow(d *behavior.Decision) error {
	a := c.args
	switch {
	case d.Effect == behavior.Failed:
		return c.failed(d.Err)
	case d.Effect == behavior.Crash:
		return c.abort(d.Reason())
	case d.Refused():
		return c.refused(d.Status, d.Reason())
	case d.Ends():
		return c.quickReturn(d)
	case d.Effect == behavior.WithoutWorkspace:
		return c.runWithoutWorkspace(d.Status)
	}
	need := c.need
	if err := c.policy.demand(a, need); err != nil {
		return c.failed(err)
	}
	if need.Endless {
		return c.abort(
			fmt.Sprintf("n = %d never returns (the search for its largest block does not end)", a.Int(routine.N)))
	}
	if need.NoKernel {
		return c.refused(status.NotImplemented, noKernel)
	}
	if c.querying && need.RunsInQuery && need.Unknown == "" {
		return nil
	}
	if c.querying {
		if need.Unknown != "" && c.unknown == nil {
			c.unknown = &Unknown{a.Routine.CName(), need.Unknown}
		}
		st := c.recordNeed(need.Optimal.Total())
		if !a.Routine.Family.RunsInQueries {
			c.out.Status, c.out.Unknown = st, need.Unknown
			return nil
		}
	}
	if need.Unknown != "" && !need.RunsWithout {
		return &Unknown{a.Routine.CName(), need.Unknown}
	}
	if c.plan != nil {
		c.plan.keep(c, d)
	}
	return c.execute(d)
}

// runWithoutWorkspace runs a call that needs no memory although its routine does: trsm with an alpha of 0 clears B. It
// does so even in a size query, whose result it does not change. Without B the kernel would fault there, and only its
// effect on captures is modelled.
func (c *call) runWithoutWorkspace(st status.Status) error {
	a := c.args
	c.out.Status = st
	if _, clears := a.Routine.ParamAt(routine.B); c.querying && clears && a.Null(routine.B) && !c.dev.Capturing() {
		return nil
	}
	c.launch = driver.Launch{Args: a, OnDevice: c.OnDevice(), Handle: c.number}
	c.steps = &c.ownSteps
	c.policy.steps(c.steps, c.stepsOn(&behavior.Buffers{}), a)
	if err := c.launchRoutine(); err != nil {
		return c.failed(err)
	}
	return nil
}

// quickReturn ends a call that has nothing to compute. A reduction of an empty vector still stores a zero.
func (c *call) quickReturn(d *behavior.Decision) error {
	a := c.args
	c.out.Status = d.Status
	if d.Effect != behavior.ZeroResult || c.querying {
		return nil
	}
	bytes := resultBytes(a) * max(a.Batch(), 0)
	if !c.OnDevice() {
		c.out.Results = make([]byte, bytes)
		return nil
	}
	if bytes == 0 {
		return nil
	}
	if err := c.dev.FillAsync(driver.Ptr(a.Ptr(routine.Result)), 0, uint64(bytes), c.stream); err != nil {
		return c.failed(err)
	}
	return nil
}
