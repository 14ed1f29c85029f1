package workspace

import (
	"roclua/hip/routine"
	"roclua/workspace/argcheck"
	"roclua/workspace/sizing"
)

// Plan keeps what a handle decided about a call, for a call that is made again and again with the same arguments. The
// zero value is a plan without a decision.
type Plan struct {
	need sizing.Demand
	kept bool
	args routine.Args
	in   circumstances

	waits   hostWaits // if counted
	counted bool
}

// circumstances are what the decision about a call depends on in addition to its arguments and the numbers in device
// memory. Variables of the environment are read when a handle is created.
type circumstances struct {
	handle   *base
	pointer  int64
	querying bool
	target   sizing.Target
}

func (c *call) circumstances() circumstances {
	return circumstances{c.base, c.pointer, c.querying, c.target}
}

// holds reports whether the plan has the decision about a call.
func (p *Plan) holds(c *call) bool {
	return p.kept && p.in == c.circumstances() && p.args.Equal(c.args)
}

// keep keeps the decision about a call that is executed, unless numbers in device memory decided.
func (p *Plan) keep(c *call, d *argcheck.Decision) {
	if p.kept = d.Effect == argcheck.Continues && !c.querying && !c.fetched && c.numerics == 0; p.kept {
		p.args, p.in = *c.args, c.circumstances()
	}
}

// forget makes a plan without a decision.
func (p *Plan) forget() { p.kept, p.counted = false, false }

// waits returns the waits of the call between its steps. A plan keeps them, unless they depend on scalars in device
// memory, or the call has the smaller set of buffers.
func (c *call) waits() hostWaits {
	p := c.plan
	if p == nil || c.launch.OnDevice || c.launch.Degraded {
		return c.policy.waits(&c.launch)
	}
	if !p.counted {
		p.waits, p.counted = c.policy.waits(&c.launch), true
	}
	return p.waits
}
