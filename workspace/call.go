package workspace

import (
	"errors"
	"fmt"

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
	Printed string // lines that the library prints about the numbers of arrays

	Kernel *tuning.Kernel // that computed a GEMM; nil for others, and if it is not known
}

// call is the routine call on a handle.
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
	repeated  bool          // the routine's kernels failed with the last error of HIP before the call
	checks    behavior.Numbers
	steps     *behavior.Steps
	ownSteps  behavior.Steps // of calls without a plan
	out       Outcome
	fetched   bool // scalars were copied to the host
}

// end sets the outcome of a call that ends without results.
func (c *call) end(st status.Status) { c.out = Outcome{Status: st, Printed: c.out.Printed} }

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

func resultBytes(a *routine.Args) int64 {
	if p, ok := a.Routine.ParamAt(routine.Result); ok {
		return a.ElementBytes(p)
	}
	return 0
}

// Plan keeps the decisions about a call that is made repeatedly with the same arguments. The zero value is a plan
// without a decision.
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

// circumstances decide about a call, in addition to its arguments and the numbers in device memory. Variables of the
// environment are read when a handle is created.
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
	c.setSteps(memory)
	if keeps {
		p.made = !c.steps.Has(behavior.CopyAlpha)
	}
}

// setSteps makes the steps of the call with some memory.
func (c *call) setSteps(memory *behavior.Buffers) {
	on := behavior.Call{OnDevice: c.launch.OnDevice, Degraded: c.launch.Degraded, Searches: c.numerics != 0,
		Memory: memory}
	if !c.profile.Modelled() {
		c.steps.MakeLaunch(on, c.args)
		return
	}
	on.On = &c.target
	c.steps.Make(on, c.args)
}

// query is the size query of a handle, between a start and a stop.
type query struct {
	*base
	querying bool
	most     uint64   // bytes that a call of the query needs
	unknown  *Unknown // the first call of the query whose need is not known
}

// StartQuery implements rocblas_start_device_memory_size_query. A second start is an error, and the first query
// continues.
func (q *query) StartQuery() error {
	const function = "rocblas_start_device_memory_size_query"
	if err := q.check(function); err != nil {
		return err
	}
	if q.querying {
		return &Error{Status: status.SizeQueryMismatch, Func: function, Reason: "a size query is already open"}
	}
	q.querying, q.most, q.unknown = true, 0, nil
	return nil
}

// BoundUnknown sets the bytes that count in the open size query for calls whose need is not known. Outside a query it
// has no effect.
func (q *query) BoundUnknown(bytes uint64) {
	if q.querying {
		q.target.Bound = behavior.Bound{Bytes: bytes, Given: true}
	}
}

// StopQuery implements rocblas_stop_device_memory_size_query: it returns the bytes of the call that needed most. With a
// null pointer for the result the query stays open. It returns an *Unknown if there was a call whose need is not known.
func (q *query) StopQuery(nullResult bool) (uint64, error) {
	const function = "rocblas_stop_device_memory_size_query"
	if err := q.check(function); err != nil {
		return 0, err
	}
	if !q.querying {
		return 0, &Error{Status: status.SizeQueryMismatch, Func: function, Reason: "no size query is open"}
	}
	if nullResult {
		return 0, &Error{Status: status.InvalidPointer, Func: function,
			Reason: "the pointer for the result is null; the query stays open"}
	}
	q.querying, q.target.Bound = false, behavior.Bound{}
	if q.unknown != nil {
		return 0, q.unknown
	}
	return q.most, nil
}

// IsQuery implements is_device_memory_size_query: it reports whether calls only record their sizes.
func (q *query) IsQuery() bool { return q.state == alive && q.querying }

// SetOptimalDeviceMemorySize records the buffers of one call, in bytes, in a size query. Outside a query it returns
// size_query_mismatch, as the library does; its documentation says internal_error.
func (q *query) SetOptimalDeviceMemorySize(bytes ...uint64) (status.Status, error) {
	const function = "set_optimal_device_memory_size"
	if err := q.check(function); err != nil {
		return status.InvalidHandle, err
	}
	if !q.querying {
		return status.SizeQueryMismatch, &Error{Status: status.SizeQueryMismatch, Func: function,
			Reason: "no size query is open"}
	}
	return q.recordNeed(totalOf(bytes)), nil
}

// recordNeed records the size of a call, and returns as a status whether it is larger than all before.
func (q *query) recordNeed(total uint64) status.Status {
	if total > q.most {
		q.most = total
		return status.SizeIncreased
	}
	return status.SizeUnchanged
}

// totalOf returns the bytes of buffers, each rounded up.
func totalOf(buffers []uint64) uint64 {
	total := uint64(0)
	for _, n := range buffers {
		total += behavior.Round(n)
	}
	return total
}

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
	if c.profile.Modelled() {
		if st, reason := lacks(&c.target, a.Routine); st != status.Success {
			return c.refused(st, reason)
		}
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
	if err := c.setNeed(a, need); err != nil {
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
	if c.querying && a.Routine.Has(routine.B) && a.Null(routine.B) && !c.dev.Capturing() {
		return nil
	}
	c.launch = driver.Launch{Args: a, OnDevice: c.OnDevice(), Handle: c.number}
	c.steps = &c.ownSteps
	c.setSteps(&behavior.Buffers{})
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
