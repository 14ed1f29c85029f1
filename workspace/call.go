package workspace

import (
	"errors"

	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/workspace/sizing"
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
	need      *sizing.Demand
	demand    sizing.Demand // of calls without a plan
	allocated Allocation
	launch    driver.Launch
	prepared  bool // the buffers are allocated
	repeated  bool // the routine's kernels failed with what was the last error of HIP already
	checks    numberChecks
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

// roundScalars rounds scalars in host memory to their datatypes, as the library reads them. 1e-50 is zero in float, and
// with a factor of zero the library needs no arrays.
func roundScalars(a *routine.Args) {
	for _, s := range [...]routine.Slot{routine.Alpha, routine.Beta} {
		if param, ok := a.Routine.ParamAt(s); ok && a.Int(s) == routine.Host {
			a.SetFetched(s, number.Round(a.Datatype(param), a.Scalar(s)))
		}
	}
}

// preparesFirst reports whether a call allocates its workspace before it copies scalars to the host: syrk and herk.
func (c *call) preparesFirst(a *routine.Args) bool {
	id := a.Routine.Family.ID
	return c.profile.Modelled() && (id == routine.Syrk || id == routine.Herk)
}

// FetchScalars copies scalars to the host, and waits for the stream after each copy.
func (c *call) FetchScalars(a *routine.Args, list []routine.Slot) error {
	if c.preparesFirst(a) {
		if err := c.policy.demand(a, c.need); err != nil {
			return err
		}
		if _, err := c.prepare(); err != nil {
			return err
		}
	}
	c.fetched = true
	defer c.dev.SetCause("scalars")()
	for _, s := range list {
		param, _ := a.Routine.ParamAt(s)
		value := make([]byte, a.ElementBytes(param))
		if err := c.dev.ReadAsync(value, driver.Ptr(a.Ptr(s)), c.stream); err != nil {
			return err
		}
		if err := c.stream.Synchronize(); err != nil {
			return err
		}
		a.SetFetched(s, number.Load(a.Datatype(param), value))
	}
	return nil
}

// resultBytes returns the bytes of one result of a reduction.
func resultBytes(a *routine.Args) int64 {
	if p, ok := a.Routine.ParamAt(routine.Result); ok {
		return a.ElementBytes(p)
	}
	return 0
}
