package workspace

import (
	"errors"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
	"roclua/workspace/tuning"
)

// Outcome is the result of a call that did not fail.
type Outcome struct {
	Status  status.Status
	Results []byte // results of a reduction in host pointer mode, contiguous; nil inside a size query
	Unknown string // why the bytes that the call needs are not known; "" if they are
	Printed string // what the library prints about the numbers of arrays, in lines; "" for nothing

	Kernel *tuning.Kernel // that computed a product of matrices; nil for others, and if it is not known
}

// call is the call of a routine on a handle.
type call struct {
	*base
	*modes
	*query
	*memory
	args      *routine.Args
	plan      *Plan // may be nil
	need      *behavior.Demand
	demand    behavior.Demand // of calls without a plan
	allocated Allocation
	launch    driver.Launch
	work      []driver.Work // of launches without a plan
	prepared  bool          // the buffers are allocated
	repeated  bool          // the routine's kernels failed with what was the last error of HIP already
	checks    behavior.Numbers
	steps     *behavior.Steps
	ownSteps  behavior.Steps // of calls without a plan
	out       Outcome
	fetched   bool // scalars were copied to the host
}

// end sets the outcome of a call that ends without results.
func (c *call) end(st status.Status) { c.out = Outcome{Status: st, Printed: c.out.Printed} }

// refused ends the call with an error status, and returns its error.
func (c *call) refused(st status.Status, reason string) error {
	c.end(st)
	return c.refusal(c.args.Routine.CName(), st, reason)
}

// failed ends the call with an error, of HIP or its own, and returns the error of the call.
func (c *call) failed(err error) error {
	mismatch, refused, abort := (*driver.MismatchError)(nil), (*Error)(nil), (*Abort)(nil)
	switch {
	case errors.As(err, &mismatch): // a check of this program; the library has no status for it
		c.end(statusOf(err))
	case errors.As(err, &refused):
		c.end(refused.Status)
	case errors.As(err, &abort):
		c.end(status.Success)
	default:
		e := c.failure(c.args.Routine.CName(), err)
		c.end(e.Status)
		return e
	}
	return err
}

// abort returns the error of a call that would make the library end the process.
func (c *call) abort(reason string) error { return &Abort{c.args.Routine.CName(), reason} }

// resultBytes returns the bytes of one result of a reduction.
func resultBytes(a *routine.Args) int64 {
	if p, ok := a.Routine.ParamAt(routine.Result); ok {
		return a.ElementBytes(p)
	}
	return 0
}

// Plan keeps what a handle decided about a call, for a call that is made again and again with the same arguments. The
// zero value is a plan without a decision.
type Plan struct {
	need behavior.Demand
	kept bool
	args routine.Args
	in   circumstances

	launch driver.Launch // with the buffers in memory, if placed
	memory place
	placed bool

	steps behavior.Steps // if made
	made  bool
}

// circumstances are what the decision about a call depends on in addition to its arguments and the numbers in device
// memory. Variables of the environment are read when a handle is created.
type circumstances struct {
	handle   *base
	pointer  int64
	querying bool
	target   behavior.Target
}

// holds reports whether the plan has the decision about a call.
func (p *Plan) holds(c *call) bool {
	in := &p.in
	return p.kept && in.handle == c.base && in.pointer == c.pointer && in.querying == c.querying &&
		p.args.Equal(c.args) && in.target == c.target
}

// keep keeps the decision about a call that is executed, unless numbers in device memory decided.
func (p *Plan) keep(c *call, d *behavior.Decision) {
	if p.kept = d.Effect == behavior.Continues && !c.querying && !c.fetched && c.numerics == 0; p.kept {
		c.args.Mark()
		p.args, p.in = *c.args, circumstances{c.base, c.pointer, c.querying, c.target}
	}
}

// forget makes a plan without a decision.
func (p *Plan) forget() { p.kept, p.made, p.placed = false, false, false }

// place is the memory of a handle from which a call allocates its buffers.
type place struct {
	start         driver.Ptr
	size, inUse   uint64
	owner         Owner
	streamOrdered bool
}

// keepPlace keeps where the buffers of the call are: in the same memory they are there again. A smaller set of buffers
// is not kept, because a handle that the library manages tries to grow first, nor is memory of the device's pool.
func (p *Plan) keepPlace(c *call) {
	if p.placed = p.kept && !c.launch.Degraded && c.allocated.stream == nil; !p.placed {
		return
	}
	work := append(p.launch.Work[:0], c.launch.Work...)
	p.memory, p.launch = c.place(c.allocated.before), c.launch
	p.launch.Work = work
}

// reuses reports whether the buffers of the call are where they were, and then makes that its launch.
func (p *Plan) reuses(c *call) bool {
	if !p.placed || p.memory != c.place(c.inUse) {
		return false
	}
	c.launch = p.launch
	c.launch.Args = c.args
	return true
}

func (c *call) place(inUse uint64) place {
	return place{c.start, c.size, inUse, c.owner, c.streamOrdered}
}

// makeSteps makes the steps of the call. A plan keeps them, unless they depend on alpha in device memory, or the call
// has the smaller set of buffers.
func (c *call) makeSteps() {
	p := c.plan
	if p != nil && p.made && !c.launch.Degraded {
		c.steps = &p.steps
		return
	}
	c.steps = &c.ownSteps
	keeps := p != nil && p.kept && !c.launch.Degraded
	if keeps {
		c.steps = &p.steps
	}
	memory := &c.need.Optimal
	if c.launch.Degraded {
		degraded := c.need.Degraded()
		memory = &degraded
	}
	c.policy.steps(c.steps, c.stepsOn(memory), c.args)
	if keeps {
		p.made = !c.steps.Has(behavior.CopyAlpha)
	}
}

// stepsOn is what the steps of the call depend on.
func (c *call) stepsOn(memory *behavior.Buffers) behavior.Call {
	return behavior.Call{OnDevice: c.launch.OnDevice, Degraded: c.launch.Degraded, Searches: c.numerics != 0,
		Memory: memory}
}
